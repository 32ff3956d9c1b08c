import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { CellValue } from 'exceljs';
import { OperatorError } from '../errors.ts';
import { type Row } from './row.ts';
import { decoded } from './utf8.ts';

/** The rows of a workbook's first sheet, with cells as text. @throws OperatorError when it is not a workbook */
export async function* xlsxRows(file: string): AsyncGenerator<Row> {
  const stream = createReadStream(file);
  try {
    const { default: ExcelJS } = await import('exceljs');
    const workbook = new ExcelJS.stream.xlsx.WorkbookReader(stream, {
      entries: 'emit',
      worksheets: 'emit',
      sharedStrings: 'cache',
      styles: 'cache',
      hyperlinks: 'ignore',
    });
    decodeWhole(workbook as unknown as Parts);
    for await (const sheet of workbook) {
      for await (const row of sheet)
        yield { number: row.number, cells: (row.values as CellValue[]).slice(1).map(textOf) };
      return;
    }
  } catch (error) {
    throw new OperatorError(
      `${file} cannot be read as a workbook (${(error as Error).message}). Save it as "Excel workbook (.xlsx)" and import it again.`,
      { cause: error },
    );
  } finally {
    stream.destroy();
  }
}

/** The methods with which exceljs reads the text parts of a workbook. */
interface Parts {
  _parseSharedStrings: (strings: Readable) => unknown;
  _parseWorksheet: (sheet: AsyncIterable<Uint8Array | string>, id: string) => unknown;
}

/** exceljs decodes each chunk separately, which breaks characters on a boundary (exceljs/exceljs#2084). */
function decodeWhole(workbook: Parts): void {
  const { _parseSharedStrings: parseStrings, _parseWorksheet: parseSheet } = workbook;
  workbook._parseSharedStrings = strings => parseStrings.call(workbook, strings.setEncoding('utf8'));
  workbook._parseWorksheet = (sheet, id) =>
    parseSheet.call(workbook, decoded(sheet as AsyncIterable<Uint8Array>), id);
}

/** The displayed value of a cell, with dates as days or timestamps. A missing cell is empty. */
function textOf(value: CellValue): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return dateText(value);
  if (typeof value !== 'object') return String(value);
  if ('richText' in value) return value.richText.map(part => part.text).join('');
  if ('result' in value) return textOf(value.result);
  if ('text' in value) return textOf(value.text);
  return 'error' in value ? value.error : '';
}

/** Workbooks have no time zone: dates are stored as UTC, accurate to about a millisecond. */
function dateText(date: Date): string {
  const seconds = Math.round(date.getTime() / 1000);
  const [day, clock] = new Date(seconds * 1000).toISOString().slice(0, 19).split('T');
  return clock === '00:00:00' ? day! : `${day} ${clock}`;
}
