import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Cell, Row as SheetRow } from 'exceljs';
import type { Entry, ZipFile } from 'yauzl';
import { isCellError, NO_VALUE } from './cell-errors.ts';
import { decoded } from './encoding.ts';
import { unreadable } from './messages.ts';
import { Unimportable } from './problems.ts';
import type { ImportFile, Row } from './row.ts';

/** Most bytes of the unpacked sheet, and of all other parts, which are in memory completely. */
const SHEET = 512 * 1024 * 1024;
const REST = 64 * 1024 * 1024;
/** Longest text without a tag, in bytes. Excel has at most 32,767 characters in a cell. */
const LONGEST_TEXT = 4 * 1024 * 1024;
/** Most parts: several times as many as the largest workbooks have. */
const MOST_PARTS = 10_000;
/** Most columns: several times as many as any kind of record has. */
const MOST_COLUMNS = 200;

/**
 * The rows of a workbook's first visible sheet, with cells as text.
 * @throws Unimportable when it is not a workbook, or too large
 */
export async function* xlsxRows({ path, name }: ImportFile): AsyncGenerator<Row> {
  const { openPromise } = await import('yauzl');
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { autoClose: false });
    for await (const row of await firstSheet(await partsOf(zip, name))) {
      const cells: string[] = [];
      row.eachCell((cell, column) => {
        if (column > MOST_COLUMNS) throw new Unimportable(unreadable.columns(name, MOST_COLUMNS));
        cells[column - 1] = textOf(cell);
      });
      yield { number: row.number, cells: Array.from(cells, text => text ?? '') };
    }
  } catch (error) {
    throw noWorkbook(name, error);
  } finally {
    zip?.close();
  }
}

const noWorkbook = (name: string, error: unknown): Unimportable =>
  error instanceof Unimportable
    ? error
    : new Unimportable(unreadable.workbook(name, (error as Error).message), { cause: error });

/** Reads a part of the workbook as text. */
type Parts = (path: string, kind?: 'sheet' | 'rest') => AsyncGenerator<string>;

/**
 * The parts of a workbook. Their bytes are counted as they are read, because a small file can unpack to any size.
 * @throws Error when a part is missing or damaged
 */
async function partsOf(zip: ZipFile, name: string): Promise<Parts> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, entry);
    if (entries.size > MOST_PARTS) throw new Unimportable(unreadable.unpacked(name));
  }
  const left = { sheet: SHEET, rest: REST };
  async function* unpacked(entry: Entry, kind: keyof typeof left): AsyncGenerator<Buffer> {
    let text = 0;
    let checksum = 0;
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      const tag = chunk.lastIndexOf('<');
      text = tag < 0 ? text + chunk.length : chunk.length - tag;
      left[kind] -= chunk.length;
      if (left[kind] < 0 || text > LONGEST_TEXT) throw new Unimportable(unreadable.unpacked(name));
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    if (checksum !== entry.crc32) throw new Error(`${entry.fileName} is damaged`);
  }
  return (path, kind = 'rest') => {
    const entry = entries.get(path);
    if (!entry) throw new Error(`${path} is missing`);
    return decoded(unpacked(entry, kind));
  };
}

/** What exceljs reads of a workbook, and the methods that read its parts. */
interface Reader {
  /** Undefined if the part is empty. */
  model?: { sheets: { rId: string; id: number; state?: string }[] };
  workbookRels?: { Id: string; Type: string; Target: string }[];
  _parseWorkbook(part: Readable): Promise<void>;
  _parseRels(part: Readable): Promise<void>;
  _parseStyles(part: Readable): Promise<void>;
  /** Yields nothing, because the texts are cached. */
  _parseSharedStrings(part: Readable): AsyncGenerator<never>;
  _parseWorksheet(part: AsyncIterable<string>, id: number): Iterable<{ value: AsyncIterable<SheetRow> }>;
}

/**
 * The rows of the first visible sheet. exceljs reads a workbook in the order of its parts in the file, and while it
 * stores a sheet that comes before its texts, it loses the parts that follow (exceljs/exceljs#3064). It decodes each
 * chunk separately, which breaks characters at the boundaries of chunks (exceljs/exceljs#2084). So it gets the parts in
 * the order in which they are needed, as text.
 * @throws Error when a part is missing or damaged
 */
