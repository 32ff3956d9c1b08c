/** Longest text of a spreadsheet's cell, in code units. */
const LONGEST = 32_767;
const CUT = '…';

/** A text that fits in a cell. A longer one ends in `…`. */
export const cutToCell = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, '')}${CUT}` : text;

/** Whether a text was cut. A character of two code units is not cut in two. */
export const isCut = (text: string): boolean =>
  (text.length === LONGEST || text.length === LONGEST - 1) && text.endsWith(CUT);
