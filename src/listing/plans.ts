import type { EntityMetadata, MetadataStorage } from '@mikro-orm/core';
import { compile, type Plan, type Query } from './compile.ts';
import type { RecordList, Window } from './list.ts';
import type { Selection } from './selection.ts';

/**
 * Page sizes that become literals in the SQL text. PostgreSQL then knows the number of rows and keeps one plan. With a
 * parameter it replans at each execution, which takes five times as long as the execution itself.
 */
const USUAL_SIZES = new Set([1, 5, 10, 15, 20, 25, 30, 50, 100]);

const plans = new WeakMap<Selection, Map<string, Plan>>();

/** The compiled plan. It is cached by selection object, which lives as long as the parsed document. */
export function planFor(entity: EntityMetadata, selection: Selection, query: Query): Plan {
  let known = plans.get(selection);
  if (!known) plans.set(selection, (known = new Map()));
  const key = `${entity.className} ${JSON.stringify(query)}`;
  let plan = known.get(key);
  if (!plan) known.set(key, (plan = compile(entity, selection, query)));
  return plan;
}

/** A compiled read with the values of its parameters. */
export interface Prepared {
  plan: Plan;
  values: readonly unknown[];
}

/** Prepares a read of the selected fields of a list: of all its rows, or of those in a window. */
export function prepared(
  { metadata }: { metadata: MetadataStorage },
  { entity, conditions, orders }: RecordList,
  selection: Selection,
  { window, ...further }: Pick<Query, 'version' | 'total'> & { window?: Window } = {},
): Prepared {
  const values = conditions.map(({ value }) => value);
  const query: Query = { filters: conditions.map(({ comparison }) => comparison), orders, ...further };
  if (window) {
    const { limit, offset } = window;
    query.limit = USUAL_SIZES.has(limit) ? limit : 'parameter';
    if (query.limit === 'parameter') values.push(limit);
    query.offset = offset > 0;
    if (query.offset) values.push(offset);
  }
  return { plan: planFor(metadata.get(entity), selection, query), values };
}

/** Key of a list's total. It depends neither on the selected fields nor on the order. */
export const totalKey = ({ entity, conditions }: RecordList): string =>
  JSON.stringify([entity.name, ...conditions.map(({ comparison, value }) => [comparison, value])]);
