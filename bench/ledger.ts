import { Pool } from 'pg';
import { discrepancies } from '../src/domain/reconciliation.ts';
import { poolReader } from '../src/database/reader.ts';

/** How many cells of stock differ from the sum of their movements; 0 when the ledger balances. */
export async function countDiscrepancies(databaseUrl: string): Promise<number> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  try {
    return (await discrepancies(poolReader(pool))).length;
  } finally {
    await pool.end();
  }
}
