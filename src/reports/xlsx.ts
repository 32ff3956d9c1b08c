import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import ExcelJS from 'exceljs';
import { Totals } from './numbers.ts';
import { MAX_SHEET_ROWS, type Sheet, type SheetOptions, until } from './sheet.ts';
import { columnWidth, type CellType, type Column, type Rows, type Table } from './table.ts';
import { textCell, xlsxCell, xlsxText } from './xlsx-cells.ts';

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
  // exceljs makes a copy for each cell and stores it in a weak map, which took half of an export's time.
  const styles = [{}, ...columns.map((_, i) => sheet.getColumn(i + 1).style)];
  const totals = new Totals(table);
  const queue = compressorQueue(sheet);
  let count = 0;
  return {
    async add(rows) {
      count += rows.length;
      if (count > MAX_SHEET_ROWS) throw new RangeError(`A sheet holds at most ${MAX_SHEET_ROWS} rows`);
      for (let start = 0; start < rows.length && !res.destroyed; start += ROWS_PER_TURN) {
        const some = rows.values(start, Math.min(start + ROWS_PER_TURN, rows.length));
        for (const row of some) {
          const added = sheet.addRow(row.map((value, i) => xlsxCell(value, columns[i]!.type)));
          added.eachCell((cell, i) => (cell.style = styles[i]!));
          added.commit();
        }
        totals.add(some);
        await eventLoopTurn();
        if (queue._writableState.needDrain) await until(res, 'drain', queue);
      }
    },
    async finish() {
      const last = sheet.getColumn(columns.length).letter;
      sheet.autoFilter = `A1:${last}${count + 1}`;
      nameFilter(workbook, `'${sheet.name}'!$A$1:$${last}$${count + 1}`);
      if (totals.isNeeded) addTotals(sheet, totals, columns);
      sheet.commit();
      addProvenance(workbook, options);
      // The commit never settles after the client closed the connection.
      await Promise.race([workbook.commit(), until(res, 'finish')]);
    },
  };
}

function addTotals(sheet: ExcelJS.Worksheet, totals: Totals, columns: readonly Column[]): void {
  for (const cells of totals.rows()) {
    const row = sheet.addRow(
      cells.map((cell, i) => xlsxCell(cell, cell === 'Total' ? 'text' : columns[i]!.type)),
    );
    row.font = BOLD;
    row.commit();
  }
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

interface Queue extends EventEmitter {
  _writableState: { needDrain: boolean };
}

/** exceljs ignores the backpressure of its compressor. With this private stream it is possible to wait for it. */
function compressorQueue(sheet: ExcelJS.Worksheet): Queue {
  return (sheet as unknown as { stream: { pipes: [Queue] } }).stream.pipes[0];
}
