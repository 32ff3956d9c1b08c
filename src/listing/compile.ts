import type { EntityMetadata } from '@mikro-orm/core';
import { Builder, textOf } from './builder.ts';
import { build, bytesOf, indexAt } from './node.ts';
import type { Order } from './keyset.ts';
import { countedParameters, parametersBefore, type Query } from './query.ts';
import { SelectedFields, type ManyField } from './selected-fields.ts';
import { alsoReading, type Selection } from './selection.ts';
import { SNAPSHOT, writtenSince, type Total } from './totals.ts';
import { afterOf, belongs, hasShared, hasWithin, isSearchedByParent, sourceOf, whereOf } from './where.ts';

/** A compiled read: SQL text, and how to build a record from a row (an array of column values). */
export interface Plan {
  text: string;
  /** Counts the same rows with the same filter values. Returns total and snapshot. */
  countText: string;
  /** Returns whether there are more rows than the last parameter says. */
  longerText: string;
  /**
   * Returns the ordered keys of the same rows as one array, and the snapshot. If there are more keys than the last
   * parameter says, the array is null, or has at least one key too many.
   */
  keysText: string;
  /** Returns whether the count may have changed since the snapshot in the only parameter. */
  writtenText: string;
  /** Whether an SQL expression computes the rows, which is slow. */
  isComputed: boolean;
  /** Tables whose changes can change the count. */
  countedTables: readonly string[];
  /** The total at the end of a row of a query with `total`; undefined if it was not counted. */
  totalOf: (row: readonly unknown[]) => Total | undefined;
  toRecord: (row: readonly unknown[]) => Record<string, unknown>;
  /** For a query with `per`: the parent of a row, and whether that parent has no rows. */
  parentOf: (row: readonly unknown[]) => { isEmpty: boolean; id: number; total: number };
  /** For a query with `placed`: the row's values of the ordering, and its key. Otherwise empty. */
  placeOf: (row: readonly unknown[]) => unknown[];
  /** Estimated bytes of the record in the answer. */
  bytesOf: (row: readonly unknown[]) => number;
  /** The indexes of the values at these paths in a row. Values of a row are unconverted. */
  indexesAt: (paths: readonly string[]) => number[];
  many: readonly ManyField[];
  /** Paths to the records for which pages of linked records are selected. */
  parents: readonly (readonly string[])[];
}

function ordering(builder: Builder, orders: readonly Order[]): string {
  const terms = orders.map(({ path, direction }) => `${builder.ordered(path).sql} ${direction}`);
  return ` order by ${[...terms, 't."id"'].join(', ')}`;
}

/** Compiles a read of `selection` from the rows of an entity that `query` selects. */
export function compile(entity: EntityMetadata, selection: Selection, query: Query): Plan {
  const counted = Builder.findingAll(entity);
  const countedWhere = whereOf(counted, query);
  const isGathered = query.total === 'gathered';
  const byKeys = query.limit !== undefined && !query.per && isComputedByRow(entity);
  const isSorted = isSortedBeforeJoins(entity, selection, query);
  const findsKeys = byKeys || isGathered || query.scanned === true || isSorted || isSearched(entity, query);
  // Rows that are skipped are not joined to what the page shows.
  const isSkipping = query.offset === true && !entity.expression && !findsKeys;
  const builder = new Builder(entity);
  const rest = findsKeys || isSkipping ? '' : restOf(builder, query);
  const fields = query.version ? alsoReading(selection, 'versao') : selection;
  const selected = new SelectedFields(builder);
  const node = selected.select(builder.start, fields);
  const order = ordering(builder, query.orders);
  const placed = query.placed ? placeColumns(builder, query.orders) : [];
  const { source, shared } = sourceOf(builder, query);
  const table = `${source} t`;
  const window = windowOf(query);
  const ofParent = belongs(counted, query, countedWhere);
  const total = `select count(*) from ${table}${counted.joins}${countedWhere}${ofParent}`;
  const countedTables = counted.tables;
  const most = `$${parametersBefore(query) + 1}::int`;
  // A subselect is evaluated once, not for each row.
  if (query.total && !query.per) builder.column(SNAPSHOT);
  if (query.total === 'recounted')
    builder.column(`case when ${writtenSince(countedTables, `$${window.next}`)} then (${total}) end`);
  if (isGathered) builder.column(byKeys ? '(select total from k limit 1)' : 'k.total');
  if (query.total === 'beside') builder.column('count(*) over ()');
  const keys = `${isSkipping ? keysInOrder(entity, query, table) : keysOf(entity, query, table)}${window.sql}`;
  const allKeys = keysOf(entity, { ...query, total: undefined }, table);
  const key = query.per ? builder.column('t."id"') : -1;
  // Only an expression with a shared part is both.
  const begin = byKeys && isGathered ? `${shared}, k as materialized (${keys}) ` : shared;
  const columns = `${begin}select ${builder.columns.join(', ') || 'null'} from`;
  const rows = byKeys
    ? `${columns} ${table}${builder.joins} where t."id" = any(array(${isGathered ? 'select id from k' : keys}))${order}`
    : findsKeys || isSkipping
      ? `${columns} (${keys}) k join ${table} on t."id" = k."id"${builder.joins}${order}`
      : `${columns} ${table}${builder.joins}${rest}${order}${window.sql}`;
  const eachTotal = query.total === 'each' ? total : undefined;
  return {
    text: query.per ? perParent(rows, `$${window.next}`, query.most, eachTotal) : rows,
    countText: `${shared}select (${total}) c0, ${SNAPSHOT} c1`,
    longerText: `${shared}select exists (select from ${table}${counted.joins}${countedWhere} offset $${countedParameters(query) + 1})`,
    keysText: entity.expression
      ? `${shared}select array(${allKeys} limit ${most} + 1) c0, ${SNAPSHOT} c1`
      : // What is too long is not sorted. To look for that takes far less than to compute rows twice would.
        `select case when not exists (select from ${table}${counted.joins}${countedWhere} offset ${most})
      then array(${allKeys}) end c0, ${SNAPSHOT} c1`,
    writtenText: `select ${writtenSince(countedTables, '$1')} c0`,
    isComputed: entity.expression !== undefined,
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
    indexesAt: paths => paths.map(path => indexAt(node, path)),
    many: selected.many,
    parents: selected.parents,
  };
}

