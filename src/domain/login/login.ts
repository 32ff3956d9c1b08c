import type { Context } from '../../request/context.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLocked } from '../../database/errors.ts';
import { AppError } from '../../errors.ts';
import { fieldMessages, type Text } from '../../messages.ts';
import { accountTexts } from '../messages.ts';
import { candidateOf, candidateOfUser, openedOf, openSession, type Candidate } from './entering.ts';
import type { Attempt } from '../../access/throttle.ts';
import { verifyPassword } from '../../access/passwords.ts';
import type { SystemToConfirm } from '../../request/sent-system.ts';
import { writingAlone } from '../../request/writing.ts';
import { digest, newSecret } from '../../access/secrets.ts';
import { normalised } from '../../text/normalised.ts';

export interface Credentials {
  username: string;
  password: string;
  /** Live token of the same person. The login ends its session. */
  token?: string | null;
}

/** What is wrong with a new password of a user, apart from its length. White space at its ends hides nothing. */
export function passwordError(password: string, user: string): Text | undefined {
  const bare = normalised(password);
  if (bare === '') return fieldMessages.notBlank;
  return bare === user ? accountTexts.notUserName : undefined;
}

/** Opens a session and counts the outcome in the metrics. @throws UNAUTHENTICATED, RATE_LIMITED */
export const login = (context: Context, credentials: Credentials) =>
  context.services.metrics.login(open(context, credentials));

/**
 * An unknown user, a wrong password, an inactive person and a person without access all cost the same work and get the
 * same error, so that a client cannot distinguish them.
 */
async function open(context: Context, credentials: Credentials) {
  const { caller, trace, services } = context;
  const opened = await caller.system
    .confirmed(toConfirm => openThrough(context, credentials, toConfirm))
    .catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'RATE_LIMITED') services.refusals.limited();
      throw error;
    });
  trace.idPessoa = opened.pessoa.id;
  return opened;
}

function openThrough(context: Context, credentials: Credentials, toConfirm: SystemToConfirm) {
  const { id, limiteFalhas } = toConfirm.system;
  const account = normalised(credentials.username);
  const { address, deadline } = context;
  const system = limiteFalhas === null ? undefined : { id, failures: limiteFalhas };
  const first = [candidateOfUser(account), ...(toConfirm.statement ? [toConfirm.statement] : [])];
  const guess = { kind: 'login', account, address, system, deadline, first } as const;
  return context.services.throttle.guard(guess, isWrong, async attempt => {
    const [candidates, systems] = attempt.rows;
    await toConfirm.confirm?.(systems!);
    return attemptAs(context, account, credentials, id, { ...attempt, found: candidateOf(candidates!) });
  });
}

const isWrong = (error: unknown): boolean => error instanceof AppError && error.code === 'UNAUTHENTICATED';

async function attemptAs(
  context: Context,
  user: string,
  credentials: Credentials,
  idSistema: number,
  { found, right, counted }: Attempt & { found: Candidate | undefined },
) {
  const candidate = await verified(context, user, found, credentials.password);
  const opened =
    candidate && (await enter(context, candidate, { idSistema, right, replaced: credentials.token }));
  if (opened) {
    counted();
    return opened;
  }
  context.services.refusals.login(context, user, found?.id);
  throw new AppError('UNAUTHENTICATED', { detail: accountTexts.loginFailed });
}

/** Verifies the password: that of this service if the person has one, otherwise that of the directory. */
async function verified(
  context: Context,
  user: string,
  candidate: Candidate | undefined,
  password: string,
): Promise<Candidate | undefined> {
  const { people } = context.services.directory;
  const hash = candidate?.senhaHash ?? undefined;
  const [own, theirs] = await Promise.all([
    verifyPassword(hash, password),
    hash ? people?.verify(null, password).catch(() => false) : people?.verify(user, password),
  ]);
  return (hash ? own : theirs) && candidate?.mayEnter ? candidate : undefined;
}

/** What a login needs besides the person. */
interface Entry {
  idSistema: number;
  right: Attempt['right'];
  replaced: string | null | undefined;
}

/** Opens the session; undefined when the password or the access has changed since they were read. */
async function enter(context: Context, candidate: Candidate, { idSistema, right, replaced }: Entry) {
  const { id, nome, email } = candidate;
  const token = newSecret();
  const opening = openSession(candidate, {
    idSistema,
    tokenHash: digest(token),
    versaoAplicacao: context.header('appversion')?.slice(0, 50) ?? null,
    endereco: context.address,
    hours: context.services.config.TOKEN_HOURS,
    right,
    replaced: replaced ? digest(replaced) : undefined,
  });
  const author = { idPessoa: id, idSistema };
  const opened = openedOf(
    await whenUnlocked(() =>
      writingAlone({ context }, { author, lane: 'login', locks: [['person', id]] }, opening),
    ),
  );
  if (!opened) return undefined;
  const { expiraEm, sigla, perfis } = opened;
  const systems = new Map(perfis.map(({ sistema }) => [sistema.id, sistema]));
  return {
    token,
    expiraEm,
    pessoa: { id, nome, email },
    sistema: { id: idSistema, sigla },
    perfis,
    sistemas: [...systems.values()].toSorted((a, b) => a.id - b.id),
  };
}

/** Longest wait for the person's rows, which an import of people may have locked, and first and longest pause. */
const WAIT_MS = { all: 10_000, first: 50, most: 1_000 };

/** Repeats the attempt while others have locked the rows. In the pauses it keeps neither a connection nor a place. */
async function whenUnlocked<T>(attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + WAIT_MS.all;
  for (let pause = WAIT_MS.first; ; pause = Math.min(2 * pause, WAIT_MS.most)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLocked(error) || performance.now() > end) throw error;
    }
    await sleep(pause);
  }
}
