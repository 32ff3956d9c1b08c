import type { Load } from './load.ts';
import type { Installation } from './installation.ts';

/** What the database contains, compared with what clients were answered. */
export interface Verdict {
  /** Acknowledged movements that the database does not have. */
  lost: string[];
  /** Movements that the database has more than once, acknowledged or not. */
  doubled: string[];
  stale: string[];
  /** What `ledger:verify`, `audit:verify` and `files:sweep` found. */
  differences: string[];
}

export async function judge(installation: Installation, load: Load): Promise<Verdict> {
  const rows = await installation.query<{ mark: string; count: number }>(
    `select observacao as mark, count(*)::int as count from movimentacao where observacao like 'rehearsal %' group by 1`,
  );
  const counts = new Map(rows.map(({ mark, count }) => [mark, count]));
  const differences: string[] = [];
  for (const command of ['ledger-verify', 'audit-verify', 'files-sweep'])
    await installation.command(command).catch((error: Error) => differences.push(error.message));
  return {
    lost: load.acknowledged.filter(mark => !counts.has(mark)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([mark]) => mark),
    stale: load.stale,
    differences,
  };
}
