import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import ExcelJS from 'exceljs';
import { until, type Sheet } from './sheet.ts';
import {
  asText,
  columnWidth,
  rowReader,
  type CellType,
  type Column,
  type LocalTime,
  type Table,
} from './table.ts';

/** Rows below the header that one xlsx sheet can hold. A csv has no limit. */
export const MAX_SHEET_ROWS = 1_048_575;

const MAX_CELL_LENGTH = 32_767;
const ROWS_PER_TURN = 500;

/** `@` keeps text what it is even after somebody edits the cell. */
const NUMBER_FORMATS: Record<CellType, string> = {
  text: '@',
  integer: '0',
  decimal: 'General',
  date: 'dd/mm/yyyy',
  timestamp: 'dd/mm/yyyy hh:mm:ss',
  boolean: 'General',
};

/** One sheet of typed cells under a frozen, filtered header. */
export function openXlsx(res: ServerResponse, { title, columns }: Table, localTime: LocalTime): Sheet {
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream: res,
    useStyles: true,
    useSharedStrings: false,
    zip: { zlib: { level: 1 } },
  });
  const sheet = workbook.addWorksheet(sheetName(title), { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = columns.map(sheetColumn);
  const header = sheet.getRow(1);
  header.font = { bold: true };
  header.commit();
  const read = rowReader(columns, (value, type) => xlsxCell(value, type, localTime));
  const queue = compressorQueue(sheet);
  let count = 0;
  return {
    async add(rows) {
      count += rows.length;
      if (count > MAX_SHEET_ROWS) throw new RangeError(`A sheet holds at most ${MAX_SHEET_ROWS} rows`);
      for (let start = 0; start < rows.length && !res.destroyed; start += ROWS_PER_TURN) {
        for (const row of rows.slice(start, start + ROWS_PER_TURN)) sheet.addRow(read(row)).commit();
        await eventLoopTurn();
        if (queue._writableState.needDrain) await until(res, 'drain', queue);
      }
    },
    async finish() {
      const last = sheet.getColumn(columns.length).letter;
      sheet.autoFilter = `A1:${last}${count + 1}`;
      nameFilter(workbook, `'${sheet.name}'!$A$1:$${last}$${count + 1}`);
      // The commit never settles when the client leaves.
      await Promise.race([workbook.commit(), until(res, 'finish')]);
    },
  };
}

function sheetColumn(column: Column): Partial<ExcelJS.Column> {
  return {
    header: xlsxText(column.title),
    // The filter's button takes three characters of the heading's cell.
    width: Math.max(columnWidth(column), column.title.length + 3),
    style: { numFmt: NUMBER_FORMATS[column.type] },
  };
}

/** Excel's rules: at most 31 characters, none of `[ ] * ? : \ / '`. */
function sheetName(title: string): string {
  const allowed = title.replace(/[\p{Cc}[\]*?:\\/']/gu, ' ');
  return allowed.trimStart().slice(0, 31).trimEnd();
}

/** Without this name, which exceljs leaves out, Excel fails when sorting by the filter and LibreOffice shows none. */
function nameFilter(workbook: ExcelJS.Workbook, range: string): void {
  const model = [{ name: '_xlnm._FilterDatabase', localSheetId: 0, ranges: [range] }];
  Object.defineProperty(workbook.definedNames, 'model', { value: model });
}

/** Empty cells are undefined: exceljs then writes nothing at all. */
function xlsxCell(value: unknown, type: CellType, localTime: LocalTime): ExcelJS.CellValue {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  const text = type === 'timestamp' ? localTime(asText(value)) : asText(value);
  return (type === 'date' || type === 'timestamp' ? xlsxDate(text) : undefined) ?? xlsxText(text);
}

/** exceljs writes a Date's UTC clock. Excel's calendar is wrong before March 1900 and ends with the year 9999. */
function xlsxDate(text: string): Date | undefined {
  const [date = '', time = '00:00:00'] = text.split(' ');
  const value = new Date(`${date}T${time}Z`);
  return date.length === 10 && value.getTime() >= Date.UTC(1900, 2) ? value : undefined;
}

/** What XML cannot say, or says otherwise when it is read: control characters, of which only tab and line feed stay. */
const UNSPEAKABLE = /(?![\t\n])[\p{Cc}\uFFFE\uFFFF]/gu;

/** Such characters as Excel writes them, without which exceljs would leave them out. Lone surrogates it replaces. */
function xlsxText(text: string): string {
  const fitting =
    text.length > MAX_CELL_LENGTH
      ? `${text.slice(0, MAX_CELL_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
      : text;
  // Excel reads _x0041_ as A, unless the underscore is itself written so.
  return fitting.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_').replace(UNSPEAKABLE, escaped);
}

const escaped = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

interface Queue extends EventEmitter {
  _writableState: { needDrain: boolean };
}

/** exceljs fills the compressor's queue without looking; this is what it keeps to itself, so that we can wait. */
function compressorQueue(sheet: ExcelJS.Worksheet): Queue {
  return (sheet as unknown as { stream: { pipes: [Queue] } }).stream.pipes[0];
}
