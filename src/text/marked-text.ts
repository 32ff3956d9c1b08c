const FORMULA = /^[=+\-@\t\r]/;

const DATE_LIKE = /^\s*(\d{1,4})([-/])(\d{1,4})(?:\2(\d{1,4}))?\s*$/;
const isDay = (n: number): boolean => n >= 1 && n <= 31;
const isMonth = (n: number): boolean => n >= 1 && n <= 12;
const isYear = (n: number): boolean => n >= 1000;

/** Whether a spreadsheet in any language would convert a text to a date, such as the CAS number 75-09-2. */
function isTakenForDate(text: string): boolean {
  const found = DATE_LIKE.exec(text);
  if (!found) return false;
  const [, first, , second, third] = found;
  const [a, b, c] = [Number(first), Number(second), Number(third)];
  if (third === undefined)
    return (isMonth(a) && (isDay(b) || isYear(b))) || (isMonth(b) && (isDay(a) || isYear(a)));
  return (isMonth(b) && (isDay(a) || isDay(c))) || (isMonth(a) && isDay(b));
}

/** How formulas and dates begin. Most texts begin otherwise, and a long export has a million of them. */
const SUSPECT = /^[=+\-@\s\d]/;

const isTakenForAnother = (text: string): boolean =>
  SUSPECT.test(text) && (FORMULA.test(text) || isTakenForDate(text));

/** Text for a csv, with an apostrophe if a spreadsheet would interpret it as a formula or a date. */
export const marked = (text: string): string => (isTakenForAnother(text) ? `'${text}` : text);

/** Reverses `marked`. */
export const unmarked = (text: string): string =>
  text.startsWith("'") && isTakenForAnother(text.slice(1)) ? text.slice(1) : text;
