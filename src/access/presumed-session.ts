import { isDeepStrictEqual } from 'node:util';
import type { Session } from './access.ts';
import { readAll, type Composed, type Reader, type Statement } from '../database/reader.ts';

/** Reads for a request. */
export interface RequestReader extends Reader {
  /** Answers what `together` would, where the session is not read beside the statements. */
  withSession?(session: Statement, statements: readonly Statement[]): Promise<unknown[][][]>;
}

/**
 * A session as this process read it last. A query begins with it, and reads the session together with its own first
 * statement, in one trip to the database. Nothing may be answered before it is known that the session is the same.
 */
export class PresumedSession implements Reader {
  /** Whether anything was decided or read with it. */
  isUsed = false;
  #read: Promise<unknown[][]> | undefined;
  #current: Promise<Session | null> | undefined;

  constructor(
    readonly session: Session,
    private readonly reader: RequestReader,
    private readonly statement: Statement,
    private readonly sessions: {
      /** Reads the session alone. */
      alone: () => Promise<Session | null>;
      /** The session of a row of the statement. */
      ofRow: (row: readonly unknown[] | undefined) => Promise<Session | null>;
    },
  ) {}

  async rows(text: string, values: readonly unknown[], composed?: Composed): Promise<unknown[][]> {
    const [rows] = await this.together([{ text, values, composed }]);
    return rows!;
  }

  /** Reads for the request. The first call reads the session, too. */
  async together(statements: readonly Statement[]): Promise<unknown[][][]> {
    if (!this.#read) await this.#current?.catch(() => undefined);
    const { reader, statement } = this;
    const canJoin = 'together' in reader || 'withSession' in reader;
    if (this.#read || this.#current || !canJoin) return readAll(reader, statements);
    const all = reader.withSession?.(statement, statements) ?? readAll(reader, [statement, ...statements]);
    this.#read = all.then(([rows]) => rows!);
    // The caller of this method gets the error, and `current` reads the session alone.
    this.#read.catch(() => undefined);
    return (await all).slice(1);
  }

  /** The session as the database has it; null if it is not live any more. */
  get current(): Promise<Session | null> {
    return (this.#current ??= this.#find());
  }

  /** Whether the database has the same session. */
  async isCurrent(): Promise<boolean> {
    return isDeepStrictEqual(await this.current, this.session);
  }

  async #find(): Promise<Session | null> {
    const rows = await this.#read?.catch(() => undefined);
    return rows ? this.sessions.ofRow(rows[0]) : this.sessions.alone();
  }
}