function totalAt(row: readonly unknown[]): Total | undefined {
  const [snapshot, total] = row.slice(-2) as [string, string | null];
  return total === null ? undefined : { total: Number(total), snapshot };
}

/**
 * Selects the ordered keys of a page first, so that the other columns are read for that page only. `offset 0` stops
 * PostgreSQL from scanning all rows in their order, which takes seconds when few rows pass the filters, and a minute when
 * it compares each row with all of the shared part. Counting has to find all matching rows anyway. Default filters do not
 * count here, because most rows pass them. A scan is what a `scanned` query wants. A parent may have no rows at all.
 */
function keysOf(entity: EntityMetadata, query: Query, table: string): string {
  const found = query.scanned ? Builder.scanning(entity) : Builder.findingAll(entity);
  const conditions = whereOf(found, query);
  const where = `${conditions}${belongs(found, query, conditions)}`;
  const rows = `${table}${found.joins}${where}`;
  const ordered = new Builder(entity);
  const order = ordering(ordered, query.orders);
  const isFiltered = query.where !== undefined || query.filters.some(filter => !filter.usual);
  const fence = (isFiltered || query.per || isShared(entity)) && !query.scanned ? ' offset 0' : '';
  const fenced = where || fence ? `(select t.* from ${rows}${fence}) t` : rows;
  const total = query.total === 'gathered' ? ', count(*) over () total' : '';
  return `select t."id"${total} from ${fenced}${ordered.joins}${afterOf(ordered, query, '')}${order}`;
}

/** All conditions of a page that is read in one pass: what it selects, where it begins, and to which parent it belongs. */
function restOf(builder: Builder, query: Query): string {
  const where = whereOf(builder, query);
  const after = afterOf(builder, query, where);
  return `${where}${after}${belongs(builder, query, where + after)}`;
}

/**
 * Selects the ordered keys of a page that skips rows. PostgreSQL finds them as it would find the rows of the first page, by a
 * walk in the list's order or by a search, and joins only what a condition or the order needs.
 */
function keysInOrder(entity: EntityMetadata, query: Query, table: string): string {
  const builder = new Builder(entity);
  const rest = restOf(builder, query);
  const order = ordering(builder, query.orders);
  return `select t."id" from ${table}${builder.joins}${rest}${order}`;
}

/**
 * Runs a statement for each parent, up to `most` rows of all parents. PostgreSQL keeps the order of the inner rows,
 * because it runs a lateral subquery as a whole for each parent.
 */
export function perParent(rows: string, ids: string, most?: number, total?: string): string {
  const totals = total ? ` cross join lateral (${total}) n(total)` : '';
  return `select r.*, p.id p${total ? ', n.total n' : ''} from unnest(${ids}::int[]) p(id)${totals} left join lateral (${rows}) r on true${most === undefined ? '' : ` limit ${most}`}`;
}

/** Selects the values of the order and the key. Returns their indexes. */
const placeColumns = (builder: Builder, orders: readonly Order[]): number[] => [
  ...orders.map(({ path }) => builder.column(builder.at(path).sql)),
  builder.column('t."id"'),
];

/**
 * Whether a page of a table shows linked tables, but comes in the order of others: then no index has the order, and what the
 * page shows would be joined to all rows before they are sorted.
 */
function isSortedBeforeJoins(entity: EntityMetadata, selection: Selection, query: Query): boolean {
  const { limit, per, orders } = query;
  if (entity.expression || limit === undefined || per || !orders.some(({ path }) => path.includes('.')))
    return false;
  const builder = new Builder(entity);
  ordering(builder, orders);
  const { joins } = builder;
  new SelectedFields(builder).select(builder.start, selection);
  return builder.joins !== joins;
}

/** Whether the page of each parent is found by a search for its rows, which are then sorted. */
const isSearched = (entity: EntityMetadata, { per, limit }: Query): boolean =>
  !entity.expression && limit !== undefined && per !== undefined && isSearchedByParent(entity, per);

/** Whether the expression computes each row independently of the others, except for the shared part. */
const isComputedByRow = ({ expression }: EntityMetadata): boolean =>
  expression !== undefined && (hasShared(textOf(expression)) || !hasWithin(textOf(expression)));

/** Whether some rows can be read by their keys without the others. */
export const isReadByKeys = (entity: EntityMetadata): boolean =>
  entity.expression === undefined || isComputedByRow(entity);

/** Whether every read has to compute all rows, so that counting them is free. */
export const isShared = ({ expression }: EntityMetadata): boolean =>
  expression !== undefined && hasShared(textOf(expression));

/** The limit and offset clauses, and the number of the next parameter. */
function windowOf(query: Query): { sql: string; next: number } {
  const { limit, offset } = query;
  let next = parametersBefore(query) + 1;
  if (limit === undefined) return { sql: '', next };
  const most = limit === 'parameter' ? `$${next++}` : limit;
  return { sql: ` limit ${most}${offset ? ` offset $${next++}` : ''}`, next };
}
