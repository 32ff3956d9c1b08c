import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client, QueryConfig } from 'pg';
import { ignored, inBackground } from '../runtime/background.ts';
import { timed } from '../runtime/trace.ts';
import { isLost, UnknownOutcome } from './errors.ts';
import { takeOpening, type Opening } from './opening.ts';
import { PrimaryClient, type PrimaryConfig } from './primary.ts';
import { BatchQuery, type Unnamed } from './batch-query.ts';
import { forgetColumns, NamedQuery, type Named, type Result } from './named-query.ts';
import { observed, observing, type Callback } from './observed.ts';
import type { NoteStatement } from './slow-statements.ts';
import { isOutdated, knownName, markUsed, PREFIX, renewStatements } from './statement-names.ts';

/**
 * Members that the driver does not declare: the socket, and the prepared statements. It has no public way to forget
 * one.
 */
interface Preparing {
  connection: {
    stream: { cork(): void; uncork(): void };
    parsedStatements: Record<string, string>;
    close(statement: { type: 'S'; name: string }): void;
  };
}

/**
 * Prefix of a statement that is sent together with the commit of its transaction, and runs after it. If it fails, the
 * transaction stays committed.
 */
export const AFTER_COMMIT = '/* after commit */ ';

/** It returns nothing, so it is never outdated. */
const BEGIN: Named = { name: 'begin', text: 'begin', values: [] };

/** The end of a transaction. */
const ENDS = new Set<unknown>(['commit', 'rollback']);

/** The driver's `query` method. */
type Ask = (statement: unknown, ...rest: unknown[]) => unknown;

const EMPTY = { rows: [] };

/** Runs code of no request. */
const apart = AsyncLocalStorage.snapshot();

const here = <T>(run: () => T): T => run();

/** A pool setting that is passed to its connections. */
export interface NoteOption {
  note?: NoteStatement | undefined;
}

/**
 * Runs named statements as prepared ones, also when a library passes only the text. Their rows are arrays.
 *
 * `begin` is sent together with the opening of its transaction and with the statement after it, if that comes at once, which
 * saves two trips. Any other first statement waits until the transaction has begun, because outside it would take effect
 * at once.
 *
 * If `begin` or `rollback` fails, the connection is closed and the error is ignored: the next statement fails, and the
 * transaction is gone. Otherwise Kysely would not return the connection, and the pool would run out.
 *
 * A connection that is lost or silent for too long is closed at once, because a `rollback` would wait just as long. If
 * this happens during a `commit`, its outcome is unknown.
 */
export class PreparingClient extends PrimaryClient {
  /** The composed statements that this connection has prepared, by last use. */
  readonly #composed = new Map<string, true>();
  /** Whether `begin` waits for the next statement. */
  #begins = false;
  /** What waits with it. */
  #opening: Opening | undefined;
  /** Resolves when the statements that were sent with `begin` have ended. */
  #opened: Promise<void> | undefined;
  /** Statement to send with the next `commit`. */
  #after: (() => unknown) | undefined;

  readonly #note: NoteStatement | undefined;
  /** The driver's own. */
  readonly #ask: Ask;

