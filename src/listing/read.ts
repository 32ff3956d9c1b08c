import type { EntityMetadata, MetadataStorage } from '@mikro-orm/core';
import { tooLarge } from '../errors.ts';
import { listOf, type ListArgs, type ListDeclaration } from './args.ts';
import { attachChildren } from './children.ts';
import type { Plan } from './compile.ts';
import type { Page } from './page.ts';
import { pick, pickKey, planFor, type Picked, type Scope, type Window } from './plans.ts';
import { cursorBatches, type CursorPlace, type Reader } from './reader.ts';
import { selectionOfPaths, type Selection } from './selection.ts';
import type { Total, Totals } from './totals.ts';

/** Bounds of every list (contract 3), from the configuration. */
interface ListLimits {
  itemsPerPage: number;
  unpaginatedRows: number;
  /** Longest wait for the next rows of a list that is streamed, in milliseconds. */
  batchMs: number;
}

export interface Listing {
  metadata: MetadataStorage;
  reader: Reader;
  limits: ListLimits;
  /** Not for reads inside a transaction, which see what may never come to be. */
  totals?: Totals | undefined;
}

const NOTHING: Selection = {};

/**
 * One page of the list that `args` declares, with the fields selected below `data`. Rows are read only when `data`
 * is selected, and counted only when `total` or `totalPages` is and no total is known that still holds.
 * @throws RESULT_TOO_LARGE when an unpaginated list passes its cap
 */
export async function readPage<T>(
  listing: Listing,
  args: ListArgs,
  selection: Selection,
  scope: Scope = {},
): Promise<Page<T>> {
  const list = listOf(args);
  if (!isPaged(list, args)) return readWhole<T>(listing, args, selection, scope);
  const window = windowOf(args);
  const { query, values } = pick(list, args, scope, window);
  const all: Picked = { query, values: values.slice(0, query.filters.length) };
  const entity = listing.metadata.get(list.entity());
  const isCounted = (selection['total'] ?? selection['totalPages']) !== undefined;
  const kept = isCounted && selection['data'] ? listing.totals?.find(entity, all) : undefined;
  const plan = planFor(entity, selection['data'] ?? NOTHING, kept ? { ...query, checked: true } : query);
  const rows =
    selection['data'] && (await listing.reader.rows(plan.text, kept ? [...values, kept.snapshot] : values));
  const known = isCounted ? (totalOf(rows, window) ?? (rows && checked(rows, kept))) : 0;
  const total = known ?? (await count(listing, entity, plan, all));
  return {
    data: rows ? await recordsOf<T>(listing, plan, rows) : [],
    total,
    page: args.page ?? 1,
    itemsPerPage: window.limit,
    totalPages: Math.ceil(total / window.limit),
  };
}

async function readWhole<T>(
  listing: Listing,
  args: ListArgs,
  selection: Selection,
  scope: Scope,
): Promise<Page<T>> {
  const list = listOf(args);
  const cap = listing.limits.unpaginatedRows;
  const { query, values } = pick(list, args, scope, { limit: cap + 1, offset: 0 });
  const entity = listing.metadata.get(list.entity());
  const plan = planFor(entity, selection['data'] ?? NOTHING, query);
  const data = selection['data'] && (await records<T>(listing, plan, values));
  if (data && data.length > cap) throw tooLarge(cap);
  const total = data ? data.length : await count(listing, entity, plan, pick(list, args, scope));
  return { data: data ?? [], total, page: 1, itemsPerPage: total, totalPages: 1 };
}

function isPaged(list: ListDeclaration, args: ListArgs): boolean {
  if (list.paging === 'always' || list.paging === 'never') return list.paging === 'always';
  return args.pagination ?? list.paging === 'default';
}

function windowOf({ page, itemsPerPage }: ListArgs): Window {
  const limit = itemsPerPage ?? 10;
  return { limit, offset: ((page ?? 1) - 1) * limit };
}

