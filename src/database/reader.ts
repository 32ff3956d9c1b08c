import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import { types, type Pool, type PoolClient } from 'pg';
import Cursor from 'pg-cursor';
import { inTime } from '../runtime/in-time.ts';
import { observed } from './observed.ts';
import {
  isOutdated,
  renewStatements,
  statementName,
  type Kind,
  type Noting,
  type Preparing,
} from './statements.ts';
import type { Budget } from './budget.ts';

/** Says of a statement that the request composed it. */
export interface Composed {
  /** Counts values from the pool as they arrive. */
  budget?: Budget | undefined;
}

export interface Statement {
  text: string;
  values: readonly unknown[];
  composed?: Composed | undefined;
}

/** Runs compiled statements. Rows are arrays of column values; dates and timestamps are PostgreSQL's text. */
export interface Reader {
  rows(text: string, values: readonly unknown[], composed?: Composed): Promise<unknown[][]>;
  /** The rows of two statements in one trip. The second one sees all that the first one sees. */
  both?(first: Statement, second: Statement): Promise<[unknown[][], unknown[][]]>;
}

const kindOf = (composed: Composed | undefined): Kind => (composed ? 'composed' : 'own');

type Asking = Pick<Pool, 'query' | 'options'>;

/** A statement as the driver takes it. */
function named({ options }: Asking, { text, values, composed }: Statement) {
  const counting = composed?.budget && { types: composed.budget.counting(options.types ?? types) };
  const name = statementName(text, kindOf(composed));
  return { name, text, values: [...values], rowMode: 'array' as const, ...counting };
}

/** Reads through the pool, as named prepared statements. */
export const poolReader = (pool: Asking): Reader => ({
  async rows(text, values, composed) {
    const statement = { text, values, composed };
    const asked = named(pool, statement);
    const { rows } = await pool.query<unknown[]>(asked).catch(error => {
      if (!asked.name || !isOutdated(error)) throw error;
      renewStatements(asked.name);
      return pool.query<unknown[]>(named(pool, statement));
    });
    return rows;
  },
});

/** The same, and two statements in one trip. */
export function pairReader(pool: Pool): Reader {
  const reader = poolReader(pool);
  return {
    ...reader,
    async both(first, second) {
      const client = (await pool.connect()) as PoolClient & Preparing;
      const { stream } = client.connection;
      let failed: Error | undefined;
      try {
        stream.cork();
        const sent = [first, second].map(one => client.query<unknown[]>(named(pool, one)));
        stream.uncork();
        const [before, after] = await Promise.all(sent);
        return [before!.rows, after!.rows];
      } catch (error) {
        failed = error as Error;
        if (!isOutdated(error)) throw error;
      } finally {
        client.release(failed);
      }
      const rows = await reader.rows(first.text, first.values, first.composed);
      return [rows, await reader.rows(second.text, second.values, second.composed)];
    },
  };
}

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

/**
 * The same without prepared statements, for those whose texts are many and seldom come again: the process names only so
 * many.
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
  const { note } = pool.options as Noting;
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
      const rows = await inTime(observed(text, cursor.read(size), note), timeoutMs, silent);
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
