import type { EntityMetadata } from '@mikro-orm/core';
import { tooLarge } from '../errors.ts';
import { listOf, type ListArgs, type ListDeclaration } from './args.ts';
import { isSearch, type Plan, type Query } from './compile.ts';
import { settled, type ReadPage, type Total } from './kept-reads.ts';
import type { Page } from './page.ts';
import { keyOf, pick, planFor, type Picked, type Scope, type Window } from './plans.ts';
import { records, recordsOf, rowsOf, type Listing } from './read.ts';
import { NOTHING, type Selection } from './selection.ts';

/**
 * Of so many rows that contain a text, a page is looked for in their order again, which is soon found unless they all
 * come late; fewer are found by the index and put in order, which takes 100 ms at most.
 */
const GATHERED = 20_000;

/** All rows of a list, which `total` counts. */
interface Counted {
  entity: EntityMetadata;
  all: Picked;
}

/** A page of a list, and which parts of it are wanted. */
interface Asked extends Counted {
  selection: Selection;
  isCounted: boolean;
  /** The rows of the page. */
  picked: Picked;
  window: Window;
  number: number;
}

/**
 * One page of the list that `args` declares, with the fields selected below `data`. Rows are read only when `data`
 * is selected, and counted only when `total` or `totalPages` is. A page that was read before is shown again while it
 * would be read the same.
 * @throws RESULT_TOO_LARGE when an unpaginated list passes its cap
 */
export async function readPage<T>(
  listing: Listing,
  args: ListArgs,
  selection: Selection,
  scope: Scope = {},
): Promise<Page<T>> {
  const list = listOf(args);
  const entity = listing.metadata.get(list.entity());
  if (!isPaged(list, args)) return readWhole<T>(listing, entity, args, selection, scope);
  const asked = askedOf(list, entity, args, selection, scope);
  const page = selection['data'] ? await pageOf(listing, asked) : await readTotal(listing, asked);
  return page as Page<T>;
}

function isPaged(list: ListDeclaration, args: ListArgs): boolean {
  if (list.paging === 'always' || list.paging === 'never') return list.paging === 'always';
  return args.pagination ?? list.paging === 'default';
}

function askedOf(
  list: ListDeclaration,
  entity: EntityMetadata,
  args: ListArgs,
  selection: Selection,
  scope: Scope,
): Asked {
  const number = args.page ?? 1;
  const limit = args.itemsPerPage ?? 10;
  const window = { limit, offset: (number - 1) * limit };
  const { query, values } = pick(list, args, scope, window);
  const isCounted = (selection['total'] ?? selection['totalPages']) !== undefined;
  return {
    entity,
    selection,
    isCounted,
    picked: { query: { ...query, stamped: true }, values },
    all: { query, values: values.slice(0, query.filters.length) },
    window,
    number,
  };
}

/** The page that is kept, if nothing that it was read from was written since; else as it is now. */
async function pageOf(listing: Listing, asked: Asked): Promise<Page<unknown>> {
  const pages = listing.kept?.pages;
  if (!pages) return (await readAnew(listing, asked)).page;
  const { entity, selection, picked } = asked;
  const key = keyOf(entity, selection, picked);
  const unwritten = async (): Promise<ReadPage | undefined> => {
    const found = pages.find(key);
    return found && !(await isWritten(listing, found)) ? found : undefined;
  };
  const held = (await unwritten()) ?? ((await pages.wasRead(key)) ? await unwritten() : undefined);
  if (held) return held.page;
  const { tables } = planFor(entity, selection['data']!, picked.query);
  const old = pages.find(key);
  return (await pages.read(key, tables, () => readAnew(listing, asked, old))).page;
}

async function isWritten({ reader }: Listing, { snapshot, day, writtenText }: ReadPage): Promise<boolean> {
  const [row] = await reader.rows(writtenText, [snapshot, day]);
  return row![0] as boolean;
}

