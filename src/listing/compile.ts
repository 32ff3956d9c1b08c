import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import type { Match } from './args.ts';
import { build, Builder, bytesOf, indexAt, quote, type ManyField } from './builder.ts';
import { alsoReading, type Selection } from './selection.ts';
import { writtenSince } from './kept.ts';

/** Which part of a list a statement reads: only what changes its SQL text, never a value. */
export interface Query {
  filters: readonly { paths: readonly string[]; match: Match; array?: boolean; within?: boolean }[];
  orders: readonly { path: string; direction: 'asc' | 'desc' }[];
  /** A further condition, in SQL of the entity's own. */
  only?: string | undefined;
  /** Most rows: as written, or a parameter after the filter values. */
  limit?: number | 'parameter';
  /** Whether the version of the record is read, though it was not asked for. */
  version?: boolean;
  /** Whether rows are skipped, as many as the parameter after that says. */
  offset?: boolean;
  /** Whether each row ends with the snapshot in which it was read, and the day. */
  stamped?: boolean;
  /**
   * How each row comes to end with the total: `gathered`, all rows are found, counted and only then ordered; `recounted`,
   * they are counted only if a record of theirs was written since the snapshot in the last parameter, else it is null.
   */
  total?: 'gathered' | 'recounted' | undefined;
}

/** The snapshot in which a row was read, as PostgreSQL writes it, and its day. */
interface Stamp {
  snapshot: string | undefined;
  day: string | undefined;
}

/** A compiled read: SQL text, and how a row of it (an array of column values) becomes a record. */
export interface Plan {
  text: string;
  /** Text of the count of the same rows, over the same filter values: the total and the snapshot. */
  countText: string;
  /** Text that says whether there are more of them than one more parameter. */
  longerText: string;
  /** Tables of which a record can change the count. */
  countedTables: readonly string[];
  /** Tables of which a record can change what is read, its to-many fields included. */
  tables: readonly string[];
  /** Text that says whether they were written since a snapshot and a day, its parameters. */
  writtenText: string;
  /** The stamp of a row, if there is one. */
  stampOf: (row: readonly unknown[] | undefined) => Stamp;
  toRecord: (row: readonly unknown[]) => Record<string, unknown>;
  /** About how many bytes of an answer that takes. */
  bytesOf: (row: readonly unknown[]) => number;
  /** How the values at the ends of selected paths are taken from a row, as PostgreSQL gives them. */
  valuesAt: (paths: readonly string[]) => (row: readonly unknown[]) => unknown[];
  many: readonly ManyField[];
}

/**
 * Stands in an entity's expression where the filters go that pick what it reckons with (`within`); they speak of the
 * rows there, under the name `t`, by the columns that the entity has.
 */
export const WITHIN = '/* filters */ true';

function condition(
  builder: Builder,
  { paths, match, array }: Query['filters'][number],
  parameter: number,
): string {
  const compared = paths.map(path => {
    const { sql, property } = builder.at(path);
    if (array) return `${sql} = any($${parameter})`;
    if (match === 'text') return `fold(${sql}) like contains_pattern($${parameter})`;
    // From the first moment of the day to that of the next, in the session's time zone: a range that an index serves.
    if (match === 'day') return `(${sql} >= $${parameter}::date and ${sql} < $${parameter}::date + 1)`;
    if (match === 'fromDay') return `${sql} >= $${parameter}::date`;
    if (match === 'untilDay') return `${sql} < $${parameter}::date + 1`;
    if (match === 'member') return `$${parameter} = any(${sql})`;
    return `${collated(sql, property)} ${comparison[match]} $${parameter}`;
  });
  return compared.length > 1 ? `(${compared.join(' or ')})` : compared[0]!;
}

const comparison = { exact: '=', from: '>=', until: '<=' } as const;

/** Text is compared under the collation of its index, Portuguese; equality is the same under any. */
const collated = (sql: string, property: EntityProperty): string =>
  property.type === 'string' ? `${sql} collate "pt_br"` : sql;

function ordering(builder: Builder, orders: Query['orders']): string {
  const terms = orders.map(({ path, direction }) => {
    const { sql, property } = builder.at(path);
    return `${collated(sql, property)} ${direction}`;
  });
  return ` order by ${[...terms, 't."id"'].join(', ')}`;
}

