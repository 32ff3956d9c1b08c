import type { Row, Table } from '../../src/reports/table.ts';

/** A record by the names of its properties, of which a table shows some. */
export type Example = Readonly<Record<string, unknown>>;

/** The row of a table that shows a record. */
export const rowOf = ({ columns }: Table, example: Example): Row =>
  columns.map(({ path }) =>
    path.split('.').reduce<unknown>((at, name) => (at as Example | null | undefined)?.[name], example),
  );