async function firstSheet(parts: Parts): Promise<AsyncIterable<SheetRow>> {
  const { default: ExcelJS } = await import('exceljs');
  const workbook = new ExcelJS.stream.xlsx.WorkbookReader(Readable.from([]), {
    entries: 'ignore',
    worksheets: 'emit',
    sharedStrings: 'cache',
    styles: 'cache',
    hyperlinks: 'ignore',
  }) as unknown as Reader;
  /** Closes the part when it is read, because exceljs stops at its last tag. */
  const reading = async <T>(path: string, read: (part: Readable) => Promise<T>): Promise<void> => {
    const part = Readable.from(parts(path));
    try {
      await read(part);
    } finally {
      part.destroy();
    }
  };
  await reading('xl/workbook.xml', part => workbook._parseWorkbook(part));
  await reading('xl/_rels/workbook.xml.rels', part => workbook._parseRels(part));
  const links = workbook.workbookRels ?? [];
  const linked = (kind: string): string | undefined => {
    const link = links.find(({ Type }) => Type.endsWith(`/${kind}`));
    return link && pathOf(link.Target);
  };
  const [styles, strings] = [linked('styles'), linked('sharedStrings')];
  if (styles) await reading(styles, part => workbook._parseStyles(part));
  if (strings) await reading(strings, part => workbook._parseSharedStrings(part).next());
  const sheets = (workbook.model?.sheets ?? []).filter(
    ({ state }) => state === undefined || state === 'visible',
  );
  for (const { rId, id } of sheets) {
    const link = links.find(({ Id, Type }) => Id === rId && Type.endsWith('/worksheet'));
    if (!link) continue;
    const sheet = resultsOnly(parts(pathOf(link.Target), 'sheet'));
    for (const { value } of workbook._parseWorksheet(sheet, id)) return value;
  }
  throw new Error('it has no visible sheet');
}

/** Path in the archive of what the workbook links to: an absolute path, or one relative to the workbook. */
const pathOf = (target: string): string => (target.startsWith('/') ? target.slice(1) : `xl/${target}`);

/** A formula in the text of a sheet, and the beginning of one, or of a tag, at the end of a chunk. */
const FORMULA = /<f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/f\s*>)/g;
const BEGUN = /<(?:f(?:\s[^<>]*)?(?:>[^<]*(?:<(?:\/(?:f\s*)?)?)?)?)?$/;

/**
 * Replaces the formulas of a sheet by empty values, which their results follow. exceljs does not read the type of a
 * result, and does not distinguish 0 from nothing; it reads both of a constant.
 */
async function* resultsOnly(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = '';
  for await (const chunk of chunks) {
    const text = (begun + chunk).replaceAll(FORMULA, '<v/>');
    const end = text.search(BEGUN);
    begun = end < 0 ? '' : text.slice(end);
    yield end < 0 ? text : text.slice(0, end);
  }
  yield begun;
}

/** The displayed value of a cell, with dates as days or timestamps, and with all digits of a number. */
function textOf({ value, numFmt }: Pick<Cell, 'value' | 'numFmt'>): string {
  if (typeof value === 'number') return numberText(value, numFmt);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof Date) return dateText(value);
  if (typeof value !== 'object' || value === null) return unescaped(value ?? '');
  if ('richText' in value) return unescaped(value.richText.map(part => part.text).join(''));
  if ('text' in value) return unescaped(value.text);
  return 'error' in value && isCellError(value.error) ? value.error : NO_VALUE;
}

/** `_x0007_` for a character that XML cannot contain, and `_x005F_` for an underscore that would begin such an escape. */
const ESCAPE = /_x(?!d[89a-f])([\da-f]{4})_/gi;

/** Decodes what Excel escapes. exceljs does not when it reads a stream. */
const unescaped = (text: string): string =>
  text.replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Spreadsheets calculate with 15 digits. Further ones of a fraction are noise: 1.1 * 1.1 is 1.2100000000000002. */
const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 15, useGrouping: false });

/** What a format shows as it stands: in quotes, or after a backslash. */
const LITERAL = /"[^"]*"|\\./g;

function numberText(value: number, format: string | undefined): string {
  // A formula without a result.
  if (Number.isNaN(value)) return NO_VALUE;
  const isPercent = format?.replaceAll(LITERAL, '').includes('%');
  if (isPercent) return `${digits.format(value * 100)}%`;
  return Number.isSafeInteger(value) ? String(value) : digits.format(value);
}

/** Workbooks have no time zone: dates are stored as UTC, accurate to about a millisecond. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return NO_VALUE;
  const seconds = Math.round(date.getTime() / 1000);
  const [day, clock] = new Date(seconds * 1000).toISOString().slice(0, 19).split('T');
  return clock === '00:00:00' ? day! : `${day} ${clock}`;
}
