import type { EntityMetadata } from '@mikro-orm/core';
import type { ListArgs, ListDeclaration, Ordem } from './args.ts';
import { compile, type Plan, type Query } from './compile.ts';
import type { Selection } from './selection.ts';

/** Part of a list: `limit` rows after the first `offset`. */
export interface Window {
  limit: number;
  offset: number;
}

/** A list query: the shape that decides the SQL text, and the values of its parameters. */
export interface QueryWithValues {
  query: Query;
  values: unknown[];
}

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

/** Key of a list's total. It depends neither on the selected fields nor on the order. */
export const totalKey = ({ className }: EntityMetadata, { query, values }: QueryWithValues): string =>
  JSON.stringify([className, query.filters, values]);

/** Conditions that a resolver adds to a list: the path has this value, or one of these values. */
export type Scope = Readonly<Record<string, unknown>>;

/** The query of a list with the given filters and orderings, in the declared order. */
export function queryOf(
  list: ListDeclaration,
  args: ListArgs,
  scope: Scope,
  window?: Window,
): QueryWithValues {
  const given = args as Record<string, unknown>;
  const filtered = list.filters
    .filter(filter => given[filter.argument] != null)
    .map(({ paths, match, value, argument, within }) => ({
      filter: { paths, match, ...(within && { within }) },
      value: value(given[argument]),
    }))
    .filter(({ value }) => value !== undefined);
  const orders = list.orders
    .filter(order => given[order.argument] != null)
    .map(({ path, argument }) => ({ path, direction: directionOf(given[argument] as Ordem) }));
  const conditions = [...filtered, ...scoped(scope)];
  const values = conditions.map(({ value }) => value);
  const query: Query = {
    filters: conditions.map(({ filter }) => filter),
    orders: orders.length > 0 ? orders : list.usually,
  };
  if (!window) return { query, values };
  const { limit, offset } = window;
  const usual = USUAL_SIZES.has(limit);
  return {
    query: { ...query, limit: usual ? limit : 'parameter', offset: offset > 0 },
    values: [...values, ...(usual ? [] : [limit]), ...(offset > 0 ? [offset] : [])],
  };
}

/** The query of the record that a scope identifies. */
export function queryByKey(key: Scope): QueryWithValues {
  const conditions = scoped(key);
  return {
    query: { filters: conditions.map(({ filter }) => filter), orders: [] },
    values: conditions.map(({ value }) => value),
  };
}

/**
 * Converts a scope to conditions. An array of one becomes a plain value, because PostgreSQL estimates any array as ten
 * values.
 */
const scoped = (scope: Scope): { filter: Query['filters'][number]; value: unknown }[] =>
  Object.entries(scope).map(([path, given]) => {
    const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
    const array = Array.isArray(value) && { array: true };
    return { filter: { paths: [path], match: 'exact', ...array }, value };
  });

const directionOf = (order: Ordem): 'asc' | 'desc' => order.toLowerCase() as 'asc' | 'desc';
