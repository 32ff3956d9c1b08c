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
 * to the database. Nothing may be answered or written before the database has confirmed that the session is unchanged.
 */
export class PresumedSession implements Reader {
  /** Whether the session was used for a decision or a read. */
  isUsed = false;
  #read: Promise<unknown[][]> | undefined;
  /** Resolves when a transaction has begun, or failed to. */
  #begun: Promise<unknown> | undefined;
  #current: Promise<Session | null> | undefined;
  #isCurrent: boolean | undefined;

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
    await this.#begun;
    if (!this.#read) await this.#current?.catch(() => undefined);
    const { reader, statement } = this;
    const canJoin = 'together' in reader || 'withSession' in reader;
    if (this.#read || this.#current || !canJoin) return readAll(reader, statements);
    const all = reader.withSession?.(statement, statements) ?? readAll(reader, [statement, ...statements]);
    this.#read = all.then(([rows]) => rows!);
    // The caller of `together` gets the error. `current` then reads the session alone.
    this.#read.catch(() => undefined);
    return (await all).slice(1);
  }

  /** Runs the first statement of a transaction, a select of one row. It also reads the session, unless that was read before. */
  async begin(reader: Reader, select: Statement): Promise<void> {
    if (this.#read || this.#current) await reader.rows(select.text, select.values);
    else {
      const begun = this.sessions.beside(select, reader);
      this.#begun = begun.catch(() => undefined);
      const found = await begun;
      if (found === 'outdated') this.#isCurrent = false;
      else this.#current = Promise.resolve(found);
    }
  }

  /** The session in the database; null if it is no longer live. */
  get current(): Promise<Session | null> {
    if (!this.#current) {
      this.#current = this.#find();
      // It may be asked for before anybody waits for it.
      this.#current.catch(() => undefined);
    }
    return this.#current;
  }

  /** Whether the cached session is still the same as in the database. */
  async isCurrent(): Promise<boolean> {
    await this.#begun;
    return (this.#isCurrent ??= isDeepStrictEqual(await this.current, this.session));
  }

  async #find(): Promise<Session | null> {
    const rows = await this.#read?.catch(() => undefined);
    return rows ? this.sessions.ofRow(rows[0]) : this.sessions.alone();
  }
}
