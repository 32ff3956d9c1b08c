import { Budget } from '../database/budget.ts';
import { tooLarge } from '../errors.ts';
import { isReadByKeys, isShared } from './compile.ts';
import { among, type RecordList } from './list.ts';
import type { Page } from './page.ts';
import { prepared, totalKey } from './plans.ts';
import type { Listing } from './listing.ts';
import { recordsOf, rowsOf, sharing } from './records.ts';
import { readPage, wholePage } from './read-page.ts';
import { NOTHING, type Selection } from './selection.ts';

/** Most records of one part. Records with to-many fields can be large. */
const PART = 500;
const PART_OF_LARGE = 100;

/** Most rows of a report that one statement reads. Each statement computes the shared part of the report again. */
const READ_OF_REPORT = 8_000;

interface Options<T> {
  /** Adds further data to the records of each part. */
  finish?: ((records: T[]) => Promise<void>) | undefined;
  /** Whether the operation can also answer a file. The error message then recommends it. */
  exported: boolean;
}

/** Records that come in parts. */
type Parts = AsyncIterable<object[]> | Iterable<object[]>;

const following = new WeakMap<object, Parts>();

/** The records that follow those of a page; undefined if the page has all of them. */
export const followingOf = (page: object): Parts | undefined => following.get(page);

/**
 * The page of a list that the client asked for. An unpaginated list that is longer than the longest page, or than one
 * part of large records, comes in parts: the page has the first one, and `followingOf` returns the others. The budget
 * of a request then limits each part.
 *
 * The keys of the list are read first, in its order. A separate statement reads each part by its keys, so that no
 * connection is held while a client reads. No record comes twice. A record that has left the list before its part is
 * read is left out. A report begins with the rows that showed that it is long, if they are still the first ones.
 * @throws RESULT_TOO_LARGE when an unpaginated list exceeds its cap
 */
export async function readInParts<T extends object>(
  listing: Listing,
  list: RecordList<T>,
  selection: Selection,
  { finish, exported }: Options<T>,
): Promise<Page<T>> {
  const { limits, metadata } = listing;
  const finished = async (page: Page<T>): Promise<Page<T>> => {
    await finish?.(page.data);
    return page;
  };
  const fields = selection['data'];
  const entity = metadata.get(list.entity);
  if (list.window || !fields || !isReadByKeys(entity))
    return cut(await finished(await readPage(listing, list, selection)), limits.itemsPerPage);
  await refuseLong(listing, list, exported);
  const isLarge = prepared(listing, list, fields).plan.many.length > 0;
  const isReport = isShared(entity) && !isLarge;
  const most = isReport
    ? Math.min(READ_OF_REPORT, limits.request.rows - 1)
    : Math.min(isLarge ? PART_OF_LARGE : Infinity, limits.itemsPerPage);
  const window = { limit: Math.min(most, limits.unpaginatedRows) + 1, offset: 0, own: true } as const;
  const read = prepared(listing, list, fields, { window, placed: isReport });
  const rows = await rowsOf(listing, read);
  if (rows.length < window.limit) {
    const data = await recordsOf<T>(listing, read.plan, rows);
    return cut(await finished(wholePage(data)), limits.itemsPerPage);
  }
  const keys = await keysOf(listing, list, exported);
  // Not `pop`: other requests may share these rows.
  const firstRows = rows.slice(0, -1);
  const areStillFirst = firstRows.every((row, i) => read.plan.placeOf(row).at(-1) === keys[i]);
  const first = isReport && areStillFirst ? await recordsOf<T>(listing, read.plan, firstRows) : [];
  await finish?.(first);
  const size = Math.min(firstRows.length, isReport ? Infinity : isLarge ? PART_OF_LARGE : PART);
  const parts = partsOf(listing, list, fields, first, slices(keys.slice(first.length), size), finish);
  const begun = await parts.next();
  const page = wholePage(begun.value ?? [], keys.length);
  following.set(page, parts);
  return page;
}

/** Splits a page that was read as a whole into parts, if it has more than `most` records. */
export function cut<T extends object>(page: Page<T>, most: number): Page<T> {
  if (page.data.length <= most) return page;
  const parts = slices(page.data, Math.min(PART, most));
  const first = { ...page, data: parts.next().value ?? [] };
  following.set(first, parts);
  return first;
}

function* slices<T>(records: readonly T[], size: number): Generator<T[], void, void> {
  for (let from = 0; from < records.length; from += size) yield records.slice(from, from + size);
}

async function keysOf(listing: Listing, list: RecordList, exported: boolean): Promise<number[]> {
  const cap = listing.limits.unpaginatedRows;
  const { plan, values } = prepared(listing, list, NOTHING);
  const [row] = await listing.reader.rows(plan.keysText, [...values, cap], sharing(plan));
  const [keys, snapshot] = row as [number[] | null, string];
  if (keys && keys.length <= cap) return keys;
  await listing.totals?.keep(longKey(list), plan.countedTables, { total: cap + 1, snapshot });
  throw tooLarge(cap, exported);
}

/** Cache key of the fact that a list has at least so many records. */
const longKey = (list: RecordList): string => `${totalKey(list)} or more`;

/**
 * Refuses a list that was too long before, if its tables have not changed since. This makes repeated requests cheap.
 * @throws RESULT_TOO_LARGE
 */
async function refuseLong(listing: Listing, list: RecordList, exported: boolean): Promise<void> {
  const cap = listing.limits.unpaginatedRows;
  const found = listing.totals?.find(longKey(list));
  if (!found || found.total <= cap) return;
  const { plan } = prepared(listing, list, NOTHING);
  const [row] = await listing.reader.rows(plan.writtenText, [found.snapshot], {});
  if (!row![0]) throw tooLarge(cap, exported);
}

async function* partsOf<T extends object>(
  listing: Listing,
  list: RecordList<T>,
  fields: Selection,
  first: T[],
  keys: Iterable<number[]>,
  finish: Options<T>['finish'],
): AsyncGenerator<T[], void, void> {
  yield* slices(first, PART);
  for (const ids of keys) {
    const own = { ...listing, budget: new Budget(listing.limits.request) };
    if (!listing.parts.tryEnter()) await listing.parts.wait();
    let part: T[];
    try {
      const read = prepared(own, among(list, ids), fields);
      // Not shared with other requests: only a few parts are read at a time, and one would wait for the other.
      part = await recordsOf<T>(own, read.plan, await rowsOf(own, read, {}));
      await finish?.(part);
    } finally {
      listing.parts.leave();
    }
    yield* slices(part, PART);
  }
}
