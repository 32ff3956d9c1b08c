import { unreadable, workbookFaults } from '../messages.ts';
import type { Row } from '../row.ts';
import { textOf, type Cell } from './cells.ts';
import type { Workbook } from './contents.ts';
import {
  LimitExceeded,
  LONGEST_TEXT,
  MOST_COLUMNS,
  SHEET_COLUMNS,
  SHEET_ROWS,
  WorkbookFault,
} from './limits.ts';
import { readXml, textChildren, type Element } from './xml.ts';

/**
 * The rows of a sheet that have values, in batches.
 * @throws WorkbookFault when rows or cells are not where they can be in a sheet, or if two of them are in the same place
 */
export const sheetRows = (chunks: AsyncIterable<string>, book: Workbook): AsyncGenerator<Row[]> =>
  readXml<Row>(chunks, found => ({
    children: { sheetData: { children: { row: rowElement(book, found) } } },
  }));

function rowElement(book: Workbook, found: (row: Row) => void): Element {
  let number = 0;
  let column = 0;
  let cells: string[] = [];
  let cell: Cell = { type: 'n', style: 0, hasFormula: false, content: undefined };

  const add = (piece: string): void => {
    cell.content += piece;
    if (cell.content!.length > LONGEST_TEXT) throw new LimitExceeded(unreadable.unpacked);
  };
  const begin = (): void => {
    cell.content = '';
  };
  const cellElement: Element = {
    open: given => {
      column = given['r'] === undefined ? column + 1 : columnOf(given['r'], number);
      cell = {
        type: given['t'] ?? 'n',
        style: Number(given['s'] ?? 0),
        hasFormula: false,
        content: undefined,
      };
    },
    children: {
      f: { open: () => (cell.hasFormula = true) },
      v: { open: begin, text: add },
      is: {
        open: () => {
          cell.type = 'inlineStr';
          begin();
        },
        children: textChildren(add),
      },
    },
    close: () => {
      const text = textOf(cell, book);
      if (text === '') return;
      if (column > MOST_COLUMNS) throw new LimitExceeded(file => unreadable.columns(file, MOST_COLUMNS));
      if (cells[column - 1] !== undefined) throw misplaced(number);
      cells[column - 1] = text;
    },
  };
  return {
    open: given => {
      const last = number;
      number = given['r'] === undefined ? last + 1 : Number(given['r']);
      if (!(number > last) || !Number.isInteger(number) || number > SHEET_ROWS) throw misplaced(last);
      column = 0;
      cells = [];
    },
    children: { c: cellElement },
    close: () => {
      if (cells.length > 0) found({ number, cells: Array.from(cells, text => text ?? '') });
    },
  };
}

/** Names only rows that were read, because a place in the file may be anything. */
const misplaced = (row: number): WorkbookFault => new WorkbookFault(workbookFaults.misplaced(row));

const REFERENCE = /^([A-Z]{1,3})(\d+)$/;

/** The number of a cell's column, from its reference, such as `B2`. */
function columnOf(reference: string, row: number): number {
  const [, letters = '', digits] = REFERENCE.exec(reference) ?? [];
  if (Number(digits) !== row) throw misplaced(row);
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  if (column > SHEET_COLUMNS) throw misplaced(row);
  return column;
}
