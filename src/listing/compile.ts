import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import type { Match } from './args.ts';
import { build, Builder, bytesOf, collated, indexAt, quote, textOf, type ManyField } from './builder.ts';
import { alsoReading, type Selection } from './selection.ts';
import { rowsAfter, type Order } from './keyset.ts';
import { conditionSql, Parameters, parametersOf, type Condition } from './condition.ts';
import { writtenSince, type Total } from './totals.ts';

/** The shape of a read: everything that changes the SQL text, but no values. */
export interface Query {
  filters: readonly { paths: readonly string[]; match: Match; array?: boolean; within?: boolean }[];
  orders: readonly Order[];
  /** A condition that a client composed; its values follow those of the filters. */
  where?: Condition | undefined;
  /**
   * Whether the read continues after a record: for each ordering whether that record's value is null. The values and
   * the key follow those of the conditions.
   */
  after?: readonly boolean[] | undefined;
  /** Whether each row contains the values of its order and its key. */
  placed?: boolean;
  /**
   * The link to the parents, each of which gets a page of its own. Their ids are the last parameter. Each row contains
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
   * How each row gets a total. `gathered`: all rows are found and counted before they are ordered. `recounted`: rows are
   * counted only if their tables changed since the snapshot in the last parameter; otherwise the total is null. Both
   * add the snapshot of the read. `each`: the rows of each parent are counted.
   */
  total?: 'gathered' | 'recounted' | 'each' | undefined;
}

/** A compiled read: SQL text, and how to build a record from a row (an array of column values). */
export interface Plan {
  text: string;
  /** Counts the same rows with the same filter values. Returns total and snapshot. */
  countText: string;
  /** Returns whether there are more rows than one further parameter. */
  longerText: string;
  /** Tables whose changes can change the count. */
  countedTables: readonly string[];
  /** The total at the end of a row of a query with `total`; undefined if it was not counted. */
  totalOf: (row: readonly unknown[]) => Total | undefined;
  toRecord: (row: readonly unknown[]) => Record<string, unknown>;
  /** The parent of a row of a query `per` parent, and whether that parent has no rows. */
  parentOf: (row: readonly unknown[]) => { isEmpty: boolean; id: number; total: number };
  /** The values of a row's order, and its key; empty unless the query is `placed`. */
  placeOf: (row: readonly unknown[]) => unknown[];
  /** Estimated bytes of the record in the answer. */
  bytesOf: (row: readonly unknown[]) => number;
  /** Returns a function that takes the values at these paths from a row, as PostgreSQL sent them. */
  valuesAt: (paths: readonly string[]) => (row: readonly unknown[]) => unknown[];
  many: readonly ManyField[];
  /** Paths to the records whose pages of linked records are selected. */
  parents: readonly (readonly string[])[];
}

/**
 * Placeholder in an entity's expression for the filters on its inner rows (`within`). These use the alias `t` and the
 * entity's column names.
 */
export const WITHIN = '/* filters */ true';

function condition(
  builder: Builder,
  { paths, match, array }: Query['filters'][number],
  parameter: number,
): string {
  const compared = paths.map(path => {
    const { sql, folded, property } = builder.at(path);
    if (array) return `${sql} = any($${parameter})`;
    if (match === 'text') return `${folded} like contains_pattern($${parameter})`;
    // Half-open range in the session's time zone, which can use an index.
    if (match === 'day') return `(${sql} >= $${parameter}::date and ${sql} < $${parameter}::date + 1)`;
    if (match === 'fromDay') return `${sql} >= $${parameter}::date`;
    if (match === 'untilDay') return `${sql} < $${parameter}::date + 1`;
    if (match === 'member') return `$${parameter} = any(${sql})`;
    return `${collated(sql, property)} ${comparison[match]} $${parameter}`;
  });
  return compared.length > 1 ? `(${compared.join(' or ')})` : compared[0]!;
}

const comparison = { exact: '=', from: '>=', until: '<=' } as const;

function ordering(builder: Builder, orders: readonly Order[]): string {
  const terms = orders.map(({ path, direction }) => `${builder.ordered(path).sql} ${direction}`);
  return ` order by ${[...terms, 't."id"'].join(', ')}`;
}

/** Compiles a read of `selection` from the rows of an entity that `query` selects. */
export function compile(entity: EntityMetadata, selection: Selection, query: Query): Plan {
  const counted = new Builder(entity);
  const where = whereOf(counted, query);
  const isGathered = query.total === 'gathered';
  const byKeys = query.limit !== undefined && !query.per && isComputedByRow(entity);
  const builder = new Builder(entity);
  if (!byKeys && !isGathered) whereOf(builder, query);
  const fields = query.version ? alsoReading(selection, 'versao') : selection;
  const node = builder.select(builder.start, fields);
  const order = ordering(builder, query.orders);
  const placed = query.placed ? placeColumns(builder, query.orders) : [];
  const table = `${sourceOf(builder, query)} t`;
  const window = windowOf(query);
  const total = `select count(*) from ${table}${counted.joins}${where}`;
  const countedTables = counted.tables;
  // As a subselect, it is evaluated once and not for each row.
  if (query.total && !query.per) builder.column('(select pg_current_snapshot()::text)');
  if (query.total === 'recounted')
    builder.column(`case when ${writtenSince(countedTables, `$${window.next}`)} then (${total}) end`);
  if (isGathered) builder.column('k.total');
  const keys = `${keysOf(entity, query, table)}${window.sql}`;
  const after = byKeys || isGathered ? '' : afterOf(builder, query, where);
  const key = query.per ? builder.column('t."id"') : -1;
  const columns = `select ${builder.columns.join(', ') || 'null'} from`;
  const rows = `${columns} ${table}${builder.joins}${where}${after}`;
  return {
    text: query.per
      ? perParent(
          `${rows}${belongs(entity, query.per, where + after)}${order}${window.sql}`,
          `$${window.next}`,
          query.most,
          query.total === 'each' ? `${total}${belongs(entity, query.per, where)}` : undefined,
        )
      : isGathered
        ? `${columns} (${keys}) k join ${table} on t."id" = k."id"${builder.joins}${order}`
        : byKeys
          ? `${columns} ${table}${builder.joins} where t."id" = any(array(${keys}))${order}`
          : `${rows}${order}${window.sql}`,
    countText: `select (${total}) c0, pg_current_snapshot()::text c1`,
    longerText: `select exists (select from ${table}${counted.joins}${where} offset $${countedParameters(query) + 1})`,
    countedTables,
    totalOf: row => query.total && totalAt(row),
    toRecord: row => build(node, row),
    parentOf: row => ({
      isEmpty: row[key] === null,
      id: row[builder.columns.length] as number,
      total: Number(row[builder.columns.length + 1]),
    }),
    placeOf: row => placed.map(index => row[index]),
    bytesOf: row => bytesOf(node, row),
    valuesAt: paths => {
      const indexes = paths.map(path => indexAt(node, path));
      return row => indexes.map(index => row[index]);
    },
    many: builder.many,
    parents: builder.parents,
  };
}

