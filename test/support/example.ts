import type { Row, Table } from '../../src/reports/table.ts';

/** A record by property name. A table shows some of its properties. */
export type Example = Readonly<Record<string, unknown>>;

/** The row of a table for a record. */
export const rowOf = ({ columns }: Table, example: Example): Row =>
  columns.map(({ path }) =>
    path.split('.').reduce<unknown>((at, name) => (at as Example | null | undefined)?.[name], example),
  );
