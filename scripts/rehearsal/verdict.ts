import type { Load } from './load.ts';
import type { Stand } from './stand.ts';

/** What the database has of what clients were told. */
export interface Verdict {
  /** Acknowledged movements that are not there. */
  lost: string[];
  /** Movements that are there more than once, acknowledged or not. */
  doubled: string[];
  stale: string[];
  /** What `ledger:verify`, `audit:verify` and `files:sweep` found. */
  differences: string[];
}

export async function judge(stand: Stand, load: Load): Promise<Verdict> {
  const rows = await stand.query<{ mark: string; count: number }>(
    `select observacao as mark, count(*)::int as count from movimentacao where observacao like 'rehearsal %' group by 1`,
  );
  const counts = new Map(rows.map(({ mark, count }) => [mark, count]));
  const differences: string[] = [];
  for (const command of ['ledger-verify', 'audit-verify', 'files-sweep'])
    await stand.command(command).catch((error: Error) => differences.push(error.message));
  return {
    lost: load.acknowledged.filter(mark => !counts.has(mark)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([mark]) => mark),
    stale: load.stale,
    differences,
  };
}
