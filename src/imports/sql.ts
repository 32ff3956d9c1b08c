import { quote } from '../listing/builder.ts';

/** SQL fragments of imports. `s` is a staged row, `t` its record. */

export const definitions = (columns: readonly { name: string; type: string }[]): string =>
  columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ');

export const list = (columns: readonly string[]): string => columns.map(quote).join(', ');

export const notNull = (columns: readonly string[]): string =>
  columns.map(column => `${quote(column)} is not null`).join(' and ');

export const equal = (columns: readonly string[]): string =>
  columns.map(column => `t.${quote(column)} = s.${quote(column)}`).join(' and ');

export const target = ({ table }: { table: string }): string => `${quote(table)} t`;
