import { sql } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../../request/context.ts';
import { recordLock } from '../records.ts';
import { writingAs } from '../../request/writing.ts';
import { takeTurn } from '../administration.ts';
import { accountTexts } from '../messages.ts';
import { Credencial } from '../../entities/permissoes/credencial.ts';
import { Pessoa } from '../../entities/permissoes/pessoa.ts';
import { Sessao } from '../../entities/permissoes/sessao.ts';
import { AppError, invalidField } from '../../errors.ts';
import { transactionReader } from '../../database/reader.ts';
import { fieldMessages } from '../../messages.ts';
import { findPeople } from './entering.ts';
import { passwordError } from './login.ts';
import { hashPassword } from '../../access/passwords.ts';
import { forgetFailures } from '../../access/throttle.ts';
import { normalised } from '../../text/normalised.ts';
import { actAs } from '../../request/for-person.ts';

/** Level 3 on this controller lets a person set the password of another one. */
export const PASSWORD_CONTROLLER = 'auth/senha';

/**
 * Sets a person's password and ends their sessions, except the caller's own. Failed logins before do not count any more.
 * @returns the person's id
 * @throws FORBIDDEN when the caller may not act for others, or has fewer permissions than that person;
 * VALIDATION_FAILED; INVALID_STATE when the directory, which stores the caller's own password, does not find their entry
 */
export async function changePassword(
  context: Context,
  input: { username: string; password: string },
): Promise<number> {
  const user = normalised(input.username);
  const em = context.services.orm.em.fork();
  const pessoa = await em.findOne(Pessoa, { usuario: user });
  // The permission is checked first, so that an unauthorised caller does not learn which users exist.
  await actAs(context, pessoa?.id, PASSWORD_CONTROLLER);
  if (!pessoa) throw invalidField('VALIDATION_FAILED', 'username', fieldMessages.unknownReference);
  await requireAllWhoShareIt(context, pessoa);
  const message = passwordError(input.password, user);
  if (message) throw invalidField('VALIDATION_FAILED', 'password', message);
  const { keep, isSet } = await newPassword(context, em, pessoa, input.password);
  const { id: current, idPessoa } = await context.session();
  const locks = [recordLock(Pessoa, pessoa.id)];
  await writingAs({ context }, { locks, completes: isSet }, async em => {
    if (pessoa.id !== idPessoa) await authorizeAnew(context, em, pessoa.id);
    else if (!isSet) await authorizeOwnAnew(context, em);
    await keep(em);
    await forgetFailures(transactionReader(em), user);
    await em.nativeUpdate(
      Sessao,
      { pessoa, encerradaEm: null, id: { $ne: current } },
      { encerradaEm: sql.now() },
    );
  });
  return pessoa.id;
}

/**
 * Requires that the caller may also change the password of all other people with the same directory entry, because they
 * share the password. @throws FORBIDDEN
 */
async function requireAllWhoShareIt(context: Context, { id, usuario }: Pessoa): Promise<void> {
  const { directory, listing } = context.services;
  if (!directory.people || id === (await context.session()).idPessoa) return;
  for (const other of await findPeople(listing.reader, await directory.people.namesOf(usuario)))
    await actAs(context, other, PASSWORD_CONTROLLER);
}

/**
 * Checks the caller's permission again, and locks permissions against changes during the password change.
 * @throws FORBIDDEN
 */
async function authorizeAnew(context: Context, em: EntityManager, idPessoa: number): Promise<void> {
  await takeTurn(em);
  await context.caller.authorizeAnew({ kind: 'level', controller: PASSWORD_CONTROLLER, level: 3 }, em);
  await actAs(context, idPessoa, PASSWORD_CONTROLLER, transactionReader(em));
}

/** Waits for whoever sets this password for the caller: that ends the caller's session. @throws UNAUTHENTICATED */
async function authorizeOwnAnew(context: Context, em: EntityManager): Promise<void> {
  await takeTurn(em);
  await context.caller.authorizeAnew({ kind: 'own' }, em);
}

const KEEP = `insert into credencial (id_pessoa, senha_hash) values ($1, $2)
on conflict (id_pessoa) do update set senha_hash = excluded.senha_hash, alterado_em = now()`;

interface NewPassword {
  /** Writes what the service keeps of it. */
  keep: (em: EntityManager) => Promise<unknown>;
  /** Whether the directory has set it already. */
  isSet: boolean;
}

/**
 * Sends the password to the directory if that stores this person's password. Only others give somebody a password of the
 * service. Otherwise who is removed from the directory would stay for good.
 */
async function newPassword(
  context: Context,
  em: EntityManager,
  { id, usuario }: Pessoa,
  password: string,
): Promise<NewPassword> {
  const { people } = context.services.directory;
  if (people && (await em.count(Credencial, { pessoa: id })) === 0) {
    if (await people.set(context, usuario, password))
      return {
        keep: em => em.nativeUpdate(Pessoa, { id }, { senhaAlteradaEm: sql.now() }),
        isSet: true,
      };
    if (id === (await context.session()).idPessoa)
      throw new AppError('INVALID_STATE', { detail: accountTexts.ownEntryAway });
  }
  const senhaHash = await hashPassword(password);
  return { keep: em => transactionReader(em).rows(KEEP, [id, senhaHash]), isSet: false };
}
