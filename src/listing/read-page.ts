import type { EntityMetadata } from '@mikro-orm/core';
import { tooLarge } from '../errors.ts';
import { listOf, type ListArgs, type ListDeclaration } from './args.ts';
import { isSearch, type Plan, type Query } from './compile.ts';
import type { Page } from './page.ts';
import { queryOf, planFor, totalKey, type QueryWithValues, type Scope, type Window } from './plans.ts';
import { records, recordsOf, rowsOf, type Listing } from './read.ts';
import { NOTHING, type Selection } from './selection.ts';
import type { Total } from './totals.ts';

/**
 * Limit for gathering the matches of a text search: finding them by index and sorting them takes at most 100 ms. With
 * more matches, scanning in order finds a page sooner, unless all matches come late.
 */
const GATHERED = 20_000;

/** All rows of a list, as counted for `total`. */
interface Counted {
  entity: EntityMetadata;
  all: QueryWithValues;
}

/** A page of a list with the selected fields. */
interface PageRequest extends Counted {
  selection: Selection;
  isCounted: boolean;
  /** Query of the page's rows. */
  pageQuery: QueryWithValues;
  window: Window;
  number: number;
}

/**
 * One page of the list that `args` declares, with the fields selected below `data`. Rows are read only when `data` is
 * selected, and counted only when `total` or `totalPages` is. A cached total is used while it is
 * still correct.
 * @throws RESULT_TOO_LARGE when an unpaginated list exceeds its cap
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
  const request = pageRequestOf(list, entity, args, selection, scope);
  const page = selection['data'] ? await pageOf(listing, request) : await readTotal(listing, request);
  return page as Page<T>;
}

function isPaged(list: ListDeclaration, args: ListArgs): boolean {
  if (list.paging === 'always' || list.paging === 'never') return list.paging === 'always';
  return args.pagination ?? list.paging === 'default';
}

function pageRequestOf(
  list: ListDeclaration,
  entity: EntityMetadata,
  args: ListArgs,
  selection: Selection,
  scope: Scope,
): PageRequest {
  const number = args.page ?? 1;
  const limit = args.itemsPerPage ?? 10;
  const window = { limit, offset: (number - 1) * limit };
  const { query, values } = queryOf(list, args, scope, window);
  const isCounted = (selection['total'] ?? selection['totalPages']) !== undefined;
  return {
    entity,
    selection,
    isCounted,
    pageQuery: { query, values },
    all: { query, values: values.slice(0, query.filters.length) },
    window,
    number,
  };
}

/** Reads a page, and its total in the same statement or a later one. */
async function pageOf(listing: Listing, request: PageRequest): Promise<Page<unknown>> {
  const { entity, selection, isCounted, pageQuery, all, window } = request;
  const before = isCounted ? listing.totals?.find(totalKey(entity, all)) : undefined;
  const total = isCounted ? howTotalled(request, before) : undefined;
  const plan = planFor(entity, selection['data']!, { ...pageQuery.query, total });
  const values = total === 'recounted' ? [...pageQuery.values, before!.snapshot] : pageQuery.values;
  const rows = await rowsOf(listing, plan, values);
  const counted = rows[0] && plan.totalOf(rows[0]);
  if (counted) await listing.totals?.keep(totalKey(entity, all), plan.countedTables, counted);
  const data = await recordsOf(listing, plan, rows);
  if (!isCounted) return { data, ...numbersOf(request, 0) };
  const unwritten = rows[0] && before?.total;
  const known = counted?.total ?? totalOf(rows, window) ?? unwritten;
  return { data, ...numbersOf(request, known ?? (await count(listing, request, plan))) };
}

/** How the rows get their total. A text search is gathered, unless it has many matches. */
function howTotalled({ entity, pageQuery }: PageRequest, before: Total | undefined): Query['total'] {
  if (isSearch(entity, pageQuery.query) && (!before || before.total <= GATHERED)) return 'gathered';
  return before && 'recounted';
}

async function readTotal(listing: Listing, request: PageRequest): Promise<Page<unknown>> {
  const plan = planFor(request.entity, NOTHING, request.all.query);
  const total = request.isCounted ? await count(listing, request, plan) : 0;
  return { data: [], ...numbersOf(request, total) };
}

function numbersOf({ number, window: { limit } }: PageRequest, total: number): Omit<Page<unknown>, 'data'> {
  return { total, page: number, itemsPerPage: limit, totalPages: Math.ceil(total / limit) };
}

/** The total without a count, when the page is the last one; otherwise undefined. */
function totalOf(rows: unknown[], { limit, offset }: Window): number | undefined {
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
  return isLast ? offset + rows.length : undefined;
}

async function count({ reader, totals }: Listing, { entity, all }: Counted, plan: Plan): Promise<number> {
  const [row] = (await reader.rows(plan.countText, all.values)) as [[string, string]];
  const counted = { total: Number(row[0]), snapshot: row[1] };
  await totals?.keep(totalKey(entity, all), plan.countedTables, counted);
  return counted.total;
}

async function readWhole<T>(
  listing: Listing,
  entity: EntityMetadata,
  args: ListArgs,
  selection: Selection,
  scope: Scope,
): Promise<Page<T>> {
  const list = listOf(args);
  const cap = listing.limits.unpaginatedRows;
  const { query, values } = queryOf(list, args, scope, { limit: cap + 1, offset: 0 });
  const plan = planFor(entity, selection['data'] ?? NOTHING, query);
  const data = selection['data'] && (await records<T>(listing, plan, values));
  if (data && data.length > cap) throw tooLarge(cap);
  const total = data ? data.length : await count(listing, { entity, all: queryOf(list, args, scope) }, plan);
  return { data: data ?? [], total, page: 1, itemsPerPage: total, totalPages: 1 };
}
