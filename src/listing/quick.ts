import type { MetadataStorage } from '@mikro-orm/core';
import { isOfRecord } from './condition.ts';
import type { RecordList, Window } from './list.ts';
import type { KnownTotal } from './totals.ts';

/** Most rows of a table, rows of a page and values of its conditions, so that the page is read in a few milliseconds. */
export const QUICK = { table: 5_000, page: 100, values: 10 };

/** Whether a page reads nothing but a table with few rows, and what its own few rows link to. */
export function isQuickPage(
  { metadata }: { metadata: MetadataStorage },
  { entity, conditions, orders, where }: RecordList,
  { limit }: Window,
  known: KnownTotal | undefined,
): boolean {
  if (!known || known.of > QUICK.table || limit > QUICK.page) return false;
  if (where && (where.values.length > QUICK.values || !isOfRecord(where.condition))) return false;
  const paths = [
    ...conditions.flatMap(({ comparison }) => comparison.paths),
    ...orders.map(({ path }) => path),
  ];
  return metadata.get(entity).expression === undefined && paths.every(path => !path.includes('.'));
}
