import type { CellValue } from 'exceljs';
import { cutToCell } from '../text/cell-text.ts';
import { digitsOf } from './numbers.ts';
import { asText, isNumeric, localTime, type CellType } from './table.ts';

/** A value as a typed cell; undefined when empty, so that exceljs writes nothing. */
export function xlsxCell(value: unknown, type: CellType): CellValue {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  const text = type === 'timestamp' ? localTime(value) : asText(value);
  if (isNumeric(type)) return xlsxNumber(text) ?? textCell(text);
  return (type === 'date' || type === 'timestamp' ? xlsxDate(text) : undefined) ?? textCell(text);
}

/**
 * A character that the rules below may concern: neither ASCII nor a Latin letter, or a `_`. Few texts have one, and to look
 * for it first saves a tenth of an export's time.
 */
const UNUSUAL = /[^ -^`-~\u00A1-\u024F]/;

const isPlain = (text: string): boolean =>
  cutToCell(text) === text && !UNUSUAL.test(text) && !text.startsWith(' ') && !text.endsWith(' ');

/** White space that spreadsheets would remove around plain text, and escapes, which LibreOffice would show in it. */
const NEEDS_RICH_TEXT = /^\s|\s$|_x[0-9A-F]{4}_/;

/** A text, as rich text where that is needed. A line ends in `\n`, as lines of a cell do. */
export function textCell(text: string): CellValue {
  if (isPlain(text)) return text;
  const written = xlsxText(text.replace(/\r\n?/g, '\n'));
  return NEEDS_RICH_TEXT.test(written) ? { richText: [{ text: written }] } : written;
}

/** Excel keeps 15 digits. A longer number becomes text, so that no digit is lost. */
function xlsxNumber(text: string): number | undefined {
  const digits = digitsOf(text);
  return digits !== undefined && digits.replace(/\D/g, '').length <= 15 ? Number(digits) : undefined;
}

const FIRST_DATE = Date.UTC(1900, 2);

/** Cells show a Date's UTC fields. Excel's calendar is wrong before March 1900 and ends in the year 9999. */
function xlsxDate(text: string): Date | undefined {
  if (text.length !== 10 && text[10] !== ' ') return undefined;
  const value = new Date(`${text.slice(0, 10)}T${text.slice(11) || '00:00:00'}Z`);
  return value.getTime() >= FIRST_DATE ? value : undefined;
}

/** Control characters that XML cannot contain, or that change when it is read. Only tab and line feed are allowed. */
const UNSPEAKABLE = /(?![\t\n])[\p{Cc}\uFFFE\uFFFF]/gu;

/** Escapes such characters as Excel does; exceljs would drop them. Replaces lone surrogates. */
export function xlsxText(text: string): string {
  // Excel decodes `_x0041_` to `A` unless its underscore is escaped.
  return cutToCell(text)
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(UNSPEAKABLE, escaped);
}

const escaped = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
