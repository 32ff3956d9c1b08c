import type { MetadataStorage } from '@mikro-orm/core';
import { listOf, type ListArgs } from './args.ts';
import { attachChildren } from './children.ts';
import type { Plan } from './compile.ts';
import type { KeptReads } from './kept-reads.ts';
import { pick, pickKey, planFor, type Scope } from './plans.ts';
import { cursorBatches, type CursorPlace, type Reader } from './reader.ts';
import { NOTHING, selectionOfPaths, type Selection } from './selection.ts';

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
  kept?: KeptReads | undefined;
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

export const records = async <T>(listing: Listing, plan: Plan, values: readonly unknown[]): Promise<T[]> =>
  recordsOf<T>(listing, plan, await listing.reader.rows(plan.text, values));

/** The records that rows of a plan hold, with their to-many fields. */
export async function recordsOf<T>(listing: Listing, plan: Plan, rows: unknown[][]): Promise<T[]> {
  const found = rows.map(plan.toRecord);
  for (const field of plan.many) {
    await attachChildren(field, found, (child, selection, query, ids) =>
      records(listing, planFor(child.entity, selection, query), [ids]),
    );
  }
  return found as T[];
}
