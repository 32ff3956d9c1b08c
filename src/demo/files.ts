import { fileURLToPath } from 'node:url';
import { type Row } from '../imports/row.ts';
import { fileAt, rowsOf } from '../imports/rows.ts';

/** The demo's folder. The build copies it next to the compiled service. */
const FOLDER = new URL('../../demo/', import.meta.url);

export const demoPath = (name: string): string => fileURLToPath(new URL(name, FOLDER));

/** The rows of a csv file of the demo, headers first. `read` converts each cell. */
export async function* demoRows(name: string, read = (cell: string): string => cell): AsyncGenerator<Row> {
  for await (const { number, cells } of rowsOf(await fileAt(demoPath(`${name}.csv`))))
    yield { number, cells: cells.map(read) };
}

/** The rows as records by header; an empty cell is null. */
export async function demoRecords<Header extends string>(
  name: string,
  read?: (cell: string) => string,
): Promise<Record<Header, string | null>[]> {
  const rows: Row[] = [];
  for await (const row of demoRows(name, read)) rows.push(row);
  const [headers, ...records] = rows.map(({ cells }) => cells);
  return records.map(
    cells =>
      Object.fromEntries(headers!.map((header, i) => [header, cells[i] || null])) as Record<
        Header,
        string | null
      >,
  );
}
