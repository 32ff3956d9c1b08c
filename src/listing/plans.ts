import type { EntityMetadata } from '@mikro-orm/core';
import type { ListArgs, ListDeclaration, Ordem } from './args.ts';
import { compile, type Plan, type Query } from './compile.ts';
import type { Selection } from './selection.ts';

/** Part of a list: `limit` rows after the first `offset`. */
export interface Window {
  limit: number;
  offset: number;
}

/** What a request picks of a list: the shape that decides the SQL text, and the values of its parameters. */
export interface Picked {
  query: Query;
  values: unknown[];
}

/**
 * Page sizes that stand in the text of a statement. PostgreSQL then knows how few rows are wanted and keeps one plan;
 * a limit that is a parameter makes it plan at each execution, which costs five times the execution itself.
 */
const USUAL_SIZES = new Set([1, 5, 10, 15, 20, 25, 30, 50, 100]);

const plans = new WeakMap<Selection, Map<string, Plan>>();

/** The compiled plan. It is cached with its selection, which lives as long as the document. */
export function planFor(entity: EntityMetadata, selection: Selection, query: Query): Plan {
  let known = plans.get(selection);
  if (!known) plans.set(selection, (known = new Map()));
  const key = `${entity.className} ${JSON.stringify(query)}`;
  let plan = known.get(key);
  if (!plan) known.set(key, (plan = compile(entity, selection, query)));
  return plan;
}

const numbers = new WeakMap<Selection, number>();
let lastNumber = 0;

/** Names what is picked of an entity, and the fields that are selected of it; for as long as the selection lives. */
export function keyOf(
  { className }: EntityMetadata,
  selection: Selection,
  { query, values }: Picked,
): string {
  let number = numbers.get(selection);
  if (number === undefined) numbers.set(selection, (number = ++lastNumber));
  return JSON.stringify([number, className, query, values]);
}

/** Conditions that a resolver adds to a list: a path must have this value, or one of these values. */
export type Scope = Readonly<Record<string, unknown>>;

/** The filters and orderings that are given, in the order in which the list declares them. */
export function pick(list: ListDeclaration, args: ListArgs, scope: Scope, window?: Window): Picked {
  const given = args as Record<string, unknown>;
  const asked = list.filters
    .filter(filter => given[filter.argument] != null)
    .map(({ paths, match, value, argument, within }) => ({
      filter: { paths, match, ...(within && { within }) },
      value: value(given[argument]),
    }))
    .filter(({ value }) => value !== undefined);
  const orders = list.orders
    .filter(order => given[order.argument] != null)
    .map(({ path, argument }) => ({ path, direction: directionOf(given[argument] as Ordem) }));
  const conditions = [...asked, ...scoped(scope)];
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

/** The record that a scope identifies. */
export function pickKey(key: Scope): Picked {
  const conditions = scoped(key);
  return {
    query: { filters: conditions.map(({ filter }) => filter), orders: [] },
    values: conditions.map(({ value }) => value),
  };
}

/** A scope as conditions of a query. An array of one is its value, for which PostgreSQL plans better: it takes any for ten. */
const scoped = (scope: Scope): { filter: Query['filters'][number]; value: unknown }[] =>
  Object.entries(scope).map(([path, given]) => {
    const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
    const array = Array.isArray(value) && { array: true };
    return { filter: { paths: [path], match: 'exact', ...array }, value };
  });

const directionOf = (order: Ordem): 'asc' | 'desc' => order.toLowerCase() as 'asc' | 'desc';
