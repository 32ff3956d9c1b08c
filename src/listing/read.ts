import { setImmediate as otherRequests } from 'node:timers/promises';
import type { MetadataStorage } from '@mikro-orm/core';
import type { Budget, BudgetLimits, Weight } from '../database/budget.ts';
import { areKnown, attachChildren, childrenOf, wantedBy, type Found, type Wanted } from './children.ts';
import type { ManyField } from './selected-fields.ts';
import type { Plan } from './compile.ts';
import { recordWith, unordered, type RecordList, type Scope } from './list.ts';
import { planFor, prepared, type Prepared } from './plans.ts';
import { QUICK } from './quick.ts';
import { cursorBatches, readAll, type Composed, type CursorPlace, type Reader } from '../database/reader.ts';
import type { SentRows } from '../database/sent-rows.ts';
import type { Gate } from '../runtime/gates.ts';
import { NOTHING, selectionOfPaths, type Selection } from './selection.ts';
import { readTogether } from './siblings.ts';
import type { KeptTotals } from './totals.ts';

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
  totals?: KeptTotals | undefined;
  /** Limits how many parts of long lists are read at a time, so that they do not take all connections. */
  parts: Gate;
  /** Budget of the current request; undefined for the service's own reads. */
  budget?: Budget | undefined;
}

/** Whether a list has more than `most` records. Stops reading after that number. */
export async function isLongerThan(most: number, listing: Listing, list: RecordList): Promise<boolean> {
  const { plan, values } = prepared(listing, unordered(list), NOTHING);
  const [row] = await listing.reader.rows(plan.longerText, [...values, most], {});
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
  const version = 'versao' in listing.metadata.get(entity).properties;
  const read = prepared(listing, recordWith(entity, key), selection, { version });
  const { id, ...others } = key;
  const isKnown = typeof id === 'number' && Object.keys(others).length === 0;
  const known = isKnown ? read.plan.many.filter(areKnown) : [];
  const children = known.map(field => ({ plan: childPlan(listing, field, 'one'), values: [id] }));
  const [rows, ...early] = await allRowsOf(
    listing,
    [read, ...children].map(one => ({ ...one, isQuick: isKnown && !one.plan.isComputed })),
  );
  const found = await recordsOf<T>(listing, read.plan, rows!, {
    early: new Map(known.map((field, i) => [field, early[i]!])),
  });
  return found[0] ?? null;
}

const childPlan = ({ budget }: Listing, field: ManyField, of: 'one' | 'several'): Plan => {
  const { selection, query } = childrenOf(field, of, budget?.most);
  return planFor(field.entity, selection, query);
};

/** Rows of a batch. Most exports have fewer, and then take one trip. */
const BATCH = 1_024;

/** The values at these paths of every record of a list, in batches from a cursor, as PostgreSQL sent them. */
export async function* streamList(
  listing: Listing,
  place: CursorPlace,
  list: RecordList,
  paths: readonly string[],
): AsyncGenerator<SentRows> {
  const { limits } = listing;
  const { plan, values } = prepared(listing, list, selectionOfPaths(paths));
  const indexes = plan.indexesAt(paths);
  const batches = { size: BATCH, timeoutMs: limits.batchMs };
  for await (const rows of cursorBatches(place, plan.text, values, batches)) yield rows.with(indexes);
}

/** The values at these paths of the first `most` records, in one statement. */
export async function readValues(
  most: number,
  listing: Listing,
  list: RecordList,
  paths: readonly string[],
): Promise<unknown[][]> {
  const window = { limit: most, offset: 0 };
  const { plan, values } = prepared(listing, list, selectionOfPaths(paths), { window });
  const indexes = plan.indexesAt(paths);
  const rows = await listing.reader.rows(plan.text, values, {});
  return rows.map(row => indexes.map(index => row[index]));
}

/** Callers who read the same computed rows at the same time share one statement. */
export const sharing = ({ isComputed }: Plan): Composed => ({ isShared: isComputed });

/** The records of a plan in the shape of the answer. @throws RESULT_TOO_LARGE */
export async function records<T>(listing: Listing, read: Prepared): Promise<T[]> {
  return recordsOf<T>(listing, read.plan, await rowsOf(listing, read));
}

