import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import { types, type Pool, type PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import { inTime } from '../runtime/in-time.ts';
import { isOutdated, renewStatements, statementName } from './statements.ts';
import type { Budget } from './budget.ts';
import { timed } from '../runtime/trace.ts';

/**
 * Runs the statements that plans compile to. Rows are arrays of column values; dates and timestamps are PostgreSQL's text.
 * What comes out of the pool is counted by the budget as it arrives.
 */
export interface Reader {
  rows(text: string, values: readonly unknown[], budget?: Budget): Promise<unknown[][]>;
}

/** Reads through the pool, as named prepared statements. */
export const poolReader = (pool: Pick<Pool, 'query' | 'options'>): Reader => ({
  async rows(text, values, budget) {
    const counting = budget && { types: budget.counting(pool.options.types ?? types) };
    const ask = (name: string | undefined) =>
      pool.query<unknown[]>({ name, text, values: [...values], rowMode: 'array', ...counting });
    const name = statementName(text);
    const { rows } = await ask(name).catch(error => {
      if (!name || !isOutdated(error)) throw error;
      renewStatements(name);
      return ask(statementName(text));
    });
    return rows;
  },
});

/** Reads inside a transaction, its own writes included; prepared too, since the pool's connections look names up. */
export const transactionReader = (em: EntityManager): Reader => ({
  async rows(text, values) {
    statementName(text);
    const { rows } = await em.getKysely().executeQuery<object>(CompiledQuery.raw(text, [...values]));
    // What is not prepared comes as objects. Columns are named in order (c0, c1, …), so their values stand as in an array.
    return rows.map(row => (Array.isArray(row) ? (row as unknown[]) : Object.values(row)));
  },
});

/** How many rows are read at a time, and longest wait for them. */
interface Batches {
  size: number;
  timeoutMs: number;
}

/** Where a cursor is opened, and what ends it before its time. */
export interface CursorPlace {
  pool: Pool;
  /** Aborted when nobody wants the rows any more, also while PostgreSQL still prepares the first. */
  signal: AbortSignal;
  /** Says to PostgreSQL, on another connection, that a statement is to be given up. */
  reader: Reader;
}

/**
 * Batches of rows from a cursor, which holds one connection until the last batch, until the consumer returns or until
 * the signal, at which it ends without an error.
 * @throws Error when the server falls silent
 */
export async function* cursorBatches(
  { pool, signal, reader }: CursorPlace,
  text: string,
  values: readonly unknown[],
  { size, timeoutMs }: Batches,
): AsyncGenerator<unknown[][]> {
  const client = await pool.connect();
  let failed: Error | undefined;
  let cancelling: Promise<unknown> | undefined;
  const cancel = (): void => {
    const { processID } = client as PoolClient & { processID: number };
    cancelling = reader.rows('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel);
  const cursor = client.query(new Cursor<unknown[]>(text, [...values], { rowMode: 'array' }));
  try {
    while (!signal.aborted) {
      const rows = await inTime(timed(cursor.read(size)), timeoutMs, silent);
      if (rows.length === 0) return;
      yield rows;
    }
  } catch (error) {
    failed = error as Error;
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    await cancelling;
    // What was to end this statement could still arrive, and would end the connection's next one.
    if (cancelling) client.release(true);
    else await release(client, cursor, failed);
  }
}

function silent(): never {
  throw new Error('Query read timeout');
}

async function release(client: PoolClient, cursor: Cursor, failed: Error | undefined): Promise<void> {
  if (!failed) await cursor.close().catch((error: Error) => (failed = error));
  client.release(failed);
}
