import { tooLarge } from '../errors.ts';
import { isReadByKeys, isShared } from './compile.ts';
import type { Query } from './query.ts';
import { searchedPaths } from './condition.ts';
import { isSearchedInOrder } from '../entities/column.ts';
import { unordered, type RecordList, type Window } from './list.ts';
import { cursorOf } from './cursor.ts';
import { ofWhole, type Page } from './page.ts';
import { prepared, totalKey } from './plans.ts';
import { records, recordsOf, rowsOf, sharing, type Listing } from './read.ts';
import { NOTHING, type Selection } from './selection.ts';
import type { KnownTotal } from './totals.ts';

/**
 * Most matches of a text search that are gathered: an index finds them fast, but not in order. With more matches,
 * scanning in order finds a page sooner, unless all matches come late.
 */
const GATHERED = 20_000;

/**
 * So many rows are compared in the time in which one match is gathered, where an index in the list's order stores the
 * searched text.
 */
const COMPARED = 20;

/**
 * The page of a list that the client asked for, with the fields selected below `data`. Rows are read only when `data`
 * is selected, and counted only when `total` or `totalPages` is. A cached total is used while it is still correct.
 * @throws RESULT_TOO_LARGE when an unpaginated list exceeds its cap or the request's budget
 */
export async function readPage<T extends object>(
  listing: Listing,
  list: RecordList<T>,
  selection: Selection,
): Promise<Page<T>> {
  const page = await (list.window
    ? readWindow(listing, list, list.window, selection)
    : readWhole(listing, list, selection));
  return ofWhole(page, { list, parent: 0, memo: new Map() });
}

async function readWindow<T extends object>(
  listing: Listing,
  list: RecordList<T>,
  window: Window,
  selection: Selection,
): Promise<Page<T>> {
  const { limit, offset } = window;
  const isCounted = (selection['total'] ?? selection['totalPages']) !== undefined;
  const { data, total, nextCursor } =
    selection['data'] || selection['nextCursor']
      ? await readRows(listing, list, window, selection, isCounted)
      : { data: [], total: isCounted ? await count(listing, list) : 0, nextCursor: null };
  const totalPages = Math.ceil(total / limit);
  return { data, total, page: offset / limit + 1, itemsPerPage: limit, totalPages, nextCursor };
}

/**
 * Reads the rows of a page. The total comes from the same statement or a later one; it is 0 if it was not asked for.
 */
async function readRows<T extends object>(
  listing: Listing,
  list: RecordList<T>,
  window: Window,
  selection: Selection,
  isCounted: boolean,
): Promise<Pick<Page<T>, 'data' | 'total' | 'nextCursor'>> {
  const before = listing.totals?.find(totalKey(list));
  const { total, scanned } = wayTo(listing, list, before, isCounted);
  const placed = selection['nextCursor'] !== undefined;
  const read = placed ? { ...window, limit: window.limit + 1 } : window;
  const { plan, values } = prepared(listing, list, selection['data'] ?? NOTHING, {
    window: read,
    total,
    scanned,
    placed,
  });
  const snapshot = total === 'recounted' ? [before!.snapshot] : [];
  const found = await rowsOf(listing, { plan, values: [...values, ...snapshot] });
  const rows = found.slice(0, window.limit);
  const nextCursor = found.length > rows.length ? cursorOf(list, plan.placeOf(rows.at(-1)!)) : null;
  const counted = rows[0] && plan.totalOf(rows[0]);
  if (counted) await listing.totals?.keep(totalKey(list), plan.countedTables, counted);
  const data = await recordsOf<T>(listing, plan, rows);
  if (!isCounted) return { data, total: 0, nextCursor };
  const unwritten = rows[0] && before?.total;
  const known = counted?.total ?? (list.after ? undefined : totalOf(found, window)) ?? unwritten;
  return { data, total: known ?? (await count(listing, list)), nextCursor };
}

/** How the rows of a page are found, and how they get their total. */
function wayTo(
  { metadata }: Listing,
  list: RecordList,
  before: KnownTotal | undefined,
  isCounted: boolean,
): Pick<Query, 'total' | 'scanned'> {
  const { after } = list;
  const entity = metadata.get(list.entity);
  const searched = entity.expression ? [] : searchedIn(list);
  // A total that may be outdated still shows how many rows there are, more or less.
  const scanned = searched.length > 0 && before && isScanned(list, searched, before);
  if (!isCounted) return { scanned };
  if (!after && !isReadByKeys(entity)) return { total: 'beside' };
  if (!after && isShared(entity)) return { total: 'gathered' };
  if (searched.length > 0 && !after && !scanned) return { total: 'gathered' };
  return { total: before && 'recounted', scanned };
}

/** Paths to the texts of which the rows of a list must contain a part. */
const searchedIn = ({ conditions, where }: RecordList): string[] => [
  ...conditions.flatMap(({ comparison: { match, paths } }) => (match === 'text' ? paths : [])),
  ...(where ? searchedPaths(where.condition) : []),
];

/**
 * Whether so many rows match that the list is scanned in its order. If the searched text is what the list is ordered
 * by, matches may come late: texts that begin with `tolueno` do. Then a scan of all rows must not take longer than
 * gathering.
 */
function isScanned(
  { entity, conditions, where, orders }: RecordList,
  searched: readonly string[],
  { total, of }: KnownTotal,
): boolean {
  const others = conditions.length + (where ? 1 : 0) - 1;
  const [path] = searched;
  const isInIndex = others === 0 && searched.length === 1 && path === orders[0]?.path;
  return isInIndex && isSearchedInOrder(entity, path!) ? of >= 0 && total * COMPARED > of : total > GATHERED;
}

/** The total without a count, when the page is the last one; otherwise undefined. */
function totalOf(rows: unknown[], { limit, offset }: Window): number | undefined {
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
  return isLast ? offset + rows.length : undefined;
}

async function count(listing: Listing, list: RecordList): Promise<number> {
  const { plan, values } = prepared(listing, unordered(list), NOTHING);
  const [row] = (await listing.reader.rows(plan.countText, values, sharing(plan))) as [[string, string]];
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
  const limit = Math.min(cap + 1, listing.budget?.most ?? Infinity);
  const window = { limit, offset: 0, own: true } as const;
  const data =
    selection['data'] && (await records<T>(listing, prepared(listing, list, selection['data'], { window })));
  if (data && data.length > cap) throw tooLarge(cap);
  return wholePage(data ?? [], data ? data.length : await count(listing, list));
}

/** A list of records as one page. */
export const wholePage = <T>(data: T[], total: number): Page<T> => ({
  data,
  total,
  page: 1,
  itemsPerPage: total,
  totalPages: 1,
});
