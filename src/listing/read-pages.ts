import { cursorOf } from './cursor.ts';
import type { RecordList } from './list.ts';
import { ofWhole, type Page } from './page.ts';
import { prepared } from './plans.ts';
import type { Listing } from './listing.ts';
import { partialPage, wholePage } from './read-page.ts';
import { recordsOf, rowsOf } from './records.ts';
import { NOTHING, type Selection } from './selection.ts';

/**
 * The page of each parent of a list, in one statement for all parents. `times` says how often each parent appears in
 * the answer. @throws RESULT_TOO_LARGE
 */
export async function readPages(
  listing: Listing,
  list: RecordList,
  selection: Selection,
  times: ReadonlyMap<number, number>,
): Promise<Map<number, Page<object>>> {
  const { window } = list;
  const isCounted = (selection['total'] ?? selection['totalPages']) !== undefined;
  const placed = selection['nextCursor'] !== undefined;
  const { plan, values } = prepared(listing, list, selection['data'] ?? NOTHING, {
    window: window
      ? { ...window, limit: window.limit + (placed ? 1 : 0) }
      : listing.budget && { limit: listing.budget.most, offset: 0 },
    ...(isCounted && { total: 'each' }),
    placed,
    most: listing.budget?.most,
  });
  const rows = await rowsOf(listing, { plan, values });
  const ofParent = new Map<number, { total: number; rows: unknown[][] }>();
  for (const row of rows) {
    const { id, isEmpty, total } = plan.parentOf(row);
    let found = ofParent.get(id);
    if (!found) ofParent.set(id, (found = { total, rows: [] }));
    if (!isEmpty) found.rows.push(row);
  }
  const most = window?.limit ?? Infinity;
  const shown: unknown[][] = [];
  const counts: number[] = [];
  for (const [id, found] of ofParent) {
    for (const row of found.rows.slice(0, most)) {
      shown.push(row);
      counts.push(times.get(id) ?? 1);
    }
  }
  const records = await recordsOf<object>(listing, plan, shown, { times: counts });
  let next = 0;
  const memo = new Map<string, unknown>();
  return new Map(
    [...ofParent].map(([id, { total, rows: own }]) => {
      const data = records.slice(next, (next += Math.min(own.length, most)));
      const all = isCounted ? total : data.length;
      // The cursor is the same as on a page of this parent alone.
      const nextCursor = (): string =>
        cursorOf(list.with({ parents: { ...list.parents!, ids: [id] } }), plan.placeOf(own[most - 1]!));
      const page: Page<object> = {
        ...(window ? partialPage(data, all, window) : wholePage(data, all)),
        nextCursor: own.length > most ? nextCursor() : null,
      };
      return [id, ofWhole(page, { list, listing, parent: id, memo })];
    }),
  );
}
