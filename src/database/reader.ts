import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import { types, type Pool, type PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import { inTime } from '../runtime/in-time.ts';
import { isOutdated, renewStatements, statementName, type Kind } from './statements.ts';
import type { Budget } from './budget.ts';
import { timed } from '../runtime/trace.ts';

/** Says of a statement that the request composed it. */
interface Composed {
  /** Counts values from the pool as they arrive. */
  budget?: Budget | undefined;
}

/** Runs compiled statements. Rows are arrays of column values; dates and timestamps are PostgreSQL's text. */
export interface Reader {
  rows(text: string, values: readonly unknown[], composed?: Composed): Promise<unknown[][]>;
}

const kindOf = (composed: Composed | undefined): Kind => (composed ? 'composed' : 'own');

/** Reads through the pool, as named prepared statements. */
export const poolReader = (pool: Pick<Pool, 'query' | 'options'>): Reader => ({
  async rows(text, values, composed) {
    const budget = composed?.budget;
    const counting = budget && { types: budget.counting(pool.options.types ?? types) };
    const ask = (name: string | undefined) =>
      pool.query<unknown[]>({ name, text, values: [...values], rowMode: 'array', ...counting });
    const name = statementName(text, kindOf(composed));
    const { rows } = await ask(name).catch(error => {
      if (!name || !isOutdated(error)) throw error;
      renewStatements(name);
      return ask(statementName(text, kindOf(composed)));
    });
    return rows;
  },
});

/**
 * Reads inside a transaction and sees its uncommitted writes. It uses prepared statements, too, because the pool's
 * connections replace texts by names.
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

/** Rows per batch, and the longest wait for a batch in milliseconds. */
interface Batches {
  size: number;
  timeoutMs: number;
}

/** Where to open a cursor, and what cancels it. */
export interface CursorPlace {
  pool: Pool;
  /** Aborts the read when the consumer is gone, also while PostgreSQL prepares the first rows. */
  signal: AbortSignal;
  /** Cancels the statement through another connection. */
  reader: Reader;
}

/**
 * Batches of rows from a cursor. It holds one connection until the last batch, until the consumer returns, or until
 * the signal aborts, which ends it without an error.
 * @throws Error when the server does not answer in time
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
    // The cancel request may arrive late and would then cancel the connection's next statement.
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
