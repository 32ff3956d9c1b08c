import { quote } from '../listing/builder.ts';
import type { EnteredRecords } from './importable.ts';

/** SQL fragments of imports. `s` is a staged row, `t` its record. */

/** Id of the import's author; null if somebody with access to the database imports without one. */
export const AUTHOR = `nullif(current_setting('sii.id_pessoa', true), '')::int`;

export const definitions = (columns: readonly { name: string; type: string }[]): string =>
  columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ');

export const list = (columns: readonly string[]): string => columns.map(quote).join(', ');

export const notNull = (columns: readonly string[]): string =>
  columns.map(column => `${quote(column)} is not null`).join(' and ');

interface RecordKey {
  key: readonly string[];
  mayBeEmpty: readonly string[];
}

/** Condition that the record has these values of the row, whose alias may be another than `s`. */
export const equal = (columns: readonly string[], row = 's'): string =>
  columns.map(column => `t.${quote(column)} = ${row}.${quote(column)}`).join(' and ');

/** Condition that the record is the one of the row. */
export const isRecord = ({ key, mayBeEmpty }: RecordKey, row = 's'): string => {
  const same = mayBeEmpty.map(column => `t.${quote(column)} is not distinct from ${row}.${quote(column)}`);
  return [
    equal(
      key.filter(column => !mayBeEmpty.includes(column)),
      row,
    ),
    ...same,
  ].join(' and ');
};

export const target = ({ table, entered }: { table: string; entered: EnteredRecords | undefined }): string =>
  `${entered ? `(${entered.known})` : quote(table)} t`;
