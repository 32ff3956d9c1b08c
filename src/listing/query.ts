import type { Match } from './declaration.ts';
import { parametersOf, type Condition } from './condition.ts';
import type { Order } from './keyset.ts';

/** The shape of a read: everything that determines the SQL text. It contains no values. */
export interface Query {
  filters: readonly {
    paths: readonly string[];
    match: Match;
    array?: boolean;
    within?: boolean;
    /** Whether this is a default filter. Most rows pass it. */
    usual?: boolean;
    /** A value that is fixed in the code, and so no parameter. */
    constant?: string;
  }[];
  orders: readonly Order[];
  /** A condition that a client composed. Its values come after those of the filters. */
  where?: Condition | undefined;
  /**
   * If the read continues after a record: whether that record's value is null, for each ordering. The values and the
   * key come after those of the conditions.
   */
  after?: readonly boolean[] | undefined;
  /** Whether the read begins with that record itself. */
  from?: boolean;
  /** Whether each row contains the values of its order and its key. */
  placed?: boolean;
  /**
   * The path to the parents. Each parent gets a page of its own. Their ids are the last parameter. Each row contains
   * its key, and ends with the parent's id and, with `total: 'each'`, the parent's total. A parent without rows has one
   * row whose key is null.
   */
  per?: string | undefined;
  /** Row limit of a statement `per` parent, for all parents together: a literal. */
  most?: number | undefined;
  /** A further SQL condition, declared by the entity. */
  only?: string | undefined;
  /** Row limit: a literal, or a parameter after the filter values. */
  limit?: number | 'parameter';
  /** Whether to read the record's version even if it is not selected. */
  version?: boolean;
  /** Whether to skip rows; their number is the parameter after the limit. */
  offset?: boolean;
  /**
   * Whether the keys of a page are found by reading all rows in the list's order until the page is full. It is the
   * fastest way to a page of a search that many rows match.
   */
  scanned?: boolean | undefined;
  /**
   * How each row gets a total:
   * - `gathered`: all rows are found and counted before they are ordered
   * - `recounted`: rows are counted only if their tables changed since the snapshot in the last parameter; otherwise
   *   the total is null
   * - `beside`: rows are counted in the same pass, for an entity that computes all of its rows anyway
   * - `each`: the rows of each parent are counted
   * The first three also add the snapshot of the read.
   */
  total?: 'gathered' | 'recounted' | 'beside' | 'each' | undefined;
}

/** Parameters of the filters. */
export const filterParameters = ({ filters }: Query): number =>
  filters.filter(({ constant }) => constant === undefined).length;

/** Parameters of the conditions that determine which rows are counted. */
export const countedParameters = (query: Query): number =>
  filterParameters(query) + parametersOf(query.where);

/** Parameters of all conditions. Limit and offset come after them. */
export const parametersBefore = (query: Query): number =>
  countedParameters(query) + (query.after ? query.after.filter(isNull => !isNull).length + 1 : 0);
