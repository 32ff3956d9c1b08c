import type { RecordList } from './list.ts';
import { conditionsOf, sumsPlanFor } from './plans.ts';
import type { Listing } from './listing.ts';
import type { Selection } from './selection.ts';
import type { SumsShape } from './sums.ts';

/** The key of a list without parents. */
const WHOLE = 0;

/**
 * Adds up all rows of a list, not only one page. Returns the values of each group, `count` and the sums, by parent.
 * @throws RESULT_TOO_LARGE
 */
export async function readSums(
  { metadata, reader, budget }: Listing,
  list: RecordList,
  { shape, selection }: { shape: SumsShape; selection: Selection },
  limit: readonly number[],
): Promise<ReadonlyMap<number, unknown[][]>> {
  const { query, values } = conditionsOf(list);
  query.most = budget?.most;
  const { text, valuesOf, parentOf } = sumsPlanFor(metadata.get(list.entity), selection, query, shape);
  const { parents } = list;
  const ids = parents ? [parents.ids] : [];
  const rows = await reader.rows(text, [...values, ...limit, ...ids], { budget });
  budget?.read(rows.length);
  const found = new Map<number, unknown[][]>();
  for (const row of rows) {
    const parent = parents ? parentOf(row) : WHOLE;
    const known = found.get(parent) ?? [];
    found.set(parent, known);
    // A parent without rows has one row of nulls; a count is never null.
    if (row[shape.by.length] !== null) known.push(valuesOf(row));
  }
  return found;
}