function totalAt(row: readonly unknown[]): Total | undefined {
  const [snapshot, total] = row.slice(-2) as [string, string | null];
  return total === null ? undefined : { total: Number(total), snapshot };
}

/**
 * Selects the ordered keys of a page first, so that the other columns are read for that page only. `offset 0` stops
 * PostgreSQL from scanning all rows in their order, which takes seconds when few rows pass the filters. The count has
 * to find all of them anyway.
 */
function keysOf(entity: EntityMetadata, query: Query, table: string): string {
  const found = new Builder(entity);
  const where = whereOf(found, query);
  const rows = `${table}${found.joins}${where}`;
  const ordered = new Builder(entity);
  const order = ordering(ordered, query.orders);
  const fenced = where ? `(select t.* from ${rows} offset 0) t` : rows;
  const total = query.total === 'gathered' ? ', count(*) over () total' : '';
  return `select t."id"${total} from ${fenced}${ordered.joins}${afterOf(ordered, query, '')}${order}`;
}

/** The condition that rows belong to the parent `p`, to be added to `where`. */
export function belongs(entity: EntityMetadata, link: string, where: string): string {
  const [column] = (entity.properties[link as never] as EntityProperty).fieldNames;
  return `${where ? ' and' : ' where'} t.${quote(column!)} = p.id`;
}

/**
 * Runs a statement for each parent, up to `most` rows of all parents. PostgreSQL keeps the order of the inner rows,
 * because it runs a lateral subquery as a whole for each parent.
 */
export function perParent(rows: string, ids: string, most?: number, total?: string): string {
  const totals = total ? ` cross join lateral (${total}) n(total)` : '';
  return `select r.*, p.id p${total ? ', n.total n' : ''} from unnest(${ids}::int[]) p(id)${totals} left join lateral (${rows}) r on true${most === undefined ? '' : ` limit ${most}`}`;
}

/** The condition that continues after a record, to be added to `where`. */
function afterOf(builder: Builder, query: Query, where: string): string {
  if (!query.after) return '';
  const parameters = new Parameters(countedParameters(query));
  return `${where ? ' and' : ' where'} ${rowsAfter(builder, query.orders, query.after, parameters)}`;
}

/** Selects the values of the order and the key. Returns their indexes. */
const placeColumns = (builder: Builder, orders: readonly Order[]): number[] => [
  ...orders.map(({ path }) => builder.column(builder.at(path).sql)),
  builder.column('t."id"'),
];

/** Whether the expression computes each row independently of the others. */
const isComputedByRow = ({ expression }: EntityMetadata): boolean =>
  expression !== undefined && !textOf(expression).includes(WITHIN);

/** The limit and offset clauses, and the number of the next parameter. */
function windowOf(query: Query): { sql: string; next: number } {
  const { limit, offset } = query;
  let next = parametersBefore(query) + 1;
  if (limit === undefined) return { sql: '', next };
  const most = limit === 'parameter' ? `$${next++}` : limit;
  return { sql: ` limit ${most}${offset ? ` offset $${next++}` : ''}`, next };
}

/** Parameters of the conditions that decide which rows are counted. */
const countedParameters = ({ filters, where }: Query): number => filters.length + parametersOf(where);

/** Parameters of all conditions; those of the window follow. */
export const parametersBefore = (query: Query): number =>
  countedParameters(query) + (query.after ? query.after.filter(isNull => !isNull).length + 1 : 0);

/** The entity's table, or its expression as a subquery. */
export function sourceOf(builder: Builder, query: Query): string {
  const { expression } = builder.root;
  if (!expression) return builder.source;
  const within = conditionsOf(builder, query, true).join(' and ') || 'true';
  // A function, because `replace` gives `$1` in a string a special meaning.
  return `(${textOf(expression).replace(WITHIN, () => within)})`;
}

function conditionsOf(builder: Builder, { filters }: Query, within: boolean): string[] {
  return filters.flatMap((filter, i) =>
    (filter.within ?? false) === within ? [condition(builder, filter, i + 1)] : [],
  );
}

export function whereOf(builder: Builder, query: Query): string {
  const conditions = conditionsOf(builder, query, false);
  if (query.where) conditions.push(conditionSql(builder, query.where, new Parameters(query.filters.length)));
  if (query.only) conditions.push(`(${query.only})`);
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
}
