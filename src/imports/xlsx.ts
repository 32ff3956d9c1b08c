import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { CellValue } from 'exceljs';
import { decoded } from './encoding.ts';
import { unreadable } from './messages.ts';
import { Unimportable } from './problems.ts';
import type { ImportFile, Row } from './row.ts';

/** Most bytes of an unpacked workbook: of its sheets, and of all other files, which are in memory completely. */
const SHEETS = 512 * 1024 * 1024;
const REST = 64 * 1024 * 1024;
/** Longest text without a tag, in bytes. Excel has at most 32,767 characters in a cell. */
const LONGEST_TEXT = 4 * 1024 * 1024;
/** Most columns: several times as many as any kind of record has. */
const MOST_COLUMNS = 200;

/** The rows of a workbook's first sheet, with cells as text. @throws Unimportable when it is not a workbook */
export async function* xlsxRows({ path, name }: ImportFile): AsyncGenerator<Row> {
  await checkUnpacked(path, name);
  const stream = createReadStream(path);
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
      for await (const row of sheet) {
        const cells = (row.values as CellValue[]).slice(1);
        if (cells.length > MOST_COLUMNS) throw new Unimportable(unreadable.columns(name, MOST_COLUMNS));
        yield { number: row.number, cells: cells.map(textOf) };
      }
      return;
    }
  } catch (error) {
    throw noWorkbook(name, error);
  } finally {
    stream.destroy();
  }
}

const noWorkbook = (name: string, error: unknown): Unimportable =>
  error instanceof Unimportable
    ? error
    : new Unimportable(unreadable.workbook(name, (error as Error).message), { cause: error });

/**
 * Unpacks the whole file once and counts its bytes, because a small file can unpack to any size. exceljs would write it
 * to the disk or into memory. It uses the same library, so both see the same files.
 * @throws Unimportable
 */
async function checkUnpacked(path: string, name: string): Promise<void> {
  const { Parse } = await import('unzipper');
  const stream = createReadStream(path);
  const left = { sheets: SHEETS, rest: REST };
  try {
    const zip = Parse({ forceStream: true });
    stream.once('error', error => zip.destroy(error));
    for await (const entry of stream.pipe(zip)) {
      const kind = entry.path.includes('worksheets/') ? 'sheets' : 'rest';
      let text = 0;
      for await (const chunk of entry as AsyncIterable<Buffer>) {
        const tag = chunk.lastIndexOf('<');
        text = tag < 0 ? text + chunk.length : chunk.length - tag;
        left[kind] -= chunk.length;
        // Pictures have no tags, and nothing reads them.
        if (left[kind] < 0 || (text > LONGEST_TEXT && entry.path.includes('.xml')))
          throw new Unimportable(unreadable.unpacked(name));
      }
    }
  } catch (error) {
    throw noWorkbook(name, error);
  } finally {
    stream.destroy();
  }
}

/** The methods with which exceljs reads the text parts of a workbook. */
interface Parts {
  _parseSharedStrings: (strings: Readable) => unknown;
  _parseWorksheet: (sheet: AsyncIterable<Uint8Array | string>, id: string) => unknown;
}

/** exceljs decodes each chunk separately, which breaks characters at chunk boundaries (exceljs/exceljs#2084). */
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
