import { tooLarge } from '../errors.ts';
import type { Plan } from './compile.ts';
import { findingOf, type Finding } from './finding.ts';
import type { Place } from './keyset.ts';
import type { Query } from './query.ts';
import { unordered, windowOf, type RecordList, type Window } from './list.ts';
import type { ListArgs } from './args.ts';
import { cursorOf } from './cursor.ts';
import { ofWhole, type Page } from './page.ts';
import { prepared, totalKey } from './plans.ts';
import { isQuickPage } from './quick.ts';
import type { Listing } from './listing.ts';
import { records, recordsOf, rowsOf, sharing } from './records.ts';
import { NOTHING, type Selection } from './selection.ts';
import type { Total } from './totals.ts';

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
  return ofWhole(page, { list, listing, parent: 0, memo: new Map() });
}

async function readWindow<T extends object>(
  listing: Listing,
  list: RecordList<T>,
  window: Window,
  selection: Selection,
): Promise<Page<T>> {
  const isCounted = (selection['total'] ?? selection['totalPages']) !== undefined;
  const { data, total, nextCursor } =
    selection['data'] || selection['nextCursor']
      ? await readRows(listing, list, window, selection, isCounted)
      : { data: [], total: isCounted ? await count(listing, list) : 0, nextCursor: null };
  return { ...partialPage(data, total, window), nextCursor };
}

/** The page of a list of `total` records that has these in its window. */
export const partialPage = <T>(data: T[], total: number, { limit, offset }: Window): Page<T> => ({
  data,
  total,
  page: offset / limit + 1,
  itemsPerPage: limit,
  totalPages: Math.ceil(total / limit),
});

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
  const finding = findingOf(listing, list, before, isCounted);
  const placed = selection['nextCursor'] !== undefined;
  const options = {
    placed,
    window: placed ? { ...window, limit: window.limit + 1 } : window,
    isQuick: isQuickPage(listing, list, window, before),
  };
  const reading = (how: Finding) => findRows(listing, list, selection['data'] ?? NOTHING, options, how);
  let read = await reading(finding);
  // The list may begin elsewhere since something was written.
  const isOutdated = finding.first && (read.counted || read.found.length === 0);
  if (isOutdated) read = await reading({ ...finding, first: undefined });
  const { plan, found, counted } = read;
  const rows = found.slice(0, window.limit);
  const nextCursor = found.length > rows.length ? cursorOf(list, plan.placeOf(rows.at(-1)!)) : null;
  if (counted) await listing.totals?.keep(totalKey(list), plan.countedTables, counted);
  else if (rows[0] && window.offset === 0) finding.keepFirst?.(plan.placeOf(rows[0]) as Place);
  const data = await recordsOf<T>(listing, plan, rows);
  if (!isCounted) return { data, total: 0, nextCursor };
  const unwritten = rows[0] && before?.total;
  const known = counted?.total ?? (list.after ? undefined : totalOf(found, window)) ?? unwritten;
  return { data, total: known ?? (await count(listing, list)), nextCursor };
}

/** The rows of a page and, if it had to be counted, the total of its list. */
async function findRows(
  listing: Listing,
  list: RecordList,
  fields: Selection,
  { isQuick, ...options }: Pick<Query, 'placed'> & { window: Window; isQuick: boolean },
  { total, scanned, snapshot, first, keepFirst }: Finding,
): Promise<{ plan: Plan; found: unknown[][]; counted: Total | undefined }> {
  const { plan, values } = prepared(listing, first ? list.with({ after: first }) : list, fields, {
    ...options,
    total,
    scanned,
    placed: options.placed || keepFirst !== undefined,
    ...(first && { from: true }),
  });
  const found = await rowsOf(listing, {
    plan,
    values: snapshot === undefined ? values : [...values, snapshot],
    isQuick,
  });
  return { plan, found, counted: found[0] && plan.totalOf(found[0]) };
}

/** The total without a count, when the page is the last one; otherwise undefined. */
export function totalOf(rows: readonly unknown[], { limit, offset }: Window): number | undefined {
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
export const wholePage = <T>(data: T[], total = data.length): Page<T> => ({
  data,
  total,
  page: 1,
  itemsPerPage: total,
  totalPages: 1,
});

/** The page of a list whose records were all read already, and that REST answers whole by default. */
export function pageOf<T>(records: T[], args: ListArgs): Page<T> {
  const window = windowOf(args, 'optional');
  if (!window) return wholePage(records);
  const { limit, offset } = window;
  return partialPage(records.slice(offset, offset + limit), records.length, window);
}
