import { Pool, types, type PoolClient, type QueryResult } from 'pg';

// Days as PostgreSQL's text: as a Date they would become moments.
types.setTypeParser(types.builtins.DATE, text => text);

export const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });

const prepares = process.env['BASELINE_PREPARED'] === 'true';
const names = new Map<string, string>();

/** Runs a statement, prepared unless the run asks for the opposite. */
export function query(
  text: string,
  values: unknown[] = [],
  on: Pool | PoolClient = pool,
): Promise<QueryResult> {
  if (!prepares) return on.query(text, values);
  if (!names.has(text)) names.set(text, `statement_${names.size}`);
  return on.query({ name: names.get(text)!, text, values });
}

export async function inTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
