import { LockMode, sql } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../context.ts';
import { AcessoAmbiente } from '../entities/permissoes/acesso-ambiente.ts';
import { Credencial } from '../entities/permissoes/credencial.ts';
import { Pessoa } from '../entities/permissoes/pessoa.ts';
import { Sessao } from '../entities/permissoes/sessao.ts';
import { Sistema } from '../entities/permissoes/sistema.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { transactionReader } from '../listing/reader.ts';
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

/** Opens a session, which is counted either way. @throws UNAUTHENTICATED, RATE_LIMITED */
export const login = (context: Context, credentials: Credentials) =>
  context.services.metrics.login(open(context, credentials));

/**
 * Unknown user, wrong password, inactive person and no access all do the same work and fail alike.
 */
async function open(context: Context, credentials: Credentials) {
  const user = userName(credentials.username);
  try {
    return await attempt(context, user, credentials);
  } catch (error) {
    if (error instanceof AppError && REFUSALS.has(error.code)) context.services.refusals.login(context, user);
    throw error;
  }
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'RATE_LIMITED']);

async function attempt(context: Context, user: string, credentials: Credentials) {
  const idSistema = await context.system();
  const { throttle } = context.services;
  await throttle.attempt(user, context.address);
  const opened = await tryToOpen(context, user, credentials, idSistema).catch(async (error: unknown) => {
    // Whom nobody could ask about has not failed.
    await throttle.forgive(user, context.address).catch(() => undefined);
    throw error;
  });
  if (!opened) throw new AppError('UNAUTHENTICATED', { detail: messages.loginFailed });
  context.trace.idPessoa = opened.pessoa.id;
  await throttle.succeeded(user, context.address);
  return opened;
}

/** The new session, if the password is right and its person may enter. */
async function tryToOpen(
  context: Context,
  user: string,
  { password, token }: Credentials,
  idSistema: number,
) {
  const person = await verified(context, user, password);
  return (
    person &&
    writing(context, em => openSession(em, context, person, idSistema, token), {
      idPessoa: person.pessoa.id,
      idSistema,
    })
  );
}

/** A person whose password was verified, and how to find out, under a lock, that it is still the same. */
interface Verified {
  pessoa: Pessoa;
  isStill: (em: EntityManager) => Promise<boolean>;
}

/** A lock that makes a password change wait, which then ends the session that is opened meanwhile, too. */
const lock = { lockMode: LockMode.PESSIMISTIC_READ } as const;

/** Whoever has a password of this service logs in by that; the directory is asked about everybody else, if it has passwords. */
async function verified(context: Context, user: string, password: string): Promise<Verified | null> {
  const em = context.services.orm.em.fork();
  const credencial = await em.findOne(Credencial, { pessoa: { usuario: user } }, { populate: ['pessoa'] });
  const { people } = context.services.directory;
  const pessoa = credencial?.pessoa ?? (people ? await em.findOne(Pessoa, { usuario: user }) : null);
  const access = await em.findOne(AcessoAmbiente, { pessoa: { usuario: user }, situacao: 'A' });
  const [own, theirs] = await Promise.all([
    verifyPassword(credencial?.senhaHash, password),
    credencial ? people?.verify(null, password).catch(() => false) : people?.verify(user, password),
  ]);
  if (!(credencial ? own : theirs) || !access || pessoa?.situacao !== 'A') return null;
  return { pessoa, isStill: credencial ? sameHash(credencial) : sameChange(pessoa) };
}

const sameHash =
  ({ id, senhaHash }: Credencial) =>
  async (em: EntityManager): Promise<boolean> =>
    (await em.findOne(Credencial, { id, senhaHash }, lock)) !== null;

const sameChange =
  ({ id, senhaAlteradaEm }: Pessoa) =>
  async (em: EntityManager): Promise<boolean> =>
    (await em.findOne(Pessoa, { id, senhaAlteradaEm }, lock)) !== null;

/** Locked, so that whoever takes the access waits and then ends the session that is opened meanwhile, too. */
const MAY_ENTER = `
select a.id as c0 from acesso_ambiente a join pessoa p on p.id = a.id_pessoa
where p.id = $1 and p.situacao = 'A' and a.situacao = 'A' for share`;

const mayEnter = async (em: EntityManager, { id }: Pessoa): Promise<boolean> =>
  (await transactionReader(em).rows(MAY_ENTER, [id])).length > 0;

/** The new session; null when the password was changed or the access taken since they were looked at. */
async function openSession(
  em: EntityManager,
  context: Context,
  { pessoa, isStill }: Verified,
  idSistema: number,
  replaced?: string | null,
) {
  if (!(await isStill(em)) || !(await mayEnter(em, pessoa))) return null;
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
