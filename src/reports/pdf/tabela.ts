import { Totals } from '../numbers.ts';
import {
  alignmentOf,
  columnWidth,
  type Orientation,
  type Provenance,
  type Row,
  type Table,
} from '../table.ts';
import { cellText } from './cells.ts';
import { PdfDocument } from './document.ts';
import type { Grid } from './grid.ts';
import { type Issue } from './issue.ts';

/** All rows of a list or report. */
export interface TableData extends Omit<Provenance, 'now'> {
  table: Table;
  rows: readonly Row[];
  /** Replaces the table's own orientation. */
  orientation?: Orientation;
}

/** A table as a document: its filters in words, its rows under a repeated header, and its totals. */
export function tableDocument(
  { table, rows, filters, issuedBy, orientation = table.orientation }: TableData,
  { institution, moment, now }: Issue,
): Uint8Array {
  const issued = moment(now);
  const doc = new PdfDocument(institution, {
    title: table.title,
    footer: `Emitido em ${issued} por ${issuedBy}`,
    orientation,
    side: 12,
  });
  doc.fields([
    ...filters.map(({ title, value }) => ({ label: title, value })),
    ...(filters.length === 0 ? [{ label: 'Filtros', value: 'Nenhum' }] : []),
    { label: 'Linhas', value: rows.length.toLocaleString('pt-BR') },
  ]);
  doc.gap(4);
  if (rows.length === 0) doc.text(null, { missing: 'Nenhum registro encontrado.' });
  else doc.table(gridOf(table, rows));
  return doc.finish();
}

function gridOf(table: Table, rows: readonly Row[]): Grid {
  const { columns } = table;
  const totals = new Totals(table);
  totals.add(rows);
  return {
    columns: columns.map(column => ({
      title: column.title,
      width: columnWidth(column),
      align: alignmentOf(column),
      whole: column.type !== 'text',
    })),
    rows: rows.map(row => row.map((value, i) => cellText(value, columns[i]!))),
    totals: totals.isNeeded
      ? totals.rows().map(cells => cells.map((cell, i) => cellText(cell, columns[i]!)))
      : [],
  };
}
