import type { Client, QueryConfig } from 'pg';
import { ignored, inBackground } from '../runtime/background.ts';
import { timed } from '../runtime/trace.ts';
import { isLost, UnknownOutcome } from './errors.ts';
import { PrimaryClient, type PrimaryConfig } from './primary.ts';
import { BatchQuery, type Unnamed } from './batch-query.ts';
import { forgetColumns, NamedQuery, type Named, type Result } from './named-query.ts';
import { observed, observing, type Callback } from './observed.ts';
import type { NoteStatement } from './slow-statements.ts';
import { isOutdated, knownName, markUsed, PREFIX, renewStatements } from './statement-names.ts';

/**
 * Members of a connection that the driver does not declare: the socket, and the prepared statements. It has no public way
 * to forget one.
 */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string>;
  close(statement: { type: 'S'; name: string }): void;
}

/** The driver's `query` method. */
type Ask = (statement: unknown, ...rest: unknown[]) => unknown;

export const EMPTY = { rows: [] };

const here = <T>(run: () => T): T => run();

/** A pool setting that is passed to its connections. */
export interface NoteOption {
  note?: NoteStatement | undefined;
}

/**
 * Runs named statements as prepared ones, also when a library passes only the text. Their rows are arrays.
 *
 * A connection that is lost or silent for too long is closed at once, because a `rollback` would wait just as long. If
 * this happens during a `commit`, its outcome is unknown.
 */
export class PreparingClient extends PrimaryClient {
  /** The composed statements that this connection has prepared, by last use. */
  readonly #composed = new Map<string, true>();
  readonly #note: NoteStatement | undefined;
  /** The driver's own. */
  readonly #ask: Ask;

  constructor(config?: PrimaryConfig & NoteOption) {
    super(config);
    this.#note = config?.note;
    this.#ask = this.query.bind(this);
    this.query = ((...sent: Parameters<Ask>) => this.take(...sent)) as Client['query'];
  }

  /** Takes what was passed to `query`. */
  protected take(statement: unknown, ...rest: unknown[]): unknown {
    return this.send(statement, rest);
  }

  protected get wire(): Wire {
    return (this as unknown as { connection: Wire }).connection;
  }

  protected send(statement: unknown, rest: unknown[] = []): unknown {
    const query = this.#ask;
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
    return (await this.batch(statements as [Named], ignored)).map(({ rows }) => rows);
  }

  /**
   * Sends statements in one trip. PostgreSQL runs none of them after one that has failed. `ended` is called with the
   * result of each.
   */
  protected async batch(
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
    const { wire } = this;
    wire.close({ type: 'S', name: oldest });
    delete wire.parsedStatements[oldest];
    forgetColumns(wire, oldest);
  }

  async #orClose(result: Promise<unknown>): Promise<unknown> {
    try {
      return await result;
    } catch {
      this.closeAtOnce();
      return EMPTY;
    }
  }

  #fail(statement: unknown, error: unknown, name: string | undefined): never {
    if (name && isOutdated(error)) renewStatements(name);
    if (!isLost(error)) throw error;
    this.closeAtOnce();
    throw statement === 'commit' ? UnknownOutcome.of(error) : error;
  }

  protected closeAtOnce(): void {
    inBackground(this.end(), ignored);
  }
}

/** Without a callback it returns a promise, like the driver. */
const ask = (query: Ask, statement: NamedQuery | BatchQuery, callback: unknown): unknown =>
  typeof callback === 'function'
    ? query(statement, callback)
    : new Promise((resolve, reject) => {
        query(statement, (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)));
      });
