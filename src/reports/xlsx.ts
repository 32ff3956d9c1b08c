import type { ServerResponse } from 'node:http';
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import ExcelJS from 'exceljs';
import { Totals } from './numbers.ts';
import { MAX_SHEET_ROWS, type Sheet, type SheetOptions, until } from './sheet.ts';
import { columnWidth, type CellType, type Column, type Rows, type Table } from './table.ts';
import { textCell, xlsxText } from './xlsx-cells.ts';
import { XlsxRows, type CellFormat } from './xlsx-rows.ts';

const ROWS_PER_TURN = 50;

/** Named, because LibreOffice replaces a font without a name. */
const BOLD = { name: 'Calibri', size: 11, bold: true };

/** `@` keeps a text cell text even after somebody edits it. */
const NUMBER_FORMATS: Record<CellType, string> = {
  text: '@',
  integer: '0',
  decimal: 'General',
  date: 'dd/mm/yyyy',
  timestamp: 'dd/mm/yyyy hh:mm:ss',
  boolean: 'General',
};

/** Writes typed cells under a frozen, filtered header, and a second sheet with the provenance. */
export function openXlsx(res: ServerResponse, table: Table, options: SheetOptions): Sheet<Rows> {
  const { title, columns } = table;
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream: res,
    useStyles: true,
    useSharedStrings: false,
    zip: { zlib: { level: 1 } },
  });
  const sheet = workbook.addWorksheet(sheetName(title), { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = columns.map(sheetColumn);
  const header = sheet.getRow(1);
  header.font = BOLD;
  header.commit();
  const rows = new XlsxRows(workbook, sheet, columns.length);
  const formats = columns.map(({ type }, i) => ({ type, style: sheet.getColumn(i + 1).style }));
  const write = rows.writer(formats);
  const totals = new Totals(table);
  let count = 0;
  return {
    async add(batch) {
      count += batch.length;
      if (count > MAX_SHEET_ROWS) throw new RangeError(`A sheet holds at most ${MAX_SHEET_ROWS} rows`);
      for (let start = 0; start < batch.length && !res.destroyed; start += ROWS_PER_TURN) {
        const some = batch.values(start, Math.min(start + ROWS_PER_TURN, batch.length));
        write(some);
        totals.add(some);
        await eventLoopTurn();
        if (rows.compressor._writableState.needDrain) await until(res, 'drain', rows.compressor);
      }
    },
    async finish() {
      const last = sheet.getColumn(columns.length).letter;
      sheet.autoFilter = `A1:${last}${count + 1}`;
      nameFilter(workbook, `'${sheet.name}'!$A$1:$${last}$${count + 1}`);
      if (totals.isNeeded) addTotals(rows, totals, formats);
      sheet.commit();
      addProvenance(workbook, options);
      // The commit never settles after the client closed the connection.
      await Promise.race([workbook.commit(), until(res, 'finish')]);
    },
  };
}

function addTotals(rows: XlsxRows, totals: Totals, formats: readonly CellFormat[]): void {
  const bold = formats.map(({ type, style }) => ({ type, style: { ...style, font: BOLD } }));
  rows.writer(bold)(totals.rows());
}

/** Adds a sheet with the filters, the time and the requesting person. */
function addProvenance(workbook: ExcelJS.stream.xlsx.WorkbookWriter, options: SheetOptions): void {
  const { filters, issuedBy, now, timeZone } = options;
  const sheet = workbook.addWorksheet('Filtros');
  sheet.columns = [
    { width: 30, style: { numFmt: '@', font: BOLD } },
    { width: 60, style: { numFmt: '@' } },
  ];
  const stated = filters.length > 0 ? filters : [{ title: 'Filtros', value: 'nenhum' }];
  for (const { title, value } of stated) sheet.addRow([textCell(title), textCell(value)]).commit();
  const moment = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  sheet.addRow(['Emitido em', moment.format(now)]).commit();
  sheet.addRow(['Emitido por', textCell(issuedBy)]).commit();
  sheet.commit();
}

function sheetColumn(column: Column): Partial<ExcelJS.Column> {
  return {
    header: xlsxText(column.title),
    // The filter's button covers three characters of the header cell.
    width: Math.max(columnWidth(column), column.title.length + 3),
    style: {
      numFmt: column.places ? `0.${'0'.repeat(column.places)}` : NUMBER_FORMATS[column.type],
      ...(column.align && { alignment: { horizontal: column.align } }),
    },
  };
}

/** Excel allows at most 31 characters, and none of `[ ] * ? : \ / '`. */
function sheetName(title: string): string {
  const allowed = title.replace(/[\p{Cc}[\]*?:\\/']/gu, ' ');
  return allowed.trimStart().slice(0, 31).trimEnd();
}

/**
 * exceljs leaves this name out. Without it Excel fails when it sorts by the filter, and LibreOffice shows no filter.
 */
function nameFilter(workbook: ExcelJS.Workbook, range: string): void {
  const model = [{ name: '_xlnm._FilterDatabase', localSheetId: 0, ranges: [range] }];
  Object.defineProperty(workbook.definedNames, 'model', { value: model });
}
