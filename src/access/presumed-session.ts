import { isDeepStrictEqual } from 'node:util';
import type { Session } from './access.ts';
import { readAll, type Composed, type Reader, type Statement } from '../database/reader.ts';

/** Reads for one request. */
export interface RequestReader extends Reader {
  /** Reads the statements like `together`, and at the same time the session on the primary. */
  withSession?(session: Statement, statements: readonly Statement[]): Promise<unknown[][][]>;
}

/**
 * A cached session. A request begins with it, and reads the session together with its own first statement, in one trip
 * to the database. Nothing may be answered or committed before the database has confirmed that the session is unchanged.
 */
export class PresumedSession implements Reader {
  /** Whether the session was used for a decision or a read. */
  isUsed = false;
  #read: Promise<unknown[][]> | undefined;
  /** What the latest transaction has found at its begin; undefined if it failed to begin. */
  #begun: Promise<Session | null | 'outdated' | undefined> | undefined;
  #current: Promise<Session | null> | undefined;
  #isCurrent: Promise<boolean> | undefined;

  constructor(
    readonly session: Session,
    private readonly reader: RequestReader,
    private readonly statement: Statement,
    private readonly sessions: {
      /** Reads the session alone. */
      alone: () => Promise<Session | null>;
      /** Converts a row of the statement to a session. */
      ofRow: (row: readonly unknown[] | undefined) => Promise<Session | null>;
      /**
       * Runs a select of one row, and reads the session in the same statement. It is outdated if permissions have
       * changed since its levels were read.
       */
      beside: (select: Statement, reader: Reader) => Promise<Session | null | 'outdated'>;
    },
  ) {}

  async rows(text: string, values: readonly unknown[], composed?: Composed): Promise<unknown[][]> {
    const [rows] = await this.together([{ text, values, composed }]);
    return rows!;
  }

  /** Reads for the request. The first call also reads the session. */
  async together(statements: readonly Statement[]): Promise<unknown[][][]> {
    const begun = await this.#begun;
    if (!this.#read) await this.#current?.catch(() => undefined);
    const { reader, statement } = this;
    const canJoin = 'together' in reader || 'withSession' in reader;
    if (begun !== undefined || this.isRead || !canJoin) return readAll(reader, statements);
    const all = reader.withSession?.(statement, statements) ?? readAll(reader, [statement, ...statements]);
    this.#read = all.then(([rows]) => rows!);
    // The caller of `together` gets the error. `current` then reads the session alone.
    this.#read.catch(() => undefined);
    return (await all).slice(1);
  }

  /**
   * Runs the first statement of a transaction, a select of one row. It also reads the session, even if that was read
   * before, because the transaction may have waited. A transaction that is tried again reads it again.
   */
  async begin(reader: Reader, select: Statement): Promise<void> {
    const begun = this.sessions.beside(select, reader);
    this.#begun = begun.catch(() => undefined);
    this.#isCurrent = undefined;
    this.#read = undefined;
    this.#current = undefined;
    await begun;
  }

  /** Whether the session was read outside of a transaction, or is being read. */
  get isRead(): boolean {
    return this.#read !== undefined || this.#current !== undefined;
  }

  /** The session in the database; null if it is no longer live. It is read outside of a transaction. */
  get current(): Promise<Session | null> {
    if (!this.#current) {
      this.#current = this.#find();
      // It may be asked for before anybody waits for it.
      this.#current.catch(() => undefined);
    }
    return this.#current;
  }

  /** Whether the cached session is still the same as in the database. */
  isCurrent(): Promise<boolean> {
    return (this.#isCurrent ??= this.#compare());
  }

  async #compare(): Promise<boolean> {
    const begun = await this.#begun;
    return isDeepStrictEqual(begun === undefined ? await this.current : begun, this.session);
  }

  async #find(): Promise<Session | null> {
    const rows = await this.#read?.catch(() => undefined);
    return rows ? this.sessions.ofRow(rows[0]) : this.sessions.alone();
  }
}
