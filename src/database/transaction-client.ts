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
 * Saves trips at both ends of a transaction. `begin` is sent together with the opening and with the statement after it, if
 * that comes at once. Any other first statement waits until the transaction has begun, because outside it would take effect
 * at once.
 *
 * If `begin` or `rollback` fails, the connection is closed and the error is ignored: the next statement fails, and the
 * transaction is gone. Otherwise Kysely would not return the connection, and the pool would run out.
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
    else if (statement === 'commit' && this.#after) return this.#commit(rest, this.#after);
    else if (this.#begins) return this.#begin(statement, rest);
    else if (this.#opened) return this.#opened.then(() => this.send(statement, rest));
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
        if (this.#opening) inBackground(this.#open(this.#opening), ignored);
      });
  }

  async #begin(statement: unknown, rest: unknown[]): Promise<unknown> {
    const opening = this.#opening;
    const next = joining(statement, rest);
    if (opening && next) return this.#open(opening, next);
    this.#begins = false;
    if (!opening && ENDS.has(statement)) return EMPTY;
    await (opening
      ? this.#open(opening).catch(ignored)
      : this.orClose(this.send('begin') as Promise<unknown>));
    return this.send(statement, rest);
  }

  /** Begins with these statements. Returns the result of the last one. */
  async #open({ first, resolve, reject }: Opening, next?: Named | Unnamed): Promise<unknown> {
    this.#begins = false;
    this.#opening = undefined;
    let ended = 0;
    const sent = this.batch(next ? [BEGIN, first, next] : [BEGIN, first], ({ rows }) => {
      if (++ended === 2) resolve(rows);
    });
    this.#opened = sent.then(ignored, ignored).finally(() => (this.#opened = undefined));
    try {
      return (await sent).at(-1);
    } catch (error) {
      // Otherwise what follows would take effect at once.
      if (ended === 0) this.closeAtOnce();
      reject(error);
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