/** Reads a page and, with it or after it, its total; unless that of the page as it was still holds. */
async function readAnew(listing: Listing, asked: Asked, old?: ReadPage): Promise<ReadPage> {
  const { entity, selection, isCounted, picked, window } = asked;
  const key = totalKey(asked);
  const before = isCounted ? (totalIn(old) ?? listing.kept?.totals.find(key)) : undefined;
  const total = isCounted ? howTotalled(asked, before) : undefined;
  const plan = planFor(entity, selection['data']!, { ...picked.query, total });
  const values = total === 'recounted' ? [...picked.values, before!.snapshot] : picked.values;
  const rows = await rowsOf(listing, plan, values);
  const told = total && rows[0] && Number(rows[0].at(-1) ?? before!.total);
  const known = isCounted ? (totalOf(rows, window) ?? told) : 0;
  // What was counted meanwhile may be older than the rows, which are read again to check it.
  if (known === undefined && (await listing.kept?.totals.wasRead(key))) return readAnew(listing, asked);
  const stamp = plan.stampOf(rows[0]);
  if (isCounted && known !== undefined)
    await listing.kept?.totals.keep(key, plan.countedTables, { total: known, snapshot: stamp.snapshot });
  const page = {
    data: await recordsOf(listing, plan, rows),
    ...numbersOf(asked, known ?? (await count(listing, asked, plan))),
  };
  return { page, bytes: settled(page), ...stamp, writtenText: plan.writtenText };
}

/** Whether the rows tell their total. Those that text is looked for in are not walked in their order, unless they are many. */
function howTotalled({ entity, picked }: Asked, before: Total | undefined): Query['total'] {
  if (isSearch(entity, picked.query) && (!before || before.total <= GATHERED)) return 'gathered';
  return before && 'recounted';
}

const totalIn = (old: ReadPage | undefined): Total | undefined =>
  old && { total: old.page.total, snapshot: old.snapshot };

async function readTotal(listing: Listing, asked: Asked): Promise<Page<unknown>> {
  const plan = planFor(asked.entity, NOTHING, asked.all.query);
  const total = asked.isCounted ? await count(listing, asked, plan) : 0;
  return { data: [], ...numbersOf(asked, total) };
}

function numbersOf({ number, window: { limit } }: Asked, total: number): Omit<Page<unknown>, 'data'> {
  return { total, page: number, itemsPerPage: limit, totalPages: Math.ceil(total / limit) };
}

/** A page that is not full is the last one, and tells the total without a count. */
function totalOf(rows: unknown[], { limit, offset }: Window): number | undefined {
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
  return isLast ? offset + rows.length : undefined;
}

async function count({ reader, kept }: Listing, asked: Counted, plan: Plan): Promise<number> {
  const read = async (): Promise<Total> => {
    const [row] = (await reader.rows(plan.countText, asked.all.values)) as [[string, string]];
    return { total: Number(row[0]), snapshot: row[1] };
  };
  const counted = kept ? kept.totals.read(totalKey(asked), plan.countedTables, read) : read();
  return (await counted).total;
}

/** Whatever is selected, the total is the same, and whatever the order. */
const totalKey = ({ entity, all: { query, values } }: Counted): string =>
  keyOf(entity, NOTHING, { query: { filters: query.filters, orders: [] }, values });

async function readWhole<T>(
  listing: Listing,
  entity: EntityMetadata,
  args: ListArgs,
  selection: Selection,
  scope: Scope,
): Promise<Page<T>> {
  const list = listOf(args);
  const cap = listing.limits.unpaginatedRows;
  const { query, values } = pick(list, args, scope, { limit: cap + 1, offset: 0 });
  const plan = planFor(entity, selection['data'] ?? NOTHING, query);
  const data = selection['data'] && (await records<T>(listing, plan, values));
  if (data && data.length > cap) throw tooLarge(cap);
  const total = data ? data.length : await count(listing, { entity, all: pick(list, args, scope) }, plan);
  return { data: data ?? [], total, page: 1, itemsPerPage: total, totalPages: 1 };
}
