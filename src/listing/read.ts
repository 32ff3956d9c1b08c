import { cursorBatches, type CursorPlace } from '../database/reader.ts';
import type { SentRows } from '../database/sent-rows.ts';
import { areKnown } from './children.ts';
import { recordWith, unordered, type RecordList, type Scope } from './list.ts';
import type { Listing } from './listing.ts';
import { prepared } from './plans.ts';
import { allRowsOf, childPlan, recordsOf } from './records.ts';
import { NOTHING, selectionOfPaths, type Selection } from './selection.ts';

/** Whether a list has more than `most` records. Stops reading after that number. */
export async function isLongerThan(most: number, listing: Listing, list: RecordList): Promise<boolean> {
  const { plan, values } = prepared(listing, unordered(list), NOTHING);
  const [row] = await listing.reader.rows(plan.longerText, [...values, most], {});
  return row![0] as boolean;
}

/**
 * The record that these values identify (`{ id: 1 }`), with the selected fields and its version; null if it does not
 * exist.
 */
export async function readOne<T extends object>(
  listing: Listing,
  entity: new () => T,
  key: Scope,
  selection: Selection,
): Promise<T | null> {
  const version = 'versao' in listing.metadata.get(entity).properties;
  const read = prepared(listing, recordWith(entity, key), selection, { version });
  const { id, ...others } = key;
  const isKnown = typeof id === 'number' && Object.keys(others).length === 0;
  const known = isKnown ? read.plan.many.filter(areKnown) : [];
  const children = known.map(field => ({ plan: childPlan(listing, field, 'one'), values: [id] }));
  const [rows, ...early] = await allRowsOf(
    listing,
    [read, ...children].map(one => ({ ...one, isQuick: isKnown && !one.plan.isComputed })),
  );
  const found = await recordsOf<T>(listing, read.plan, rows!, {
    early: new Map(known.map((field, i) => [field, early[i]!])),
  });
  return found[0] ?? null;
}

/** Rows of a batch. Most exports have fewer, and then take one trip. */
const BATCH = 1_024;

/** The values at these paths of every record of a list, in batches from a cursor, as PostgreSQL sent them. */
export async function* streamList(
  listing: Listing,
  place: CursorPlace,
  list: RecordList,
  paths: readonly string[],
): AsyncGenerator<SentRows> {
  const { limits } = listing;
  const { plan, values } = prepared(listing, list, selectionOfPaths(paths));
  const indexes = plan.indexesAt(paths);
  const batches = { size: BATCH, timeoutMs: limits.batchMs };
  for await (const rows of cursorBatches(place, plan.text, values, batches)) yield rows.with(indexes);
}

/** The values at these paths of the first `most` records, in one statement. */
export async function readValues(
  most: number,
  listing: Listing,
  list: RecordList,
  paths: readonly string[],
): Promise<unknown[][]> {
  const window = { limit: most, offset: 0 };
  const { plan, values } = prepared(listing, list, selectionOfPaths(paths), { window });
  const indexes = plan.indexesAt(paths);
  const rows = await listing.reader.rows(plan.text, values, {});
  return rows.map(row => indexes.map(index => row[index]));
}
