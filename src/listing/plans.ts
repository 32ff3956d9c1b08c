import type { EntityMetadata, MetadataStorage } from '@mikro-orm/core';
import { remember } from '../runtime/remember.ts';
import { compile, type Plan } from './compile.ts';
import type { Query } from './query.ts';
import type { RecordList, Window } from './list.ts';
import type { Selection } from './selection.ts';
import { compileSums, type SumsPlan, type SumsShape } from './sums.ts';

/**
 * Page sizes that become literals in the SQL text. PostgreSQL then knows the number of rows and keeps one plan. With a
 * parameter it replans at each execution, which takes five times as long as the execution itself. The service's own limits
 * become literals, too.
 */
const USUAL_SIZES = new Set([1, 5, 10, 15, 20, 25, 30, 50, 100]);

/** A page reads one row more than its size, to know whether there is a next page. */
const isUsual = (limit: number): boolean => USUAL_SIZES.has(limit) || USUAL_SIZES.has(limit - 1);

/** Most plans of one selection. Clients can compose many conditions. The oldest plan is removed first. */
const MOST_PLANS = 200;

/** Compiled plans by selection object. That object lives as long as the parsed document. */
class Plans<P> {
  readonly #all = new WeakMap<Selection, Map<string, P>>();

  /** The plan of a shape, compiled at its first use. */
  of(entity: EntityMetadata, selection: Selection, shape: object, compiled: () => P): P {
    let known = this.#all.get(selection);
    if (!known) this.#all.set(selection, (known = new Map()));
    const key = `${entity.className} ${JSON.stringify(shape)}`;
    let plan = known.get(key);
    if (!plan) remember(known, key, (plan = compiled()), MOST_PLANS);
    return plan;
  }
}

const reads = new Plans<Plan>();
const sums = new Plans<SumsPlan>();

export const planFor = (entity: EntityMetadata, selection: Selection, query: Query): Plan =>
  reads.of(entity, selection, query, () => compile(entity, selection, query));

/** The plan of the sums that a selection asks for. */
export const sumsPlanFor = (
  entity: EntityMetadata,
  selection: Selection,
  query: Query,
  shape: SumsShape,
): SumsPlan => sums.of(entity, selection, [query, shape], () => compileSums(entity, query, shape));

/** A compiled read with the values of its parameters. */
export interface Prepared {
  plan: Plan;
  values: readonly unknown[];
  /** Whether it takes so little time that other requests can wait for it. */
  isQuick?: boolean | undefined;
}

/** The conditions of a list as a query, and their values. */
export function conditionsOf({ conditions, where, parents }: RecordList): {
  query: Query;
  values: unknown[];
} {
  return {
    query: {
      filters: conditions.map(({ comparison }) => comparison),
      orders: [],
      where: where?.condition,
      per: parents?.link,
      only: parents?.only,
    },
    values: [
      ...conditions.filter(({ comparison }) => comparison.constant === undefined).map(({ value }) => value),
      ...(where?.values ?? []),
    ],
  };
}

/** Prepares a read of the selected fields of a list: of all its rows, or of those in a window. */
export function prepared(
  { metadata }: { metadata: MetadataStorage },
  list: RecordList,
  selection: Selection,
  {
    window,
    ...further
  }: Pick<Query, 'version' | 'total' | 'scanned' | 'placed' | 'from' | 'most'> & {
    window?: Window | undefined;
  } = {},
): Prepared {
  const { query, values } = conditionsOf(list);
  const { entity, orders, after, parents } = list;
  Object.assign(query, { orders, ...further });
  if (after) {
    query.after = after.slice(0, -1).map(value => value === null);
    values.push(...after.filter(value => value !== null));
  }
  if (window) {
    const { limit, offset, own } = window;
    query.limit = own || isUsual(limit) ? limit : 'parameter';
    if (query.limit === 'parameter') values.push(limit);
    query.offset = offset > 0;
    if (query.offset) values.push(offset);
  }
  if (parents) values.push(parents.ids);
  return { plan: planFor(metadata.get(entity), selection, query), values };
}

/** Cache key of a list's total. It depends neither on the selected fields nor on the order. */
export const totalKey = ({ entity, conditions, where }: RecordList): string =>
  JSON.stringify([entity.name, where, ...conditions.map(({ comparison, value }) => [comparison, value])]);
