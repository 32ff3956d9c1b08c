import type { EntityMetadata, MetadataStorage } from '@mikro-orm/core';
import type { Pool } from 'pg';
import { linkKey } from '../entities/column.ts';
import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import { listOf, Ordem, type ListArgs, type ListDeclaration } from './args.ts';
import { compile, type Plan, type Query } from './compile.ts';
import type { Page } from './page.ts';
import { cursorBatches, type Reader } from './reader.ts';
import type { Selection } from './selection.ts';

/** Bounds of every list (contract 3), from the configuration. */
export interface ListLimits {
  itemsPerPage: number;
  unpaginatedRows: number;
}

export interface Listing {
  metadata: MetadataStorage;
  reader: Reader;
  limits: ListLimits;
}

/** A value of a filter that is set: the argument is given and not null. */
interface Picked {
  query: Query;
  values: unknown[];
}

const plans = new WeakMap<Selection, Map<string, Plan>>();

/** Plans are kept with the selection they serve, which lives as long as its document does. */
function planFor(entity: EntityMetadata, selection: Selection, query: Query): Plan {
  let known = plans.get(selection);
  if (!known) plans.set(selection, (known = new Map()));
  const key = `${entity.className} ${JSON.stringify(query)}`;
  let plan = known.get(key);
  if (!plan) known.set(key, (plan = compile(entity, selection, query)));
  return plan;
}

/** The filters and orderings that are given, in the order in which the list declares them. */
function pick(list: ListDeclaration, args: ListArgs, paged: boolean): Picked {
  const given = args as Record<string, unknown>;
  const filters = list.filters.filter(f => given[f.argument] != null);
  const orders = list.orders.filter(o => given[o.argument] != null);
  return {
    query: {
      filters: filters.map(({ path, match }) => ({ path, match })),
      orders: orders.map(o => ({
        path: o.path,
        direction: (given[o.argument] as Ordem).toLowerCase() as 'asc' | 'desc',
      })),
      paged,
    },
    values: filters.map(f => given[f.argument]),
  };
}

function isPaged(list: ListDeclaration, args: ListArgs): boolean {
  if (list.paging === 'always' || list.paging === 'never') return list.paging === 'always';
  return args.pagination ?? list.paging === 'default';
}

/**
 * One page of the list that `args` declares, with the fields selected below `data`.
 * @throws RESULT_TOO_LARGE when an unpaginated list passes its cap
 */
export async function readPage<T>(listing: Listing, args: ListArgs, selection: Selection): Promise<Page<T>> {
  const list = listOf(args);
  const entity = listing.metadata.get(list.entity());
  return isPaged(list, args)
    ? pagedList(listing, list, entity, args, selection)
    : wholeList(listing, list, entity, args, selection);
}

async function pagedList<T>(
  listing: Listing,
  list: ListDeclaration,
  entity: EntityMetadata,
  args: ListArgs,
  selection: Selection,
): Promise<Page<T>> {
  const page = args.page ?? 1;
  const itemsPerPage = args.itemsPerPage ?? 10;
  const { query, values } = pick(list, args, true);
  const plan = planFor(entity, selection['data'] ?? {}, query);
  const offset = (page - 1) * itemsPerPage;
  const data = selection['data']
    ? await records<T>(listing, plan, [...values, itemsPerPage, offset])
    : undefined;
  const counted = selection['total'] || selection['totalPages'];
  const total = counted ? await totalOf(listing, plan, values, data, offset, itemsPerPage) : 0;
  return { data: data ?? [], total, page, itemsPerPage, totalPages: Math.ceil(total / itemsPerPage) };
}

/** A page that is not full is the last one, and tells the total without a count. */
async function totalOf(
  listing: Listing,
  plan: Plan,
  values: unknown[],
  data: unknown[] | undefined,
  offset: number,
  itemsPerPage: number,
): Promise<number> {
  if (data && data.length < itemsPerPage && (data.length > 0 || offset === 0)) return offset + data.length;
  const [row] = await listing.reader.rows(plan.countText, values);
  return Number(row![0]);
}

async function wholeList<T>(
  listing: Listing,
  list: ListDeclaration,
  entity: EntityMetadata,
  args: ListArgs,
  selection: Selection,
): Promise<Page<T>> {
  const cap = listing.limits.unpaginatedRows;
  const { query, values } = pick(list, args, true);
  const plan = planFor(entity, selection['data'] ?? {}, query);
  const data = await records<T>(listing, plan, [...values, cap + 1, 0]);
  if (data.length > cap) throw new AppError('RESULT_TOO_LARGE', { detail: messages.resultTooLarge(cap) });
  return { data, total: data.length, page: 1, itemsPerPage: data.length, totalPages: 1 };
}

/** The record with this id, with the fields selected; null when there is none. */
export async function readOne<T>(
  listing: Listing,
  entity: new () => T & object,
  id: number,
  selection: Selection,
): Promise<T | null> {
  const query: Query = { filters: [{ path: 'id', match: 'exact' }], orders: [], paged: false };
  const plan = planFor(listing.metadata.get(entity), selection, query);
  const [record] = await records<T>(listing, plan, [id]);
  return record ?? null;
}

/** Every record of the list that `args` declares, unpaginated, in batches from a cursor. */
export async function* streamList(
  listing: Listing,
  pool: Pool,
  args: ListArgs,
  selection: Selection,
  size = 1000,
): AsyncGenerator<Record<string, unknown>[]> {
  const list = listOf(args);
  const { query, values } = pick(list, args, false);
  const plan = planFor(listing.metadata.get(list.entity()), selection, query);
  for await (const rows of cursorBatches(pool, plan.text, values, size)) yield rows.map(plan.toRecord);
}

async function records<T>(listing: Listing, plan: Plan, values: readonly unknown[]): Promise<T[]> {
  const rows = await listing.reader.rows(plan.text, values);
  const found = rows.map(plan.toRecord);
  for (const field of plan.many) await attach(listing, field, found);
  return found as T[];
}

/** Reads the children of all records in one statement and hangs them on their parents. */
async function attach(
  listing: Listing,
  field: Plan['many'][number],
  found: Record<string, unknown>[],
): Promise<void> {
  const parents = new Map<number, Record<string, unknown>[]>();
  for (const record of found) {
    const parent = field.path.reduce<Record<string, unknown> | null>(
      (at, link) => (at?.[link] ?? null) as never,
      record,
    );
    if (!parent) continue;
    parent[field.property] = [];
    const id = parent['id'] as number;
    const twins = parents.get(id);
    if (twins) twins.push(parent);
    else parents.set(id, [parent]);
  }
  if (parents.size === 0) return;
  const children = await childrenOf(listing, field, [...parents.keys()]);
  for (const child of children) {
    for (const owner of parents.get(child[linkKey(field.mappedBy)] as number) ?? [])
      (owner[field.property] as unknown[]).push(child);
  }
}

const childSelections = new WeakMap<Selection, Selection>();

async function childrenOf(
  listing: Listing,
  field: Plan['many'][number],
  ids: number[],
): Promise<Record<string, unknown>[]> {
  let selection = childSelections.get(field.selection);
  if (!selection) {
    selection = { ...field.selection, [linkKey(field.mappedBy)]: {} };
    childSelections.set(field.selection, selection);
  }
  const query: Query = {
    filters: [{ path: linkKey(field.mappedBy), match: 'exact', array: true }],
    orders: [],
    paged: false,
  };
  return records(listing, planFor(field.entity, selection, query), [ids]);
}
