import type { Text } from '../../messages.ts';

/** Most bytes of the unpacked sheet, and of all other parts, which are in memory completely. */
export const MOST_BYTES = { sheet: 512 * 1024 * 1024, rest: 64 * 1024 * 1024 };
/** Most parts: several times as many as the largest workbooks have. */
export const MOST_PARTS = 10_000;
/** Longest text of a cell, and longest XML without an element. Excel has at most 32,767 characters in a cell. */
export const LONGEST_TEXT = 4 * 1024 * 1024;
/** Most elements inside each other: several times as many as sheets have. */
export const DEEPEST = 100;
/** Most columns: several times as many as any kind of record has. */
export const MOST_COLUMNS = 200;
/** What every sheet has, whether something is in it or not. */
export const SHEET_ROWS = 1_048_576;
export const SHEET_COLUMNS = 16_384;

/** A workbook is not as workbooks are. The reason, without its values. */
export class WorkbookFault extends Error {
  constructor(readonly reason: Text) {
    super(reason.en);
  }
}

/** A workbook has more of something than is read. `text` says so of a file. */
export class LimitExceeded extends Error {
  constructor(readonly text: (file: string) => Text) {
    super(text('it').en);
  }
}
