import type { MetadataStorage } from '@mikro-orm/core';
import { isIndexedInOrder } from '../entities/column.ts';
import { isOfRecord } from './condition.ts';
import type { RecordList, Window } from './list.ts';
import type { KnownTotal } from './totals.ts';

/**
 * Limits of a page that is read in a few milliseconds: rows of its table, the same if an index has the page in its order,
 * rows up to the end of such a page, rows of a page, and values of its conditions. The rows of the table may be counted.
 */
export const QUICK = { table: 5_000, indexed: 25_000, end: 1_000, page: 100, values: 10 };

/** Whether a page reads nothing but a table with few rows, or few rows of its index, and what its own few rows link to. */
export function isQuickPage(
  { metadata }: { metadata: MetadataStorage },
  list: RecordList,
  window: Window,
  known: KnownTotal | undefined,
): boolean {
  const { entity, conditions, orders, where } = list;
  if (!known || window.limit > QUICK.page || metadata.get(entity).expression !== undefined) return false;
  const paths = [
    ...conditions.flatMap(({ comparison }) => comparison.paths),
    ...orders.map(({ path }) => path),
  ];
  if (paths.some(path => path.includes('.'))) return false;
  if (known.of > QUICK.table) return known.of <= QUICK.indexed && isNearInIndex(list, window);
  return !where || (where.values.length <= QUICK.values && isOfRecord(where.condition));
}

/** Whether an index has the list in its order, and the page is near its begin or where a cursor is. */
const isNearInIndex = (
  { entity, conditions, orders, where }: RecordList,
  { limit, offset }: Window,
): boolean =>
  !where &&
  conditions.every(({ comparison }) => comparison.usual) &&
  orders.length <= 1 &&
  orders.every(({ path }) => path === 'id' || isIndexedInOrder(entity, path)) &&
  offset + limit <= QUICK.end;
