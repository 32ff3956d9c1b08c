import { AppError } from '../errors.ts';
import { readAll, type Reader, type Statement } from '../database/reader.ts';
import { accessTexts } from './messages.ts';
import { networkOf } from './network.ts';
import { digest } from './secrets.ts';
import { AttemptQueue } from './attempt-queue.ts';

/** Allowed failures within the window (contract 10). */
const MOST = {
  /** For one account from one network. */
  pair: 5,
  /** For one account from all networks, except those from which it has logged in before. */
  account: 50,
  /** From one network for all accounts. */
  origin: 50,
} as const;
/**
 * Factor for accounts that have logged in from the network before, so that strangers in the same network cannot lock
 * these people out.
 */
const KNOWN_FACTOR = 10;

const WINDOW = '15 minutes';
/** An attempt that is older than this belongs to a process that died. */
const LEASE = '2 minutes';
/** How long a network counts as known for an account after a correct password. */
const REMEMBERED = '30 days';

/** An attempt to give a password or a code. */
export interface Guess {
  /** Kind of secret. Each kind has its own counters. */
  kind: 'login' | 'conta';
  account: string;
  address: string;
  /** A calling system with its own limit, which replaces the limit of the network. */
  system?: { id: number; failures: number } | undefined;
  /** Limits how long the attempt waits for a slot. */
  deadline: { check: () => void };
  /** What the attempt reads first. It is read after the slot is reserved, in the same trip. */
  first?: readonly Statement[];
}

/** An attempt that has a slot. */
export interface Attempt {
  /** Rows of the guess's `first`, by statement. */
  rows: unknown[][][];
  /** Values of `countedAsRight`. */
  right: readonly [id: string, pair: string];
  /**
   * Says that a statement of the work has counted the attempt as right. Without this call it is counted after the work has
   * ended, in a transaction of its own.
   */
  counted: () => void;
}

/** A reserved slot, with the rows of the guess's `first`. */
interface Slot {
  id: string;
  rows: unknown[][][];
}

/** Columns of `tentativa_senha` that identify the counters. */
const COUNTERS = ['par', 'conta', 'origem'] as const;
type Counter = (typeof COUNTERS)[number];
/** SHA-256 in hexadecimal, by counter. */
type Keys = Record<Counter, string>;

/**
 * Its commit does not wait for the disk. A database that stops may forget attempts that were still at work. That an attempt
 * has failed is on the disk before the client is told.
 */
const RESERVE = `select reservada as c0, cheia as c1, segundos as c2, set_config('synchronous_commit', 'off', true) as c3
from reservar_tentativa(
  decode($1, 'hex'), decode($2, 'hex'), decode($3, 'hex'), $4, $5, $6, $7, $8::interval, $9::interval, $10::interval)`;

/** Stores the failure anew if the database has forgotten the attempt. Another one may have got its id then. */
const FAILED = `with known as (
  update tentativa_senha set estado = 'falhou', momento = clock_timestamp()
  where id = $1 and par = decode($2, 'hex') returning id
) insert into tentativa_senha (par, conta, origem, estado, momento)
select decode($2, 'hex'), decode($3, 'hex'), decode($4, 'hex'), 'falhou', clock_timestamp()
where not exists (select from known)`;
/** Keeps an attempt whose success was committed although the answer to the commit was lost. */
const WITHDRAWN = `delete from tentativa_senha where id = $1 and par = decode($2, 'hex') and estado = 'em_curso'`;
/**
 * SQL that counts an attempt as right, by the parameters with these numbers: deletes the failures of the account from this
 * network, and stores that the network is known for the account.
 */
export const countedAsRight = (id: number, pair: number): string =>
  `acertar_tentativa($${id}, decode($${pair}, 'hex'))`;
const RIGHT = `select ${countedAsRight(1, 2)}`;

const FORGOTTEN = `delete from tentativa_senha where conta = decode($1, 'hex') and estado = 'falhou'`;
/** Forgets the failures of an account, which were guesses of a password that is no longer its password. */
export const forgetFailures = (reader: Reader, account: string): Promise<unknown[][]> =>
  reader.rows(FORGOTTEN, [keyOf('login', 'conta', account)]);

