import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import { inTime } from '../runtime/in-time.ts';
import { observed } from './observed.ts';
import type { Named } from './named-query.ts';
import type { NoteOption, PreparingClient } from './preparing-client.ts';
import { isOutdated, renewStatements, statementName, type Kind } from './statement-names.ts';
import type { Budget } from './budget.ts';
import type { RowsClient } from './rows-client.ts';
import type { SentRows } from './sent-rows.ts';

/** Marks a statement as composed from a request. */
export interface Composed {
  /** Counts values as they arrive from the pool. */
  budget?: Budget | undefined;
  /**
   * Whether the statement is so slow that callers who run the same at the same time share it. Nobody changes its rows.
   */
  isShared?: boolean;
}

export interface Statement {
  text: string;
  values: readonly unknown[];
  composed?: Composed | undefined;
  /** Whether it takes so little time, whatever its values are, that other requests can wait for it. */
  isQuick?: boolean | undefined;
  /** Runs code in the context of the request that asks. Absent if the statement is sent in that context. */
  within?: <T>(run: () => T) => T;
}

/** Runs compiled statements. Rows are arrays of column values; dates and timestamps are PostgreSQL's text. */
export interface Reader {
  rows(text: string, values: readonly unknown[], composed?: Composed): Promise<unknown[][]>;
  /** The rows of several statements in one trip. Each statement sees everything that the ones before it see. */
  together?(statements: readonly Statement[]): Promise<unknown[][][]>;
}

export type PipeliningReader = Required<Reader>;

/** The rows of several statements, in one trip if the reader can do that. */
export async function readAll(reader: Reader, statements: readonly Statement[]): Promise<unknown[][][]> {
  if (reader.together && (statements.length > 1 || statements[0]?.isQuick))
    return reader.together(statements);
  const found: unknown[][][] = [];
  for (const { text, values, composed } of statements) found.push(await reader.rows(text, values, composed));
  return found;
}

const kindOf = (composed: Composed | undefined): Kind => (composed ? 'composed' : 'own');

type Queryable = Pick<Pool, 'query'>;

/** Whether a statement is prepared. The process names only a limited number. */
const isNamed = <T extends { name: string | undefined }>(statement: T): statement is T & Named =>
  statement.name !== undefined;

/** Converts a statement to the driver's form. */
function named({ text, values, composed, within }: Statement) {
  const name = statementName(text, kindOf(composed));
  const budget = composed?.budget;
  const counts = budget && ((length: number) => budget.takes(length));
  return { name, text, values: values as unknown[], rowMode: 'array' as const, counts, within };
}

/** Reads through the pool, as named prepared statements. */
export const poolReader = (pool: Queryable): Reader => ({
  async rows(text, values, composed) {
    const statement = { text, values, composed };
    const asked = named(statement);
    const { rows } = await pool.query<unknown[]>(asked).catch(error => {
      if (!asked.name || !isOutdated(error)) throw error;
      renewStatements(asked.name);
      return pool.query<unknown[]>(named(statement));
    });
    return rows;
  },
});

/** Reads through the pool, several statements in one trip. */
export function pipeliningReader(pool: Pool): PipeliningReader {
  const reader = poolReader(pool);
  return {
    ...reader,
    async together(statements) {
      const asked = statements.map(named).filter(isNamed);
      if (asked.length < statements.length) return readAll(reader, statements);
      const client = (await pool.connect()) as PoolClient & PreparingClient;
      let failed: Error | undefined;
      try {
        return await client.together(asked);
      } catch (error) {
        failed = error as Error;
        if (!isOutdated(error)) throw error;
      } finally {
        client.release(failed);
      }
      return readAll(reader, statements);
    },
  };
}

/**
 * Reads inside a transaction and sees its uncommitted writes. It also uses prepared statements, because the connections
 * of the pool replace texts by names.
 */
export const transactionReader = (em: EntityManager): Reader => ({
  async rows(text, values, composed) {
    statementName(text, kindOf(composed));
    const { rows } = await em.getKysely().executeQuery<object>(CompiledQuery.raw(text, [...values]));
    // Unprepared statements return objects. Columns are named in order (c0, c1, …), so their values have the array's
    // order.
    return rows.map(row => (Array.isArray(row) ? (row as unknown[]) : Object.values(row)));
  },
});

/**
 * Reads inside a transaction without prepared statements. For texts that vary a lot, because the process names only a
 * limited number.
 */
export const unpreparedReader = (em: EntityManager): Reader => ({
  async rows(text, values) {
    const { rows } = await em.getKysely().executeQuery<object>(CompiledQuery.raw(text, [...values]));
    return rows.map(row => Object.values(row));
  },
});

/** Rows per batch, and the longest wait for a batch in milliseconds. */
interface Batches {
  size: number;
  timeoutMs: number;
}

/** Where to open a cursor, and what cancels it. */
export interface CursorPlace {
  /** A pool whose connections are `RowsClient`s. */
  pool: Pool;
  /** Aborts the read when the consumer has gone away, also while PostgreSQL prepares the first rows. */
  signal: AbortSignal;
  /** Cancels the statement through another connection. */
  reader: Reader;
}

/**
 * Batches of rows from a cursor, as PostgreSQL sent them. It holds one connection until the last batch, until the consumer
 * returns, or until the signal aborts, which ends the iteration without an error.
 * @throws Error when the server does not answer in time
 */
export async function* cursorBatches(
  { pool, signal, reader }: CursorPlace,
  text: string,
  values: readonly unknown[],
  { size, timeoutMs }: Batches,
): AsyncGenerator<SentRows> {
  const client = (await pool.connect()) as PoolClient & RowsClient;
  const { note } = pool.options as NoteOption;
  let failed: Error | undefined;
  let cancelling: Promise<unknown> | undefined;
  const cancel = (): void => {
    const { processID } = client as unknown as { processID: number };
    cancelling = reader.rows('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel);
  client.collect();
  const cursor = client.query(new Cursor(text, [...values]));
  try {
    while (!signal.aborted) {
      await inTime(observed(text, cursor.read(size), note), timeoutMs, silent);
      const rows = client.take();
      if (rows.length > 0) yield rows;
      if (rows.length < size) return;
    }
  } catch (error) {
    failed = error as Error;
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    await cancelling;
    // The cancel request may arrive late and would then cancel the connection's next statement.
    if (cancelling) client.release(true);
    else await release(client, cursor, failed);
  }
}

function silent(): never {
  throw new Error('Query read timeout');
}

async function release(
  client: PoolClient & RowsClient,
  cursor: Cursor,
  failed: Error | undefined,
): Promise<void> {
  if (!failed) await cursor.close().catch((error: Error) => (failed = error));
  client.collectNoMore();
  client.release(failed);
}