/** A page that is not full is the last one, and tells the total without a count. */
function totalOf(rows: unknown[] | undefined, { limit, offset }: Window): number | undefined {
  const isLast = rows && rows.length < limit && (rows.length > 0 || offset === 0);
  return isLast ? offset + rows.length : undefined;
}

/** The total kept, unless the rows say that its tables were written since. */
const checked = ([row]: unknown[][], kept: Total | undefined): number | undefined =>
  kept && row?.at(-1) === false ? kept.total : undefined;

async function count(listing: Listing, entity: EntityMetadata, plan: Plan, all: Picked): Promise<number> {
  const [row] = (await listing.reader.rows(plan.countText, all.values)) as [[string, string]];
  const total = Number(row[0]);
  await listing.totals?.keep(entity, all, plan.countedTables, { total, snapshot: row[1] });
  return total;
}

/** Whether the list that `args` declares has more than so many records; no more of them are looked at. */
export async function isLongerThan(
  most: number,
  listing: Listing,
  args: ListArgs,
  scope: Scope,
): Promise<boolean> {
  const list = listOf(args);
  const { query, values } = pick(list, args, scope);
  const plan = planFor(listing.metadata.get(list.entity()), NOTHING, query);
  const [row] = await listing.reader.rows(plan.longerText, [...values, most]);
  return row![0] as boolean;
}

/**
 * The record that these values identify (`{ id: 1 }`), with the fields selected, and its version; null when there is none.
 */
export async function readOne<T extends object>(
  listing: Listing,
  entity: new () => T,
  key: Scope,
  selection: Selection,
): Promise<T | null> {
  const { query, values } = pickKey(key);
  const metadata = listing.metadata.get(entity);
  const plan = planFor(metadata, selection, { ...query, version: 'versao' in metadata.properties });
  const [record] = await records<T>(listing, plan, values);
  return record ?? null;
}

const BATCH = 500;

/** The values at these paths of every record of the list that `args` declares, unpaginated, in batches from a cursor. */
export async function* streamList(
  listing: Listing,
  { pool, signal }: Pick<CursorPlace, 'pool' | 'signal'>,
  args: ListArgs,
  paths: readonly string[],
  scope: Scope,
): AsyncGenerator<unknown[][]> {
  const list = listOf(args);
  const place = { pool, signal, reader: listing.reader };
  const { query, values } = pick(list, args, scope);
  const plan = planFor(listing.metadata.get(list.entity()), selectionOfPaths(paths), query);
  const valuesOf = plan.valuesAt(paths);
  const batches = { size: BATCH, timeoutMs: listing.limits.batchMs };
  for await (const rows of cursorBatches(place, plan.text, values, batches)) yield rows.map(valuesOf);
}

/** The same of at most so many records, as one batch, which is read when it is asked for. */
export async function* readBatch(
  most: number,
  listing: Listing,
  args: ListArgs,
  paths: readonly string[],
  scope: Scope,
): AsyncGenerator<unknown[][]> {
  const list = listOf(args);
  const { query, values } = pick(list, args, scope, { limit: most, offset: 0 });
  const plan = planFor(listing.metadata.get(list.entity()), selectionOfPaths(paths), query);
  const rows = await listing.reader.rows(plan.text, values);
  yield rows.map(plan.valuesAt(paths));
}

const records = async <T>(listing: Listing, plan: Plan, values: readonly unknown[]): Promise<T[]> =>
  recordsOf<T>(listing, plan, await listing.reader.rows(plan.text, values));

/** The records that rows of a plan hold, with their to-many fields. */
async function recordsOf<T>(listing: Listing, plan: Plan, rows: unknown[][]): Promise<T[]> {
  const found = rows.map(plan.toRecord);
  for (const field of plan.many) {
    await attachChildren(field, found, (child, selection, query, ids) =>
      records(listing, planFor(child.entity, selection, query), [ids]),
    );
  }
  return found as T[];
}
