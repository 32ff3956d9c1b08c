import type { MetadataStorage } from '@mikro-orm/core';
import type { Pool } from 'pg';
import { tooLarge } from '../errors.ts';
import { listOf, type ListArgs, type ListDeclaration } from './args.ts';
import { attachChildren } from './children.ts';
import type { Plan } from './compile.ts';
import type { Page } from './page.ts';
import { pick, pickKey, planFor, type Scope, type Window } from './plans.ts';
import { cursorBatches, type Reader } from './reader.ts';
import type { Selection } from './selection.ts';

/** Bounds of every list (contract 3), from the configuration. */
interface ListLimits {
  itemsPerPage: number;
  unpaginatedRows: number;
}

export interface Listing {
  metadata: MetadataStorage;
  reader: Reader;
  limits: ListLimits;
}

const NOTHING: Selection = {};

/**
 * One page of the list that `args` declares, with the fields selected below `data`. Rows are read only when `data`
 * is selected, and counted only when `total` or `totalPages` is.
 * @throws RESULT_TOO_LARGE when an unpaginated list passes its cap
 */
export async function readPage<T>(
  listing: Listing,
  args: ListArgs,
  selection: Selection,
  scope: Scope = {},
): Promise<Page<T>> {
  const list = listOf(args);
  const paged = isPaged(list, args);
  const cap = listing.limits.unpaginatedRows;
  const window = paged ? windowOf(args) : { limit: cap + 1, offset: 0 };
  const { query, values } = pick(list, args, scope, window);
  const plan = planFor(listing.metadata.get(list.entity()), selection['data'] ?? NOTHING, query);
  const data = selection['data'] && (await records<T>(listing, plan, values));
  if (!paged && data && data.length > cap) throw tooLarge(cap);
  const counted = selection['total'] || selection['totalPages'] || !paged;
  const total = counted
    ? (knownTotal(data, window) ?? (await count(listing, plan, pick(list, args, scope).values)))
    : 0;
  return paged
    ? {
        data: data ?? [],
        total,
        page: args.page ?? 1,
        itemsPerPage: window.limit,
        totalPages: Math.ceil(total / window.limit),
      }
    : { data: data ?? [], total, page: 1, itemsPerPage: total, totalPages: 1 };
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
function knownTotal(data: unknown[] | undefined, { limit, offset }: Window): number | undefined {
  const isLast = data && data.length < limit && (data.length > 0 || offset === 0);
  return isLast ? offset + data.length : undefined;
}

async function count(listing: Listing, plan: Plan, values: readonly unknown[]): Promise<number> {
  const [row] = await listing.reader.rows(plan.countText, values);
  return Number(row![0]);
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

const BATCH = 1000;

/** Every record of the list that `args` declares, unpaginated, in batches from a cursor. To-many fields are left out. */
export async function* streamList(
  listing: Listing,
  pool: Pool,
  args: ListArgs,
  selection: Selection,
  scope: Scope,
): AsyncGenerator<Record<string, unknown>[]> {
  const list = listOf(args);
  const { query, values } = pick(list, args, scope);
  const plan = planFor(listing.metadata.get(list.entity()), selection, query);
  for await (const rows of cursorBatches(pool, plan.text, values, BATCH)) yield rows.map(plan.toRecord);
}

async function records<T>(listing: Listing, plan: Plan, values: readonly unknown[]): Promise<T[]> {
  const rows = await listing.reader.rows(plan.text, values);
  const found = rows.map(plan.toRecord);
  for (const field of plan.many) {
    await attachChildren(field, found, (child, selection, query, ids) =>
      records(listing, planFor(child.entity, selection, query), [ids]),
    );
  }
  return found as T[];
}
