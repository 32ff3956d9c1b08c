import { LockMode, sql } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../context.ts';
import { AcessoAmbiente } from '../entities/permissoes/acesso-ambiente.ts';
import { Credencial } from '../entities/permissoes/credencial.ts';
import { Sessao } from '../entities/permissoes/sessao.ts';
import { Sistema } from '../entities/permissoes/sistema.ts';
import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import { verifyPassword } from './passwords.ts';
import { activeProfiles } from './profiles.ts';
import { writing } from '../domain/writing.ts';
import { digest, newSecret } from './secrets.ts';

export interface Credentials {
  username: string;
  password: string;
  /** Live token of the same person, whose session this login replaces. */
  token?: string | null;
}

/** A user name as it is stored. */
export const userName = (text: string): string => text.trim().toLowerCase();

/**
 * Opens a session. Unknown user, wrong password, inactive person and no access all do the same work and fail alike.
 * @throws UNAUTHENTICATED, RATE_LIMITED
 */
export async function login(context: Context, credentials: Credentials) {
  const idSistema = await context.system();
  const user = userName(credentials.username);
  await context.services.throttle.attempt(user, context.address);
  const em = context.services.orm.em.fork();
  const credencial = await verified(em, user, credentials.password);
  const opened =
    credencial &&
    (await writing(context, em => openSession(em, context, credencial, idSistema, credentials.token), {
      idPessoa: credencial.pessoa.id,
      idSistema,
    }));
  if (!opened) throw new AppError('UNAUTHENTICATED', { detail: messages.loginFailed });
  await context.services.throttle.succeeded(user, context.address);
  return opened;
}

async function verified(em: EntityManager, user: string, password: string): Promise<Credencial | null> {
  const credencial = await em.findOne(Credencial, { pessoa: { usuario: user } }, { populate: ['pessoa'] });
  const access = await em.findOne(AcessoAmbiente, { pessoa: { usuario: user }, situacao: 'A' });
  const matches = await verifyPassword(credencial?.senhaHash, password);
  return matches && access && credencial?.pessoa.situacao === 'A' ? credencial : null;
}

/** The new session; null when the password was changed since it was verified. */
async function openSession(
  em: EntityManager,
  context: Context,
  { id, senhaHash, pessoa }: Credencial,
  idSistema: number,
  replaced?: string | null,
) {
  // The lock makes a password change wait, which then ends this session too.
  const lock = { lockMode: LockMode.PESSIMISTIC_READ } as const;
  if (!(await em.findOne(Credencial, { id, senhaHash }, lock))) return null;
  if (replaced) await endReplaced(em, pessoa.id, replaced);
  const token = newSecret();
  const sistema = await em.findOneOrFail(Sistema, idSistema);
  const { expiraEm } = await createSession(em, context, { pessoa, sistema, tokenHash: digest(token) });
  const perfis = await activeProfiles(em, pessoa);
  const sistemas = [...new Set(perfis.map(perfil => perfil.sistema))].toSorted((a, b) => a.id - b.id);
  return { token, expiraEm, pessoa, sistema, perfis, sistemas };
}

const endReplaced = (em: EntityManager, pessoa: number, token: string): Promise<number> =>
  em.nativeUpdate(
    Sessao,
    { tokenHash: digest(token), pessoa, encerradaEm: null },
    { encerradaEm: sql.now() },
  );

/** Opened and expiring by the database's clock, by which it is judged. */
async function createSession(
  em: EntityManager,
  context: Context,
  of: Pick<Sessao, 'pessoa' | 'sistema' | 'tokenHash'>,
): Promise<Sessao> {
  const id = await em.insert(Sessao, {
    ...of,
    versaoAplicacao: context.header('appversion')?.slice(0, 50) ?? null,
    // A forwarded address is whatever the proxy passes on.
    endereco: context.address.slice(0, 45),
    expiraEm: sql<Date>`now() + make_interval(hours => ${context.services.config.TOKEN_HOURS})`,
    encerradaEm: null,
    criadoPor: of.pessoa.id,
    alteradoPor: of.pessoa.id,
  });
  return em.findOneOrFail(Sessao, id);
}
