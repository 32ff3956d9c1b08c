import { setImmediate as otherRequests } from 'node:timers/promises';
import type { MetadataStorage } from '@mikro-orm/core';
import { listOf, type ListArgs } from './args.ts';
import type { Budget, BudgetLimits, Weight } from '../database/budget.ts';
import { attachChildren, type Found } from './children.ts';
import type { Plan } from './compile.ts';
import { queryOf, queryByKey, planFor, type Scope } from './plans.ts';
import { cursorBatches, type CursorPlace, type Reader } from '../database/reader.ts';
import { NOTHING, selectionOfPaths, type Selection } from './selection.ts';
import type { Totals } from './totals.ts';

/** Limits of every list (contract 3), from the configuration. */
interface ListLimits {
  itemsPerPage: number;
  unpaginatedRows: number;
  /** Limits of all reads of one request together. */
  request: BudgetLimits;
  /** Longest wait for the next rows of a streamed list, in milliseconds. */
  batchMs: number;
}

export interface Listing {
  metadata: MetadataStorage;
  reader: Reader;
  limits: ListLimits;
  /** Undefined inside a transaction, which also counts its own uncommitted rows. */
  totals?: Totals | undefined;
  /** Budget of the current request; undefined for reads of the service itself. */
  budget?: Budget | undefined;
}

/** Whether the list that `args` declares has more than `most` records. Reads no further than that. */
export async function isLongerThan(
  most: number,
  listing: Listing,
  args: ListArgs,
  scope: Scope,
): Promise<boolean> {
  const list = listOf(args);
  const { query, values } = queryOf(list, args, scope);
  const plan = planFor(listing.metadata.get(list.entity()), NOTHING, query);
  const [row] = await listing.reader.rows(plan.longerText, [...values, most]);
  return row![0] as boolean;
}

/**
 * The record that these values identify (`{ id: 1 }`), with the selected fields and its version; null if it does not
 * exist.
 */
export async function readOne<T extends object>(
  listing: Listing,
  entity: new () => T,
  key: Scope,
  selection: Selection,
): Promise<T | null> {
  const { query, values } = queryByKey(key);
  const metadata = listing.metadata.get(entity);
  const plan = planFor(metadata, selection, { ...query, version: 'versao' in metadata.properties });
  const [record] = await records<T>(listing, plan, values);
  return record ?? null;
}

const BATCH = 500;

/**
 * The values at these paths of every record of the list that `args` declares. Unpaginated, in batches from a cursor.
 */
export async function* streamList(
  listing: Listing,
  { pool, signal }: Pick<CursorPlace, 'pool' | 'signal'>,
  args: ListArgs,
  paths: readonly string[],
  scope: Scope,
): AsyncGenerator<unknown[][]> {
  const list = listOf(args);
  const place = { pool, signal, reader: listing.reader };
  const { query, values } = queryOf(list, args, scope);
  const plan = planFor(listing.metadata.get(list.entity()), selectionOfPaths(paths), query);
  const valuesOf = plan.valuesAt(paths);
  const batches = { size: BATCH, timeoutMs: listing.limits.batchMs };
  for await (const rows of cursorBatches(place, plan.text, values, batches)) yield rows.map(valuesOf);
}

/** The same as one batch of at most `most` records. It is read when the consumer asks for it. */
export async function* readBatch(
  most: number,
  listing: Listing,
  args: ListArgs,
  paths: readonly string[],
  scope: Scope,
): AsyncGenerator<unknown[][]> {
  const list = listOf(args);
  const { query, values } = queryOf(list, args, scope, { limit: most, offset: 0 });
  const plan = planFor(listing.metadata.get(list.entity()), selectionOfPaths(paths), query);
  const rows = await listing.reader.rows(plan.text, values);
  yield rows.map(plan.valuesAt(paths));
}

/** The records of a plan in the shape of the answer. @throws RESULT_TOO_LARGE */
export async function records<T>(listing: Listing, plan: Plan, values: readonly unknown[]): Promise<T[]> {
  return recordsOf<T>(listing, plan, await rowsOf(listing, plan, values));
}

/** The rows of a plan, counted against the request's budget. @throws RESULT_TOO_LARGE */
export async function rowsOf(
  { reader, budget }: Listing,
  { text }: Plan,
  values: readonly unknown[],
): Promise<unknown[][]> {
  const rows = await reader.rows(text, values, budget);
  budget?.read(rows.length);
  return rows;
}

/** Converts rows of a plan to records, with their to-many fields. @throws RESULT_TOO_LARGE */
export async function recordsOf<T>(listing: Listing, plan: Plan, rows: unknown[][]): Promise<T[]> {
  const { records: found, weights } = await foundIn(listing, plan, rows);
  listing.budget?.answer(sumOf(weights));
  return found as T[];
}

/** Rows to convert before other requests get the event loop. */
const AT_A_TIME = 500;

async function foundIn(listing: Listing, plan: Plan, rows: unknown[][]): Promise<Found> {
  const found: Found = { records: [], weights: [] };
  for (const row of rows) {
    found.weights.push({ rows: 1, bytes: plan.bytesOf(row) });
    if (found.records.push(plan.toRecord(row)) % AT_A_TIME === 0) await otherRequests();
  }
  for (const field of plan.many) {
    await attachChildren(field, found, listing.budget?.most, async (selection, query, ids) => {
      const children = planFor(field.entity, selection, query);
      return foundIn(listing, children, await rowsOf(listing, children, [ids]));
    });
    // Every record found appears in the answer at least once.
    listing.budget?.check(sumOf(found.weights));
  }
  return found;
}

function sumOf(weights: readonly Weight[]): Weight {
  const sum = { rows: 0, bytes: 0 };
  for (const { rows, bytes } of weights) {
    sum.rows += rows;
    sum.bytes += bytes;
  }
  return sum;
}
