import { PdfDocument } from './document.ts';
import { cellText } from './cells.ts';
import type { Issue } from './templates.ts';
import { Totals } from '../numbers.ts';
import {
  columnWidth,
  localTimeIn,
  rowReader,
  type Orientation,
  type Provenance,
  type Row,
  type Table,
} from '../table.ts';

/** A list or report with its rows, all of them. */
export interface TableData extends Provenance {
  table: Table;
  rows: readonly Row[];
  /** Instead of the table's own. */
  orientation?: Orientation;
}

/** A table as a document: its filters in words, its rows under a header that each page repeats, and its totals. */
export function tableDocument(
  { table, rows, filters, issuedBy, now, orientation = table.orientation ?? 'portrait' }: TableData,
  { institution, moment, now: today, timeZone }: Issue,
): Uint8Array {
  const doc = new PdfDocument(institution, {
    title: table.title,
    orientation,
    footer: `Emitido em ${moment(now ?? today)} por ${issuedBy}`,
  });
  for (const { title, value } of filters) doc.text(`${title}: ${value}`);
  if (rows.length === 0) doc.text(null, { missing: 'Nenhum registro encontrado.' });
  else doc.table(table.columns.map(share), [...bodyOf(table, rows, timeZone)]);
  return doc.finish();
}

const share = (column: Table['columns'][number]) => ({ title: column.title, share: columnWidth(column) });

function* bodyOf({ columns }: Table, rows: readonly Row[], timeZone: string): Iterable<string[]> {
  const localTime = localTimeIn(timeZone);
  const totals = new Totals(columns);
  totals.add(rows);
  const read = rowReader(columns, (value, type) => cellText(value, type, localTime));
  for (const row of rows) yield read(row);
  if (totals.wanted)
    yield totals
      .cells()
      .map((cell, i) => (cell === 'Total' ? cell : cellText(cell, columns[i]!.type, localTime)));
}
