import { Totals } from '../numbers.ts';
import {
  alignmentOf,
  columnWidth,
  type Column,
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
  /** Overrides the table's own orientation. */
  orientation?: Orientation;
}

/** Gap between a table and the signature lines. */
const SIGNATURE_GAP = 6;

/** A table as a document: its filters in words, its rows under a repeated header, and its totals. */
export function tableDocument(
  { table, rows, filters, issuedBy, orientation = table.orientation }: TableData,
  issue: Issue,
): Uint8Array {
  const issued = issue.moment(issue.now);
  const signers = table.signedBy?.map(role => ({ name: 'Nome:', role })) ?? [];
  const doc = new PdfDocument(issue, {
    title: table.title,
    // So that each page of a signed document says what it is about.
    ...(table.signedBy && { subject: filters.map(({ title, value }) => `${title} ${value}`).join(' · ') }),
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
  else addRows(doc, table, rows, signers.length > 0 ? SIGNATURE_GAP + doc.signaturesHeight(signers) : 0);
  if (signers.length > 0) {
    doc.gap(SIGNATURE_GAP);
    doc.signatures(signers);
  }
  return doc.finish();
}

/** The rows, and their totals, below them or in a separate table. `below` is the height of the content after them. */
function addRows(doc: PdfDocument, table: Table, rows: readonly Row[], below: number): void {
  const { columns, totalsTitle } = table;
  const sums = new Totals(table);
  sums.add(rows);
  const printed = columns.flatMap((column, i) => {
    if (column.under || column.sheetOnly) return [];
    const stacked = columns.flatMap(({ under }, j) => (under === column.path ? [j] : []));
    return [[i, ...stacked]];
  });
  const totals = sums.isNeeded ? sums.rows() : [];
  if (totalsTitle === undefined) doc.table({ ...gridOf(columns, printed, rows, totals), below });
  else {
    doc.table(gridOf(columns, printed, rows));
    doc.heading(totalsTitle);
    const shown = sums.columns.map(i => [i]);
    doc.table({ ...gridOf(columns, shown, totals), below });
  }
}

/** Values below each other, each on the line of its title: a dash stands for a missing value above another one. */
function stacked(values: readonly string[]): string {
  const last = values.findLastIndex(value => value !== '');
  return values
    .slice(0, last + 1)
    .map(value => value || '–')
    .join('\n');
}

/** A table whose cells contain one or several columns, below each other. */
function gridOf(
  columns: readonly Column[],
  printed: readonly (readonly number[])[],
  rows: readonly Row[],
  totals: readonly Row[] = [],
): Grid {
  const textsOf = (row: Row): string[] =>
    printed.map(shown => {
      const [first, ...others] = shown.map(i => cellText(row[i], columns[i]!));
      const isSaid = (text: string, n: number): boolean =>
        columns[shown[n + 1]!]!.onlyIfOther === true && text === first;
      return stacked([first!, ...others.map((text, n) => (isSaid(text, n) ? '' : text))]);
    });
  return {
    columns: printed.map(shown => {
      const all = shown.map(i => columns[i]!);
      return {
        title: all.map(({ title }) => title).join('\n'),
        width: Math.max(...all.map(columnWidth)),
        align: alignmentOf(all[0]!),
        whole: all.every(({ type }) => type !== 'text'),
      };
    }),
    rows: rows.map(textsOf),
    totals: totals.map(textsOf),
  };
}
