/** What a number is when it is shown in a number format. */
export type Shown = 'number' | 'percentage' | 'moment' | 'clock';

/** Formats that have a number instead of a code, in every language: ISO/IEC 29500-1, 18.8.30. */
const BUILT_IN: readonly (readonly [first: number, last: number, Shown])[] = [
  [9, 10, 'percentage'],
  [14, 17, 'moment'],
  [18, 21, 'clock'],
  [22, 22, 'moment'],
  [27, 31, 'moment'],
  [32, 33, 'clock'],
  [34, 36, 'moment'],
  [45, 47, 'clock'],
  [50, 58, 'moment'],
  [67, 68, 'percentage'],
  [81, 81, 'moment'],
];

export const shownByNumber = (id: number): Shown =>
  BUILT_IN.find(([first, last]) => id >= first && id <= last)?.[2] ?? 'number';

/**
 * What no digit, day or hour stands for: text in quotes or after a backslash, blanks (`_x`), fillings (`*x`), colours and
 * conditions in brackets (but not `[h]`, which is a number of hours), `General`, exponents, and halves of a day.
 */
const LITERAL = /"[^"]*"?|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]|general|e[+-]|am\/pm|a\/p/gisu;

/** What a number is in a format with this code, such as `dd/mm/yyyy`. */
export function shownByCode(code: string): Shown {
  const plain = code.replaceAll(LITERAL, '').toLowerCase();
  // Letters of days and of years, some in calendars of Asia.
  if (/[dyegb]/.test(plain)) return 'moment';
  if (/[hs]|\[m/.test(plain)) return 'clock';
  // Without hours it is a month.
  if (plain.includes('m')) return 'moment';
  return plain.includes('%') ? 'percentage' : 'number';
}
