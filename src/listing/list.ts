import { listOf, type FilterDeclaration, type ListArgs, type ListDeclaration, type Ordem } from './args.ts';
import type { Query } from './compile.ts';

/** Part of a list: `limit` rows after the first `offset`. */
export interface Window {
  limit: number;
  offset: number;
}

/** A condition on the rows of a list. */
interface Condition {
  comparison: Query['filters'][number];
  value: unknown;
  /** The client's filter, with the value as the client gave it; undefined for a condition of the resolver. */
  asked?: { filter: FilterDeclaration; given: unknown };
}

/**
 * A list of records, not read yet: the rows of an entity that meet all conditions, their order, and the page that the
 * client asked for. A page, a count, a stream and a document are read from it.
 */
export class RecordList<T extends object = object> {
  constructor(
    readonly entity: new () => T,
    readonly conditions: readonly Condition[],
    readonly orders: Query['orders'] = [],
    /** Undefined for all rows. */
    readonly window?: Window,
  ) {}
}

/** The same rows, in any order. */
export const unordered = ({ entity, conditions }: RecordList): RecordList =>
  new RecordList(entity, conditions);

/** Conditions that a resolver adds to a list: the path has this value, or one of these values. */
export type Scope = Readonly<Record<string, unknown>>;

/** The list that `args` asks for, within a resolver's scope. `T` is the entity of the args class. */
export function recordList<T extends object>(args: ListArgs, scope: Scope = {}): RecordList<T> {
  const declared = listOf(args);
  const values = args as Record<string, unknown>;
  const asked = declared.filters
    .filter(({ argument }) => values[argument] != null)
    .map(filter => conditionOf(filter, values[filter.argument]))
    .filter(({ value }) => value !== undefined);
  const orders = declared.orders
    .filter(({ argument }) => values[argument] != null)
    .map(({ path, argument }) => ({
      path,
      direction: (values[argument] as Ordem).toLowerCase() as 'asc' | 'desc',
    }));
  return new RecordList<T>(
    declared.entity() as new () => T,
    [...asked, ...conditionsOf(scope)],
    orders.length > 0 ? orders : declared.usually,
    windowOf(declared, args),
  );
}

/** The record that these values identify (`{ id: 1 }`), as a list. */
export const recordWith = <T extends object>(entity: new () => T, key: Scope): RecordList<T> =>
  new RecordList(entity, conditionsOf(key));

function conditionOf(filter: FilterDeclaration, given: unknown): Condition {
  const { paths, match, within, value } = filter;
  return {
    comparison: { paths, match, ...(within && { within }) },
    value: value(given),
    asked: { filter, given },
  };
}

/** An array of one becomes a plain value, because PostgreSQL estimates any array as ten values. */
const conditionsOf = (scope: Scope): Condition[] =>
  Object.entries(scope).map(([path, given]) => {
    const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
    const array = Array.isArray(value) && { array: true };
    return { comparison: { paths: [path], match: 'exact', ...array }, value };
  });

function windowOf({ paging }: ListDeclaration, args: ListArgs): Window | undefined {
  const isPaged = paging === 'always' || (paging !== 'never' && (args.pagination ?? paging === 'default'));
  const limit = args.itemsPerPage ?? 10;
  return isPaged ? { limit, offset: ((args.page ?? 1) - 1) * limit } : undefined;
}
