import { sql } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../context.ts';
import { Sessao } from '../entities/permissoes/sessao.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { transactionReader } from '../listing/reader.ts';
import { messages } from '../messages.ts';
import { findCandidate, openSession, type Candidate } from './entering.ts';
import { verifyPassword } from './passwords.ts';
import { activeProfiles } from './profiles.ts';
import { writingAs } from '../domain/writing.ts';
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
  const candidate = await verified(context, user, password);
  return (
    candidate &&
    writingAs(
      context,
      {
        author: { idPessoa: candidate.id, idSistema },
        lane: 'login',
        wants: [['person', candidate.id]],
      },
      em => enter(em, context, candidate, idSistema, token),
    )
  );
}

/** Whoever has a password of this service logs in by that; the directory is asked about everybody else, if it has passwords. */
async function verified(context: Context, user: string, password: string): Promise<Candidate | undefined> {
  const candidate = await findCandidate(context.services.listing.reader, user);
  const { people } = context.services.directory;
  const hash = candidate?.senhaHash ?? undefined;
  const [own, theirs] = await Promise.all([
    verifyPassword(hash, password),
    hash ? people?.verify(null, password).catch(() => false) : people?.verify(user, password),
  ]);
  return (hash ? own : theirs) && candidate?.mayEnter ? candidate : undefined;
}

/** The new session; undefined when the password was changed or the access taken since they were looked at. */
async function enter(
  em: EntityManager,
  context: Context,
  candidate: Candidate,
  idSistema: number,
  replaced?: string | null,
) {
  const reader = transactionReader(em);
  const token = newSecret();
  const opened = await openSession(reader, candidate, {
    idSistema,
    tokenHash: digest(token),
    versaoAplicacao: context.header('appversion')?.slice(0, 50) ?? null,
    // A forwarded address is whatever the proxy passes on.
    endereco: context.address.slice(0, 45),
    hours: context.services.config.TOKEN_HOURS,
  });
  if (!opened) return undefined;
  const { id, nome, email } = candidate;
  if (replaced) await endReplaced(em, id, replaced);
  const perfis = await activeProfiles(reader, id);
  const systems = new Map(perfis.map(({ sistema }) => [sistema.id, sistema]));
  const { expiraEm, sigla } = opened;
  return {
    token,
    expiraEm,
    pessoa: { id, nome, email },
    sistema: { id: idSistema, sigla },
    perfis,
    sistemas: [...systems.values()].toSorted((a, b) => a.id - b.id),
  };
}

const endReplaced = (em: EntityManager, pessoa: number, token: string): Promise<number> =>
  em.nativeUpdate(
    Sessao,
    { tokenHash: digest(token), pessoa, encerradaEm: null },
    { encerradaEm: sql.now() },
  );