/**
 * Throttles password and code guessing. Failures are counted in the database, which all processes share. An attempt
 * reserves a slot before its password is checked, so that concurrent attempts cannot exceed the limit together. If all
 * slots are reserved, an attempt waits, because the running ones may succeed and release theirs.
 */
export class Throttle {
  readonly #waiting = new AttemptQueue();
  readonly #asking = new AttemptQueue();

  constructor(private readonly reader: Reader) {}

  /**
   * Runs an attempt. An error counts as a failure when `isWrong` returns true. Other errors do not say whether the
   * password was right, so they are not counted.
   * @throws RATE_LIMITED; UNAVAILABLE when no slot comes free in time
   */
  async guard<T>(
    guess: Guess,
    isWrong: (error: unknown) => boolean,
    work: (attempt: Attempt) => Promise<T>,
  ): Promise<T> {
    const keys = keysOf(guess);
    const { id, rows } = await this.#reserve(keys, guess);
    const right = [id, keys.par] as const;
    let isCounted = false;
    try {
      const result = await work({ rows, right, counted: () => (isCounted = true) });
      // The attempt has succeeded already. If this write fails, the slot expires after the lease.
      if (!isCounted) await this.reader.rows(RIGHT, right).catch(() => undefined);
      return result;
    } catch (error) {
      if (isWrong(error)) await this.reader.rows(FAILED, [...right, keys.conta, keys.origem]);
      else await this.reader.rows(WITHDRAWN, right).catch(() => undefined);
      throw error;
    } finally {
      for (const counter of COUNTERS) this.#waiting.free(keys[counter]);
    }
  }

  async #reserve(keys: Keys, { system, deadline, first }: Guess): Promise<Slot> {
    // The statement locks origin and account. Only one attempt of each waits for these locks in the database. The
    // others wait here without a connection.
    const ask = () =>
      this.#asking.take(keys.origem, () =>
        this.#asking.take(keys.conta, () => {
          deadline.check();
          return this.#ask(keys, system?.failures ?? MOST.origin, first);
        }),
      );
    const awaited = COUNTERS.find(counter => this.#waiting.isAwaited(keys[counter]));
    let place = awaited ? { full: awaited } : await ask();
    while ('full' in place) {
      const { full } = place;
      place = await this.#waiting.take(keys[full], async freed => {
        for (;;) {
          const next = await ask();
          if (!('full' in next) || next.full !== full) return next;
          await freed();
        }
      });
    }
    return place;
  }

  /** Reserves a slot. Returns it, or the counter whose slots are all reserved. @throws RATE_LIMITED */
  async #ask(
    { conta, par, origem }: Keys,
    fromOrigin: number,
    first: readonly Statement[] = [],
  ): Promise<Slot | { full: Counter }> {
    const most = [MOST.pair, MOST.account, fromOrigin, fromOrigin * KNOWN_FACTOR];
    const reserve = { text: RESERVE, values: [conta, par, origem, ...most, WINDOW, LEASE, REMEMBERED] };
    const [reserved, ...rows] = await readAll(this.reader, [reserve, ...first]);
    const [id, full, wait] = reserved![0] as [string | null, Counter, number | null];
    if (id !== null) return { id, rows };
    if (wait === null) return { full };
    const seconds = Math.max(1, Math.ceil(wait));
    throw new AppError('RATE_LIMITED', { detail: accessTexts.tooManyAttempts(seconds), retryAfter: seconds });
  }
}

/**
 * Hashed, because the user name may be a password typed into the wrong field. The parts are encoded as JSON, so that
 * different parts never give the same key.
 */
function keysOf({ kind, account, address, system }: Guess): Keys {
  const network = networkOf(address);
  return {
    conta: keyOf(kind, 'conta', account),
    par: keyOf(kind, 'par', account, network),
    origem: system ? keyOf(kind, 'sistema', system.id) : keyOf(kind, 'rede', network),
  };
}

const keyOf = (kind: Guess['kind'], ...parts: (string | number)[]): string =>
  digest(JSON.stringify([kind, ...parts])).toString('hex');
