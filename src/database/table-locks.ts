import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { OperatorError } from '../errors.ts';
import { isLocked } from './errors.ts';
import { END_HOLDER, HOLDER } from './locks.ts';

/**
 * Longest wait of one attempt for a table, in milliseconds. Requests for the table queue behind it, so it is much
 * shorter than their own limit.
 */
export const ATTEMPT_MS = 500;
/** Pause between two attempts, in which the queued requests are answered. */
const PAUSE_MS = 2_000;
/**
 * Interval at which to check who holds the table. This is visible only while a statement waits, so it is a fraction of
 * an attempt.
 */
const LOOK_MS = 150;

/** Whether a statement failed because it did not get a lock in time, or was ended in a deadlock. */
export const lacksLock = (error: unknown): boolean =>
  isLocked(error) || (error as { code?: unknown }).code === '40P01';

/** How to wait for locks on tables that requests use. */
export interface Patience {
  /** Name of the connections that wait (`application_name`). No other connection of the database has it. */
  waiter: string;
  /** Connection that checks who holds the tables. */
  observer: Client;
  log: Logger;
  /** Longest time of all attempts together, in milliseconds. */
  totalMs: number;
  /** Ends the wait between two attempts. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs work that locks tables. It is repeated until no attempt waits too long for a lock. The work must change nothing
 * when it fails, and its connection must have `ATTEMPT_MS` as its `lock_timeout`.
 * @throws OperatorError that names the holders, after the total time
 */
export async function withTableLocks(
  { waiter, observer, log, totalMs, signal }: Patience,
  work: () => Promise<unknown>,
): Promise<void> {
  const end = performance.now() + totalMs;
  let lastLogged = '';
  for (;;) {
    const holders = new Holders(observer, waiter);
    try {
      await work();
      return;
    } catch (error) {
      if (!lacksLock(error)) throw error;
      if (performance.now() + PAUSE_MS > end) throw stillLocked(holders.text, error);
      if (holders.text !== lastLogged)
        log.warn({ holders: (lastLogged = holders.text) }, 'waiting for locked tables');
    } finally {
      await holders.stop();
    }
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

const HOLDERS = `select string_agg(distinct ${HOLDER}, ', ') as holders
  from pg_stat_activity w, unnest(pg_blocking_pids(w.pid)) b join pg_stat_activity h on h.pid = b
  where w.application_name = $1 and w.datname = current_database()`;

/** Checks during an attempt who holds the lock that it waits for. */
class Holders {
  text = 'other transactions';
  readonly #timer: NodeJS.Timeout;
  #look: Promise<void> | undefined;

  constructor(
    private readonly observer: Client,
    private readonly waiter: string,
  ) {
    this.#timer = setInterval(() => {
      this.#look ??= this.#see();
    }, LOOK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#look;
  }

  async #see(): Promise<void> {
    // The holders are only for the log. If they cannot be read, the attempt continues.
    const { rows } = await this.observer
      .query<{ holders: string | null }>(HOLDERS, [this.waiter])
      .catch(() => ({ rows: [] }));
    this.text = rows[0]?.holders ?? this.text;
    this.#look = undefined;
  }
}

const stillLocked = (holders: string, cause: unknown): OperatorError =>
  new OperatorError(
    `Tables that must be changed are in use for too long, by ${holders}. Wait until that work ends, or end it with: ${END_HOLDER}. Then start again: what was migrated stays, the rest follows.`,
    { cause },
  );
