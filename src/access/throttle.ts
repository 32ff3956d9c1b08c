import { AppError } from '../errors.ts';
import type { Reader } from '../database/reader.ts';
import { messages } from '../messages.ts';
import { networkOf } from './network.ts';
import { digest } from './secrets.ts';
import { Turns } from './turns.ts';

/** How many failures are allowed within the window (contract 10). */
const MOST = {
  /** Of an account from one network. */
  pair: 5,
  /** Of an account over all networks, but for those that know it. */
  account: 50,
  /** From one network over all accounts. */
  origin: 50,
} as const;
/** How much more a network may fail with accounts that it knows: who strangers fail as must not keep them out. */
const KNOWN_FACTOR = 10;

const WINDOW = '15 minutes';
/** An attempt that takes longer belongs to a process that died. */
const LEASE = '2 minutes';
/** How long a network knows an account that gave the right password there. */
const REMEMBERED = '30 days';

/** Somebody who gives a password or a code. */
export interface Guess {
  /** What is guessed: each kind has counts of its own. */
  kind: 'login' | 'conta';
  account: string;
  address: string;
  /** A calling system with a limit of its own, which then counts instead of the network. */
  system?: { id: number; failures: number } | undefined;
  /** Bounds the wait for a place. */
  deadline: { check: () => void };
}

/** Columns of `tentativa_senha` by which attempts are counted. */
const COUNTERS = ['par', 'conta', 'origem'] as const;
type Counter = (typeof COUNTERS)[number];
/** SHA-256 each, in hexadecimal. */
type Keys = Record<Counter, string>;

const RESERVE = `select reservada as c0, cheia as c1, segundos as c2 from reservar_tentativa(
  decode($1, 'hex'), decode($2, 'hex'), decode($3, 'hex'), $4, $5, $6, $7, $8::interval, $9::interval, $10::interval)`;

const FAILED = `update tentativa_senha set estado = 'falhou', momento = clock_timestamp() where id = $1`;
const WITHDRAWN = 'delete from tentativa_senha where id = $1';
/** From here the account starts anew, and the network knows it. */
const RIGHT = `with done as (
  delete from tentativa_senha where id in (
    select id from tentativa_senha where par = decode($2, 'hex') and estado <> 'em_curso' for update skip locked)
)
update tentativa_senha set estado = 'entrou', momento = clock_timestamp() where id = $1`;

/**
 * Bounds how often passwords and codes can be guessed. Failures are counted in the database, so that all processes
 * share the counts. An attempt takes a place before its password is looked at: those in flight never let more through
 * than may fail. Where all places are taken an attempt waits, since those in flight may be right.
 */
export class Throttle {
  readonly #turns = new Turns();
  readonly #asking = new Turns();

  constructor(private readonly reader: Reader) {}

  /**
   * Does the work of an attempt. What it throws is a failure when `isWrong` says so; after any other error nobody
   * knows whether the password was right, and nothing is counted.
   * @throws RATE_LIMITED; UNAVAILABLE when no place comes free in time
   */
  async guard<T>(guess: Guess, isWrong: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> {
    const keys = keysOf(guess);
    const id = await this.#reserve(keys, guess);
    try {
      const result = await work();
      // The work is done: what is not counted now is given up after the lease.
      await this.#settle(keys, RIGHT, [id, keys.par]).catch(() => undefined);
      return result;
    } catch (error) {
      if (isWrong(error)) await this.#settle(keys, FAILED, [id]);
      else await this.#settle(keys, WITHDRAWN, [id]).catch(() => undefined);
      throw error;
    }
  }

  async #reserve(keys: Keys, { system, deadline }: Guess): Promise<string> {
    // The statement locks origin and account: one of each waits for that in the database, the others wait here.
    const ask = () =>
      this.#asking.take(keys.origem, () =>
        this.#asking.take(keys.conta, () => {
          deadline.check();
          return this.#ask(keys, system?.failures ?? MOST.origin);
        }),
      );
    const awaited = COUNTERS.find(counter => this.#turns.isAwaited(keys[counter]));
    let place = awaited ? { full: awaited } : await ask();
    while ('full' in place) {
      const { full } = place;
      place = await this.#turns.take(keys[full], async freed => {
        for (;;) {
          const next = await ask();
          if (!('full' in next) || next.full !== full) return next;
          await freed();
        }
      });
    }
    return place.id;
  }

  /** A place, or the counter that attempts in flight fill. @throws RATE_LIMITED */
  async #ask({ conta, par, origem }: Keys, fromOrigin: number): Promise<{ id: string } | { full: Counter }> {
    const most = [MOST.pair, MOST.account, fromOrigin, fromOrigin * KNOWN_FACTOR];
    const [row] = await this.reader.rows(RESERVE, [conta, par, origem, ...most, WINDOW, LEASE, REMEMBERED]);
    const [id, full, wait] = row as [string | null, Counter, number | null];
    if (id !== null) return { id };
    if (wait === null) return { full };
    const seconds = Math.max(1, Math.ceil(wait));
    throw new AppError('RATE_LIMITED', { detail: messages.tooManyAttempts(seconds), retryAfter: seconds });
  }

  async #settle(keys: Keys, statement: string, values: readonly unknown[]): Promise<void> {
    await this.reader.rows(statement, values);
    for (const counter of COUNTERS) this.#turns.free(keys[counter]);
  }
}

/**
 * Keys that cannot collide whatever was typed, and do not tell it: it may be a password in the wrong place. A user
 * name and an address in one text could be another user name.
 */
function keysOf({ kind, account, address, system }: Guess): Keys {
  const network = networkOf(address);
  const key = (...parts: (string | number)[]): string =>
    digest(JSON.stringify([kind, ...parts])).toString('hex');
  return {
    conta: key('conta', account),
    par: key('par', account, network),
    origem: system ? key('sistema', system.id) : key('rede', network),
  };
}