/** The rows of a plan, counted against the request's budget. @throws RESULT_TOO_LARGE */
export async function rowsOf(
  { reader, budget }: Listing,
  { plan, values, isQuick }: Prepared,
  composed = sharing(plan),
): Promise<unknown[][]> {
  const statement = { text: plan.text, values, composed: { ...composed, budget }, isQuick };
  const [rows] = await readAll(reader, [statement]);
  budget?.read(rows!.length);
  return rows!;
}

/** The rows of several plans, in one trip if the reader can do that. @throws RESULT_TOO_LARGE */
async function allRowsOf({ reader, budget }: Listing, reads: readonly Prepared[]): Promise<unknown[][][]> {
  const statements = reads.map(({ plan, values, isQuick }) => ({
    text: plan.text,
    values,
    composed: { ...sharing(plan), budget },
    isQuick,
  }));
  const all = await readAll(reader, statements);
  for (const rows of all) budget?.read(rows.length);
  return all;
}

/** What was already found out about rows before they become records. */
interface Known {
  /** How often each record appears in the answer; by default once. */
  times?: readonly number[];
  /** Rows of the children of a single record, if they were read together with it. */
  early?: ReadonlyMap<ManyField, unknown[][]>;
}

/** Converts rows of a plan to records, with their to-many fields. @throws RESULT_TOO_LARGE */
export async function recordsOf<T>(
  listing: Listing,
  plan: Plan,
  rows: unknown[][],
  { times, early }: Known = {},
): Promise<T[]> {
  const { records: found, weights } = await foundIn(listing, plan, rows, early);
  for (const [i, time] of times?.entries() ?? []) {
    weights[i]!.rows *= time;
    weights[i]!.bytes *= time;
  }
  listing.budget?.answer(sumOf(weights));
  return found as T[];
}

/** Number of rows to convert before the event loop can serve other requests. */
const AT_A_TIME = 500;

async function foundIn(
  listing: Listing,
  plan: Plan,
  rows: unknown[][],
  early?: Known['early'],
): Promise<Found> {
  const found: Found = { records: [], weights: [] };
  for (const row of rows) {
    found.weights.push({ rows: 1, bytes: plan.bytesOf(row) });
    if (found.records.push(plan.toRecord(row)) % AT_A_TIME === 0) await otherRequests();
  }
  const wanted = plan.many.map(field => wantedBy(field, found));
  const reads = wanted.filter(({ ids }) => ids.length > 0).map(one => readOf(listing, one));
  const rowsOfFields = await childRowsOf(listing, reads, early);
  for (const one of wanted) {
    const at = reads.findIndex(({ field }) => field === one.field);
    const children = at < 0 ? NONE : await foundIn(listing, reads[at]!.plan, rowsOfFields[at]!);
    attachChildren(one, found, children);
    // Every record found appears in the answer at least once.
    listing.budget?.check(sumOf(found.weights));
  }
  for (const path of plan.parents) readTogether(along(path, found.records));
  return found;
}

const NONE: Found = { records: [], weights: [] };

/** How to read the children of a to-many field. */
type ReadOfField = Prepared & { field: ManyField };

function readOf(listing: Listing, { field, ids }: Wanted): ReadOfField {
  const isOne = ids.length === 1;
  const plan = childPlan(listing, field, isOne ? 'one' : 'several');
  const isQuick = ids.length <= QUICK.page && !plan.isComputed;
  return { field, plan, values: isOne ? ids : [ids], isQuick };
}

/** The rows of all these fields, in one trip. */
async function childRowsOf(
  listing: Listing,
  reads: readonly ReadOfField[],
  early: Known['early'],
): Promise<unknown[][][]> {
  const needed = reads.filter(({ field }) => !early?.has(field));
  const found = needed.length > 0 ? await allRowsOf(listing, needed) : [];
  return reads.map(read => early?.get(read.field) ?? found[needed.indexOf(read)]!);
}

/** The records at the end of a path of links. */
const along = (path: readonly string[], records: Found['records']): { id: number }[] =>
  records.flatMap(record => {
    const found = path.reduce<unknown>((at, link) => (at as Found['records'][0] | null)?.[link], record);
    return found ? [found as { id: number }] : [];
  });

function sumOf(weights: readonly Weight[]): Weight {
  const sum = { rows: 0, bytes: 0 };
  for (const { rows, bytes } of weights) {
    sum.rows += rows;
    sum.bytes += bytes;
  }
  return sum;
}
