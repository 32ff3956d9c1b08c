import type { ListArgs, Ordem } from './args.ts';
import { listOf, USUAL_SIZE, type FilterDeclaration, type Paging } from './declaration.ts';
import type { Query } from './query.ts';
import { ownColumns, type Filtered } from './condition.ts';
import type { Place } from './keyset.ts';

/** Part of a list: `limit` rows after the first `offset`. */
export interface Window {
  limit: number;
  offset: number;
  /** Whether the service sets the limit, from a small set of values. */
  own?: true;
}

/** A condition on the rows of a list. */
interface Condition {
  comparison: Query['filters'][number];
  value: unknown;
  /** The client's filter and its value; undefined for a condition that a resolver adds. */
  asked?: { filter: FilterDeclaration; given: unknown };
  /** Whether the list has it by default: it gives way to a client's filter on the same column. */
  byDefault?: boolean;
}

/** Records for which linked records are read in one statement. Each gets a page of its own. */
export interface Parents {
  /** Path from the listed records to these: a link, or a to-many field and a link of its records. */
  link: string;
  ids: readonly number[];
  /** SQL condition on the listed records, with alias `t`. */
  only?: string | undefined;
}

/** What a client may add to a list. */
interface Refinement {
  /** A further condition. */
  where?: Filtered | undefined;
  orders: Query['orders'];
  /** Undefined for all rows. */
  window?: Window | undefined;
  /** The record after which the page begins. */
  after?: Place | undefined;
  parents?: Parents | undefined;
}

/**
 * A list of records, not read yet: the rows of an entity that meet all conditions, their order, and the page that the
 * client asked for. A page, a count, a stream, sums and a document are read from it.
 */
export class RecordList<T extends object = object> implements Refinement {
  readonly orders: Query['orders'];
  readonly window: Window | undefined;
  readonly where: Filtered | undefined;
  readonly after: Place | undefined;
  readonly parents: Parents | undefined;

  constructor(
    readonly entity: new () => T,
    readonly conditions: readonly Condition[],
    { orders = [], window, where, after, parents }: Partial<Refinement> = {},
  ) {
    this.orders = orders;
    this.window = window;
    this.where = where;
    this.after = after;
    this.parents = parents;
  }

  /** A copy of the list with these changes. */
  with({ conditions, ...changes }: Partial<Refinement & Pick<RecordList, 'conditions'>>): RecordList<T> {
    const { orders, window, where, after, parents } = this;
    return new RecordList(this.entity, conditions ?? this.conditions, {
      orders,
      window,
      where,
      after,
      parents,
      ...changes,
    });
  }
}

/** All rows of the list, in any order. */
export const unordered = ({ entity, conditions, where, parents }: RecordList): RecordList =>
  new RecordList(entity, conditions, { where, parents });

/** Conditions that a resolver adds to a list: the column at this path has this value, or one of these values. */
export type Scope = Readonly<Record<string, unknown>>;

/**
 * A text in a scope that is fixed in the code. It becomes a literal of the statement, so that PostgreSQL keeps one good
 * plan. With a parameter it would plan each time, because some values are much more frequent than others.
 */
export class Constant {
  constructor(readonly value: string) {}
}

/**
 * The list that `args` asks for, within a resolver's scope. `T` is the entity of the args class.
 *
 *     recordList<Sessao>(args, { idPessoa: session.idPessoa })
 */
export function recordList<T extends object>(args: ListArgs, scope: Scope = {}): RecordList<T> {
  const declared = listOf(args);
  const values = args as Record<string, unknown>;
  const asked = declared.filters
    .map(filter => ({ filter, given: values[filter.argument] ?? usualFor(filter, values) }))
    .filter(({ given }) => given != null)
    .map(({ filter, given }) => conditionOf(filter, given))
    .filter(({ value }) => value !== undefined);
  const orders = declared.orders
    .filter(({ argument }) => values[argument] != null)
    .map(({ path, argument }) => ({
      path,
      direction: (values[argument] as Ordem).toLowerCase() as 'asc' | 'desc',
    }));
  return new RecordList<T>(
    declared.entity() as new () => T,
    [
      ...asked,
      ...conditionsOf(constants(declared.byDefault)).map(condition => ({ ...condition, byDefault: true })),
      ...conditionsOf({ ...declared.always, ...scope }),
    ],
    { orders: orders.length > 0 ? orders : declared.usually, window: windowOf(args, declared.paging) },
  );
}

const constants = (values: Readonly<Record<string, string>>): Scope =>
  Object.fromEntries(Object.entries(values).map(([path, value]) => [path, new Constant(value)]));

/** The list with a client's filter. What it leaves out by default comes if the filter asks for that column. */
export function filtered<T extends object>(list: RecordList<T>, where: Filtered): RecordList<T> {
  const asked = ownColumns(where.condition);
  const kept = list.conditions.filter(
    ({ byDefault, comparison }) => !byDefault || !comparison.paths.some(path => asked.includes(path)),
  );
  return list.with({ where, conditions: kept });
}

/** The record that these values identify (`{ id: 1 }`), as a list. */
export const recordWith = <T extends object>(entity: new () => T, key: Scope): RecordList<T> =>
  new RecordList(entity, conditionsOf(key));

/** A client that sends null gives no value. */
const usualFor = (filter: FilterDeclaration, values: Record<string, unknown>): unknown =>
  values[filter.argument] === null ? filter.default : undefined;

function conditionOf(filter: FilterDeclaration, given: unknown): Condition {
  const { paths, match, within, value } = filter;
  const usual = given === filter.default;
  return {
    comparison: { paths, match, ...(within && { within }), ...(usual && { usual }) },
    value: value(given),
    asked: { filter, given },
    ...(usual && { byDefault: true }),
  };
}

/** The records of a list that have these keys. */
export const among = <T extends object>(
  { entity, conditions, orders, where }: RecordList<T>,
  ids: readonly number[],
): RecordList<T> => new RecordList(entity, [...conditions, ...conditionsOf({ id: ids })], { orders, where });

/** An array of one becomes a plain value, because PostgreSQL estimates any array as ten values. */
const conditionsOf = (scope: Scope): Condition[] =>
  Object.entries(scope).map(([path, given]) => {
    if (given instanceof Constant)
      return { comparison: { paths: [path], match: 'exact', constant: given.value }, value: undefined };
    const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
    const array = Array.isArray(value) && { array: true };
    return { comparison: { paths: [path], match: 'exact', ...array }, value };
  });

/** The part of a list that `args` asks for; undefined for all of it. */
export function windowOf(args: ListArgs, paging: Paging): Window | undefined {
  // A client that sends null gets pages like one that sends nothing, for which the schema has a default.
  const isPaged =
    paging === 'always' || (args.pagination === undefined ? paging === 'default' : (args.pagination ?? true));
  const limit = args.itemsPerPage ?? USUAL_SIZE;
  return isPaged ? { limit, offset: ((args.page ?? 1) - 1) * limit } : undefined;
}