/** Compiles the read of `selection` from the rows of an entity that a query picks. */
export function compile(entity: EntityMetadata, selection: Selection, query: Query): Plan {
  const counted = new Builder(entity);
  const where = whereOf(counted, query);
  const isGathered = query.total === 'gathered';
  const byKeys = query.limit !== undefined && isReckonedByRow(entity);
  const builder = new Builder(entity);
  if (!byKeys && !isGathered) whereOf(builder, query);
  const fields = query.version ? alsoReading(selection, 'versao') : selection;
  const node = builder.select({ alias: 't', entity, path: '' }, fields);
  const order = ordering(builder, query.orders);
  const table = `${sourceOf(builder, query)} t`;
  const window = windowOf(query);
  const total = `select count(*) from ${table}${counted.joins}${where}`;
  const countedTables = counted.sources;
  const tables = [...new Set([...countedTables, ...builder.sources, ...builder.many.flatMap(tablesBelow)])];
  const stampAt = builder.columns.length;
  if (query.stamped) {
    // In a statement of their own, each is made once and not for each row.
    builder.column('(select pg_current_snapshot()::text)');
    builder.column('(select current_date::text)');
  }
  if (query.total === 'recounted')
    builder.column(`case when ${writtenSince(countedTables, `$${window.next}`)} then (${total}) end`);
  if (isGathered) builder.column('k.total');
  const keys = `${keysOf(entity, query, `${table}${counted.joins}${where}`)}${window.sql}`;
  const columns = `select ${builder.columns.join(', ') || 'null'} from`;
  return {
    text: isGathered
      ? `${columns} (${keys}) k join ${table} on t."id" = k."id"${builder.joins}${order}`
      : byKeys
        ? `${columns} ${table}${builder.joins} where t."id" = any(array(${keys}))${order}`
        : `${columns} ${table}${builder.joins}${where}${order}${window.sql}`,
    countText: `select (${total}) c0, pg_current_snapshot()::text c1`,
    longerText: `select exists (select from ${table}${counted.joins}${where} offset $${query.filters.length + 1})`,
    countedTables,
    tables,
    writtenText: `select ${writtenSince(tables, '$1')} or current_date <> $2::date c0`,
    stampOf: row => ({
      snapshot: row?.[stampAt] as string | undefined,
      day: row?.[stampAt + 1] as string | undefined,
    }),
    toRecord: row => build(node, row),
    bytesOf: row => bytesOf(node, row),
    valuesAt: paths => {
      const indexes = paths.map(path => indexAt(node, path));
      return row => indexes.map(index => row[index]);
    },
    many: builder.many,
  };
}

/** The tables that a to-many field is read from. */
const tablesBelow = ({ entity, selection }: ManyField): readonly string[] =>
  compile(entity, selection, { filters: [], orders: [] }).tables;

/**
 * The keys of rows in their order, so that all else is read of those alone that are shown. Filtered rows are fenced off
 * by `offset 0`: PostgreSQL would walk through all rows in their order, expecting to meet a page of such soon, which
 * takes seconds where there are few; the count has to find them all anyway.
 */
function keysOf(entity: EntityMetadata, query: Query, rows: string): string {
  const ordered = new Builder(entity);
  const order = ordering(ordered, query.orders);
  const fenced = query.filters.length > 0 ? `(select t.* from ${rows} offset 0) t` : rows;
  const total = query.total === 'gathered' ? ', count(*) over () total' : '';
  return `select t."id"${total} from ${fenced}${ordered.joins}${order}`;
}

/** Whether text is looked for, so that the rows are worth gathering: an index finds them, and none in their order. */
export const isSearch = ({ expression }: EntityMetadata, { filters }: Query): boolean =>
  !expression && filters.some(({ match }) => match === 'text');

/** Whether an expression makes each row by itself, so that one can be made without the others. */
const isReckonedByRow = ({ expression }: EntityMetadata): boolean =>
  expression !== undefined && !textOf(expression).includes(WITHIN);

/** The part of the rows that is wanted, and the number of the parameter after its own. */
function windowOf({ filters, limit, offset }: Query): { sql: string; next: number } {
  let next = filters.length + 1;
  if (limit === undefined) return { sql: '', next };
  const most = limit === 'parameter' ? `$${next++}` : limit;
  return { sql: ` limit ${most}${offset ? ` offset $${next++}` : ''}`, next };
}

/** The entity's table, or the expression in its place. */
function sourceOf(builder: Builder, query: Query): string {
  const { expression, tableName } = builder.root;
  if (!expression) return quote(tableName);
  const within = conditionsOf(builder, query, true).join(' and ') || 'true';
  // By a function, since `$1` in a text would mean something else here.
  return `(${textOf(expression).replace(WITHIN, () => within)})`;
}

const textOf = (expression: NonNullable<EntityMetadata['expression']>): string =>
  typeof expression === 'string' ? expression : (expression as () => string)();

function conditionsOf(builder: Builder, { filters }: Query, within: boolean): string[] {
  return filters.flatMap((filter, i) =>
    (filter.within ?? false) === within ? [condition(builder, filter, i + 1)] : [],
  );
}

function whereOf(builder: Builder, query: Query): string {
  const conditions = conditionsOf(builder, query, false);
  if (query.only) conditions.push(`(${query.only})`);
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
}
