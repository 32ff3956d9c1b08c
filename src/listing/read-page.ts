import { tooLarge } from '../errors.ts';
import type { Query } from './compile.ts';
import { unordered, type RecordList, type Window } from './list.ts';
import type { Page } from './page.ts';
import { prepared, totalKey } from './plans.ts';
import { records, recordsOf, rowsOf, type Listing } from './read.ts';
import { NOTHING, type Selection } from './selection.ts';
import type { Total } from './totals.ts';

/**
 * Limit for gathering the matches of a text search: finding them by index and sorting them takes at most 100 ms. With
 * more matches, scanning in order finds a page sooner, unless all matches come late.
 */
const GATHERED = 20_000;

/**
 * The page of a list that the client asked for, with the fields selected below `data`. Rows are read only when `data`
 * is selected, and counted only when `total` or `totalPages` is. A cached total is used while it is still correct.
 * @throws RESULT_TOO_LARGE when an unpaginated list exceeds its cap
 */
export async function readPage<T extends object>(
  listing: Listing,
  list: RecordList<T>,
  selection: Selection,
): Promise<Page<T>> {
  const { window } = list;
  if (!window) return readWhole(listing, list, selection);
  const { limit, offset } = window;
  const isCounted = (selection['total'] ?? selection['totalPages']) !== undefined;
  const { data, total } = selection['data']
    ? await readRows(listing, list, window, selection['data'], isCounted)
    : { data: [], total: isCounted ? await count(listing, list) : 0 };
  return { data, total, page: offset / limit + 1, itemsPerPage: limit, totalPages: Math.ceil(total / limit) };
}

/** Reads the rows of a page, and the total in the same statement or a later one; 0 if it is not counted. */
async function readRows<T extends object>(
  listing: Listing,
  list: RecordList<T>,
  window: Window,
  selection: Selection,
  isCounted: boolean,
): Promise<Pick<Page<T>, 'data' | 'total'>> {
  const before = isCounted ? listing.totals?.find(totalKey(list)) : undefined;
  const total = isCounted ? howTotalled(listing, list, before) : undefined;
  const { plan, values } = prepared(listing, list, selection, { window, total });
  const snapshot = total === 'recounted' ? [before!.snapshot] : [];
  const rows = await rowsOf(listing, { plan, values: [...values, ...snapshot] });
  const counted = rows[0] && plan.totalOf(rows[0]);
  if (counted) await listing.totals?.keep(totalKey(list), plan.countedTables, counted);
  const data = await recordsOf<T>(listing, plan, rows);
  if (!isCounted) return { data, total: 0 };
  const unwritten = rows[0] && before?.total;
  const known = counted?.total ?? totalOf(rows, window) ?? unwritten;
  return { data, total: known ?? (await count(listing, list)) };
}

/**
 * How the rows get their total. A text search is gathered, unless it has many matches: an index finds its rows fast,
 * but none returns them in order.
 */
function howTotalled(
  { metadata }: Listing,
  { entity, conditions }: RecordList,
  before: Total | undefined,
): Query['total'] {
  const searches =
    !metadata.get(entity).expression && conditions.some(({ comparison }) => comparison.match === 'text');
  if (searches && (!before || before.total <= GATHERED)) return 'gathered';
  return before && 'recounted';
}

/** The total without a count, when the page is the last one; otherwise undefined. */
function totalOf(rows: unknown[], { limit, offset }: Window): number | undefined {
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
  return isLast ? offset + rows.length : undefined;
}

async function count(listing: Listing, list: RecordList): Promise<number> {
  const { plan, values } = prepared(listing, unordered(list), NOTHING);
  const [row] = (await listing.reader.rows(plan.countText, values)) as [[string, string]];
  const counted = { total: Number(row[0]), snapshot: row[1] };
  await listing.totals?.keep(totalKey(list), plan.countedTables, counted);
  return counted.total;
}

async function readWhole<T extends object>(
  listing: Listing,
  list: RecordList<T>,
  selection: Selection,
): Promise<Page<T>> {
  const cap = listing.limits.unpaginatedRows;
  const window = { limit: cap + 1, offset: 0 };
  const data =
    selection['data'] && (await records<T>(listing, prepared(listing, list, selection['data'], { window })));
  if (data && data.length > cap) throw tooLarge(cap);
  const total = data ? data.length : await count(listing, list);
  return { data: data ?? [], total, page: 1, itemsPerPage: total, totalPages: 1 };
}