  constructor(config?: PrimaryConfig & NoteOption) {
    super(config);
    this.#note = config?.note;
    const query = (this.#ask = this.query.bind(this) as Ask);
    this.query = ((...sent: Parameters<Ask>) => this.#query(query, ...sent)) as Client['query'];
  }

  #query(query: Ask, statement: unknown, ...rest: unknown[]): unknown {
    if (statement === 'begin') this.#hold();
    else if (typeof statement === 'string' && statement.startsWith(AFTER_COMMIT))
      this.#after = () => this.#send(query, statement, rest);
    else if (statement === 'commit' && this.#after) return this.#commit(query, rest, this.#after);
    else if (this.#begins) return this.#begin(query, statement, rest);
    else if (this.#opened) return this.#opened.then(() => this.#send(query, statement, rest));
    else return this.#send(query, statement, rest);
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

  async #begin(query: Ask, statement: unknown, rest: unknown[]): Promise<unknown> {
    const opening = this.#opening;
    const next = joining(statement, rest);
    if (opening && next) return this.#open(opening, next);
    this.#begins = false;
    if (!opening && ENDS.has(statement)) return EMPTY;
    await (opening
      ? this.#open(opening).catch(ignored)
      : timed(this.#orClose(query('begin') as Promise<unknown>)));
    return this.#send(query, statement, rest);
  }

  /** Begins with these statements. Returns the result of the last one. */
  async #open({ first, resolve, reject }: Opening, next?: Named | Unnamed): Promise<unknown> {
    this.#begins = false;
    this.#opening = undefined;
    let ended = 0;
    const sent = this.#batch(next ? [BEGIN, first, next] : [BEGIN, first], ({ rows }) => {
      if (++ended === 2) resolve(rows);
    });
    this.#opened = sent.then(ignored, ignored).finally(() => (this.#opened = undefined));
    try {
      return (await sent).at(-1);
    } catch (error) {
      // Otherwise what follows would take effect at once.
      if (ended === 0) this.#close();
      reject(error);
      throw error;
    }
  }

  async #commit(query: Ask, rest: unknown[], after: () => unknown): Promise<unknown> {
    this.#after = undefined;
    const { stream } = (this as unknown as Preparing).connection;
    stream.cork();
    const committed = this.#send(query, 'commit', rest);
    // The request counts the wait for the commit, which is the same.
    const done = apart(() => after() as Promise<unknown>);
    stream.uncork();
    await Promise.allSettled([committed, done]);
    return committed;
  }

  #send(query: Ask, statement: unknown, rest: unknown[]): unknown {
    const isText = typeof statement === 'string';
    const name = isText ? knownName(statement) : (statement as QueryConfig).name;
    if (name?.startsWith(PREFIX.composed)) this.#keep(name);
    const text = isText ? statement : (statement as QueryConfig).text;
    // The pool's own queries come with a callback.
    let last = rest.at(-1);
    if (typeof last === 'function') {
      last = observing(text, last as Callback, this.#note);
      rest = [...rest.slice(0, -1), last];
    }
    const named = name && (isText ? { name, text, values: rest[0] as unknown[] } : (statement as Named));
    const sent = named ? ask(query, new NamedQuery(named), last) : query(statement, ...rest);
    if (!(sent instanceof Promise)) return sent;
    const result = observed(text, sent, this.#note);
    if (statement === 'rollback') return this.#orClose(result);
    return result.catch(error => this.#fail(statement, error, name));
  }

  /** The rows of several statements, in one trip and one transaction. Call it outside of other transactions. */
  async together(statements: readonly Named[]): Promise<unknown[][][]> {
    return (await this.#batch(statements as [Named], ignored)).map(({ rows }) => rows);
  }

  /**
   * Sends statements in one trip. PostgreSQL runs none of them after one that has failed. `ended` is called with the
   * result of each.
   */
  async #batch(
    statements: readonly [...Named[], Named | Unnamed],
    ended: (result: Result) => void,
  ): Promise<Result[]> {
    const ends = statements.map(({ name, text, within = here }: Partial<Named> & { text: string }) => {
      if (name?.startsWith(PREFIX.composed)) this.#keep(name);
      return within(() => observing(text, ignored, this.#note));
    });
    const sent = new BatchQuery(statements, (index, result) => {
      ends[index]!(null);
      ended(result);
    });
    try {
      return (await timed(ask(this.#ask, sent, undefined) as Promise<unknown>)) as Result[];
    } catch (error) {
      for (const end of ends.slice(sent.running)) end(error);
      return this.#fail(undefined, error, statements[sent.running]?.name);
    }
  }

  /** Marks a composed statement as used, and evicts the oldest one, also on the server. */
  #keep(name: string): void {
    const oldest = markUsed(this.#composed, name, true);
    if (oldest === undefined) return;
    const { connection } = this as unknown as Preparing;
    connection.close({ type: 'S', name: oldest });
    delete connection.parsedStatements[oldest];
    forgetColumns(connection, oldest);
  }

  async #orClose(result: Promise<unknown>): Promise<unknown> {
    try {
      return await result;
    } catch {
      this.#close();
      return EMPTY;
    }
  }

  #fail(statement: unknown, error: unknown, name: string | undefined): never {
    if (name && isOutdated(error)) renewStatements(name);
    if (!isLost(error)) throw error;
    this.#close();
    throw statement === 'commit' ? UnknownOutcome.of(error) : error;
  }

  #close(): void {
    inBackground(this.end(), ignored);
  }
}

/** A statement of a transaction, if a batch can take it. Without a name it must be a single one, not the end. */
function joining(statement: unknown, [values]: unknown[]): Named | Unnamed | undefined {
  if (typeof statement !== 'string' || ENDS.has(statement)) return undefined;
  const name = knownName(statement);
  const sent = { text: statement, values: (values ?? []) as readonly unknown[] };
  if (name !== undefined) return { ...sent, name };
  return statement.includes(';') ? undefined : sent;
}

/** Without a callback it returns a promise, like the driver. */
const ask = (query: Ask, statement: NamedQuery | BatchQuery, callback: unknown): unknown =>
  typeof callback === 'function'
    ? query(statement, callback)
    : new Promise((resolve, reject) => {
        query(statement, (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)));
      });
