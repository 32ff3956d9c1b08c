import { isCellError, NO_VALUE } from '../cell-errors.ts';
import { workbookFaults } from '../messages.ts';
import type { Workbook } from './contents.ts';
import { WorkbookFault } from './limits.ts';
import type { Shown } from './number-formats.ts';

/** A cell as it stands in a sheet. */
export interface Cell {
  /** The attributes `t` and `s`. */
  type: string;
  style: number;
  hasFormula: boolean;
  /** The content of `v` or `is`; undefined if there is neither. */
  content: string | undefined;
}

type Context = Pick<Workbook, 'texts' | 'shown' | 'isFrom1904'>;

/**
 * The displayed value of a cell, with dates as days or timestamps, and with all digits of a number. Empty if it has none.
 * @throws WorkbookFault when its text is missing
 */
export function textOf({ type, style, hasFormula, content }: Cell, book: Context): string {
  if (content === undefined) return hasFormula ? NO_VALUE : '';
  if (type === 'str' || type === 'inlineStr') return unescaped(content);
  const value = content.trim();
  if (value === '') return hasFormula ? NO_VALUE : '';
  switch (type) {
    case 's':
      return sharedText(book.texts, value);
    case 'b':
      return booleans[value] ?? NO_VALUE;
    case 'd':
      return isoText(value);
    case 'n':
      return NUMBER.test(value)
        ? shownText(Number(value), book.shown[style] ?? 'number', book.isFrom1904)
        : NO_VALUE;
    default:
      return isCellError(value) ? value : NO_VALUE;
  }
}

const booleans: Readonly<Record<string, string>> = { 1: 'TRUE', true: 'TRUE', 0: 'FALSE', false: 'FALSE' };

function sharedText(texts: readonly string[], index: string): string {
  const text = texts[Number(index)];
  if (text === undefined) throw new WorkbookFault(workbookFaults.textMissing);
  return unescaped(text);
}

/** `_x0007_` for a character that XML cannot contain, and `_x005F_` for an underscore that would begin such an escape. */
const ESCAPE = /_x(?!d[89a-f])([\da-f]{4})_/gi;

/** Decodes what Excel escapes. */
const unescaped = (text: string): string =>
  text.replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Spreadsheets calculate with 15 digits. Further ones of a fraction are noise: 1.1 * 1.1 is 1.2100000000000002. */
const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 15, useGrouping: false });

function shownText(value: number, shown: Shown, isFrom1904: boolean): string {
  if (shown === 'percentage') return `${digits.format(value * 100)}%`;
  if (shown === 'number') return Number.isSafeInteger(value) ? String(value) : digits.format(value);
  if (shown === 'clock' && value >= 0 && value < FIRST_DAY) return clockText(Math.round(value * DAY));
  return dayText(isFrom1904 ? value + DAYS_TO_1904 : value);
}

/** Seconds. */
const DAY = 24 * 60 * 60;
/** 1970-01-01, in days since 1899-12-30. */
const EPOCH = 25_569;
const DAYS_TO_1904 = 1_462;
/** March of 1900. Before it Excel counts a day that did not exist, and other programs do not. */
const FIRST_DAY = 61;
/** The end of the year 9999. */
const END = 2_958_466;
/** Shown for a date that has no agreed meaning. */
const NO_DATE = '#NUM!';

/** A number of days as day or timestamp. Workbooks have no time zone, and are accurate to about a millisecond. */
function dayText(days: number): string {
  const seconds = Math.round(days * DAY);
  if (seconds < FIRST_DAY * DAY || seconds >= END * DAY) return NO_DATE;
  return momentText(new Date((seconds - EPOCH * DAY) * 1000));
}

function momentText(date: Date): string {
  const [day, clock] = date.toISOString().slice(0, 19).split('T');
  return clock === '00:00:00' ? day! : `${day} ${clock}`;
}

/** A time without a day: `08:30:00`. */
const clockText = (seconds: number): string =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map(part => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

const ISO_MOMENT = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/;

/**
 * A date in the form of ISO 8601. It stays as it is with an offset, which columns of moments can read, and when there is
 * no such day.
 */
function isoText(value: string): string {
  const [, day = ''] = ISO_MOMENT.exec(value) ?? [];
  const time = Date.parse(day === value ? day : `${value}Z`);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(day)) return value;
  return momentText(new Date(Math.round(time / 1000) * 1000));
}
