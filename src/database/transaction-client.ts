import { AsyncLocalStorage } from 'node:async_hooks';
import { ignored, inBackground } from '../runtime/background.ts';
import { BEGIN, ENDS, joining, type Unnamed } from './batch-query.ts';
import type { Named } from './named-query.ts';
import { takeOpening, type Opening } from './opening.ts';
import { EMPTY, PreparingClient } from './preparing-client.ts';

/**
 * Prefix of a statement that is sent together with the commit of its transaction, and runs after it. If it fails, the
 * transaction stays committed.
 */
export const AFTER_COMMIT = '/* after commit */ ';

/** Runs code of no request. */
const apart = AsyncLocalStorage.snapshot();

/**
 * Saves trips at both ends of a transaction. `begin` is sent together with the opening and with the statement after it, as
 * one batch. Statements that a batch cannot take, or that come before its answer, wait until the transaction has begun,
 * because outside it they would take effect at once.
 *
 * If `begin` or `rollback` fails, the connection is closed: the next statement fails, and the transaction is gone. Otherwise
 * Kysely would not return the connection, and the pool would run out.
 */
export class TransactionClient extends PreparingClient {
  /** Whether `begin` waits for the next statement. */
  #begins = false;
  /** What waits with it. */
  #opening: Opening | undefined;
  /** Resolves when the statements that were sent with `begin` have ended. */
  #opened: Promise<void> | undefined;
  /** Statement to send with the next `commit`. */
  #after: (() => unknown) | undefined;

  protected override take(statement: unknown, ...rest: unknown[]): unknown {
    if (statement === 'begin') this.#hold();
    else if (typeof statement === 'string' && statement.startsWith(AFTER_COMMIT))
      this.#after = () => this.send(statement, rest);
    else if (this.#begins) return this.#begin(statement, rest);
    else if (this.#opened) return this.#opened.then(() => this.take(statement, ...rest));
    else if (statement === 'commit' && this.#after) return this.#commit(rest, this.#after);
    else return this.send(statement, rest);
    return Promise.resolve(EMPTY);
  }

  /** Holds `begin` until the next statement comes, and not longer than the code that runs now if it has an opening. */
  #hold(): void {
    this.#after = undefined;
    this.#begins = true;
    this.#opening = takeOpening();
    if (this.#opening)
      process.nextTick(() => {
        if (this.#opening) inBackground(this.#start(), ignored);
      });
  }

  #begin(statement: unknown, rest: unknown[]): unknown {
    const next = joining(statement, rest);
    if (next) return this.#start(next);
    if (!this.#opening && ENDS.has(statement)) {
      this.#begins = false;
      return Promise.resolve(EMPTY);
    }
    inBackground(this.#start(), ignored);
    return this.take(statement, ...rest);
  }

  /** Begins with the opening, if there is one, and with this statement. Returns the result of the last one. */
  async #start(next?: Named | Unnamed): Promise<unknown> {
    const opening = this.#opening;
    this.#begins = false;
    this.#opening = undefined;
    let ended = 0;
    const first = opening ? ([BEGIN, opening.first] as const) : ([BEGIN] as const);
    const sent = this.batch(next ? [...first, next] : first, ({ rows }) => {
      if (++ended === 2) opening?.resolve(rows);
    });
    this.#opened = sent.then(ignored, ignored).finally(() => (this.#opened = undefined));
    try {
      return (await sent).at(-1);
    } catch (error) {
      // Otherwise what follows would take effect at once.
      if (ended === 0) this.closeAtOnce();
      opening?.reject(error);
      throw error;
    }
  }

  async #commit(rest: unknown[], after: () => unknown): Promise<unknown> {
    this.#after = undefined;
    const { stream } = this.wire;
    stream.cork();
    const committed = this.send('commit', rest);
    // The request counts the wait for the commit, which is the same.
    const done = apart(() => after() as Promise<unknown>);
    stream.uncork();
    await Promise.allSettled([committed, done]);
    return committed;
  }
}
