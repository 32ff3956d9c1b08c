import type { Builder } from './builder.ts';
import type { Parameters } from './condition.ts';

/** One term of an order. */
export interface Order {
  path: string;
  direction: 'asc' | 'desc';
}

/** A record's place in the order of a list: the values of the order, and its key. */
export type Place = readonly (string | number | boolean | null)[];

/**
 * SQL condition: the rows after a record (or from it on, with `>=`), in this order and then by key. `nulls` says which of the record's values are
 * null. Nulls are last in ascending order and first in descending order, as PostgreSQL has them.
 */
export function rowsAfter(
  builder: Builder,
  orders: readonly Order[],
  nulls: readonly boolean[],
  parameters: Parameters,
  keys: '>' | '>=',
): string {
  const terms = orders.map(({ path, direction }, i) => {
    const { sql, isNullable } = builder.ordered(path);
    // A null has no parameter, because PostgreSQL could not tell its type.
    return { sql, isNullable, isNull: nulls[i]!, direction, value: nulls[i] ? '' : parameters.next() };
  });
  const key = parameters.next();
  const rest = terms.reduceRight((tied, { sql, isNullable, isNull, direction, value }) => {
    if (isNull)
      return direction === 'asc' ? `(${sql} is null and ${tied})` : `(${sql} is not null or ${tied})`;
    const further = `${sql} ${direction === 'asc' ? '>' : '<'} ${value}`;
    const nullsFollow = direction === 'asc' && isNullable ? ` or ${sql} is null` : '';
    return `(${further}${nullsFollow} or ${sql} = ${value} and ${tied})`;
  }, `${builder.alias}."id" ${keys} ${key}`);
  const [first] = terms;
  if (!first || first.isNull || (first.direction === 'asc' && first.isNullable)) return rest;
  // Logically redundant, but lets PostgreSQL begin in the middle of an index.
  return `${first.sql} ${first.direction === 'asc' ? '>=' : '<='} ${first.value} and ${rest}`;
}
