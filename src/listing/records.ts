import { setImmediate as otherRequests } from 'node:timers/promises';
import type { Weight } from '../database/budget.ts';
import { readAll, type Composed } from '../database/reader.ts';
import { attachChildren, childrenOf, wantedBy, type Found, type Wanted } from './children.ts';
import type { Plan } from './compile.ts';
import { planFor, type Prepared } from './plans.ts';
import { QUICK } from './quick.ts';
import type { Listing } from './listing.ts';
import type { ManyField } from './selected-fields.ts';
import { readTogether } from './siblings.ts';

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
export async function allRowsOf(
  { reader, budget }: Listing,
  reads: readonly Prepared[],
): Promise<unknown[][][]> {
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

/** The plan that reads the children of one parent, or of several. */
export const childPlan = ({ budget }: Listing, field: ManyField, of: 'one' | 'several'): Plan => {
  const { selection, query } = childrenOf(field, of, budget?.most);
  return planFor(field.entity, selection, query);
};

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
