import type { EntityMetadata } from '@mikro-orm/core';
import { Builder, collated } from './builder.ts';
import { converterOf } from './node.ts';
import { perParent } from './compile.ts';
import { parametersBefore, type Query } from './query.ts';
import { belongs, sourceOf, whereOf } from './where.ts';

/** A period by which days and moments are grouped. The value of a group is the first day of its period. */
export type Period = 'DAY' | 'MONTH' | 'YEAR';

/** An aggregate of a column over rows. */
export interface Sum {
  of: 'sum' | 'avg' | 'min' | 'max';
  path: string;
}

/**
 * What to compute from the rows of a query. The values of a row come in this order: the group's values, `count`, the
 * sums.
 */
export interface SumsShape {
  /** The columns that make the groups. Without any, all rows are one group. */
  by: readonly { path: string; period?: Period | undefined }[];
  sums: readonly Sum[];
  /** The ordering of the groups, by index of a value. The values of the group break ties. */
  orders: readonly { at: number; direction: 'asc' | 'desc' }[];
  /** Whether a parameter limits the number of groups. */
  limited: boolean;
}

/** A compiled statement, and how to convert the values of its rows. */
export interface SumsPlan {
  text: string;
  /** The group's values, `count` and the sums of a row, converted for clients. */
  valuesOf: (row: readonly unknown[]) => unknown[];
  /** The parent's id of a row. */
  parentOf: (row: readonly unknown[]) => number;
}

/**
 * Compiles a statement that adds up the rows of a query. Its parameters are the values of the conditions, then the
 * limit, then the ids of the parents.
 */
export function compileSums(
  entity: EntityMetadata,
  query: Query,
  { by, sums, orders, limited }: SumsShape,
): SumsPlan {
  const builder = Builder.findingAll(entity);
  const where = whereOf(builder, query);
  const keys = by.map(({ path, period }) => keyOf(builder, path, period));
  const values = [...keys, { sql: 'count(*)::float8' }, ...sums.map(sum => sumOf(builder, sum))] as Value[];
  const terms = orders.map(({ at, direction }) => `${values[at]!.sql} ${direction}`);
  let next = parametersBefore(query);
  const limit = limited ? ` limit $${++next}` : '';
  const grouped = keys.map(({ sql }) => sql).join(', ');
  const ordered = [...terms, ...keys.map(({ sql }) => sql)].join(', ');
  const columns = values.map(({ sql }, i) => `${sql} c${i}`).join(', ');
  const { source, shared } = sourceOf(builder, query);
  const ofParent = belongs(builder, query, where);
  const text =
    `${shared}select ${columns} from ${source} t${builder.joins}${where}${ofParent}` +
    (grouped && ` group by ${grouped} order by ${ordered}`) +
    limit;
  return {
    text: query.per ? perParent(text, `$${++next}`, query.most) : text,
    valuesOf: row => values.map(({ convert }, i) => (convert ? convert(row[i]) : row[i])),
    parentOf: row => row[values.length] as number,
  };
}

interface Value {
  sql: string;
  convert?: ((value: unknown) => unknown) | undefined;
}

function keyOf(builder: Builder, path: string, period: Period | undefined): Value {
  const { sql, property } = builder.at(path);
  // The session's time zone is the institution's, so a moment falls on a day there.
  if (period) return { sql: `date_trunc('${period.toLowerCase()}', ${sql})::date` };
  return { sql: collated(sql, property), convert: converterOf(property) };
}

/** Sums are exact: PostgreSQL adds numerics, which do not overflow. */
function sumOf(builder: Builder, { of, path }: Sum): Value {
  const { sql, property } = builder.at(path);
  return of === 'min' || of === 'max'
    ? { sql: `${of}(${sql})`, convert: converterOf(property) }
    : { sql: `${of}(${sql}::numeric)::float8` };
}
