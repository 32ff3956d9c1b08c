import type { CellValue, Style, stream, Worksheet } from 'exceljs';
import type { EventEmitter } from 'node:events';
import type { CellType } from './table.ts';
import { xlsxCell } from './xlsx-cells.ts';

const DAY = 24 * 60 * 60 * 1000;
/** 1970-01-01 for Excel, which counts days from 1899-12-30. */
const EPOCH = 25_569;

const MARKUP = /[<>&]/g;
const escapes: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };
const escaped = (text: string): string => text.replace(MARKUP, character => escapes[character]!);

interface Queue extends EventEmitter {
  _writableState: { needDrain: boolean };
}

/** Private members of a sheet, and of its workbook. */
interface Sheet {
  stream: { write(xml: string): unknown; pipes: [compressor: Queue] };
}
interface Workbook {
  styles: { addStyleModel(style: Partial<Style>): number };
}

/** How the cells of a column are written. */
export interface CellFormat {
  type: CellType;
  style: Partial<Style>;
}

/**
 * Writes the rows below the header of a sheet, after exceljs has written that. exceljs would make objects of each cell,
 * and join its XML of some 14 texts: two thirds of the time of an export (decision 111).
 */
export class XlsxRows {
  readonly #stream: Sheet['stream'];
  readonly #styles: Workbook['styles'];
  readonly #letters: readonly string[];
  #last = 1;

  constructor(workbook: stream.xlsx.WorkbookWriter, sheet: Worksheet, columns: number) {
    this.#stream = (sheet as unknown as Sheet).stream;
    this.#styles = (workbook as unknown as Workbook).styles;
    this.#letters = Array.from({ length: columns }, (_, i) => sheet.getColumn(i + 1).letter);
  }

  /** exceljs ignores the backpressure of its compressor. The caller waits until it needs no `drain`. */
  get compressor(): Queue {
    return this.#stream.pipes[0];
  }

  /** Returns a function that writes rows with cells in these formats, one for each column. */
  writer(formats: readonly CellFormat[]): (rows: readonly (readonly unknown[])[]) => void {
    const styles = formats.map(({ style }) => this.#styles.addStyleModel(style));
    return rows => {
      let xml = '';
      for (const row of rows) {
        const number = ++this.#last;
        xml += `<row r="${number}">`;
        for (let i = 0; i < row.length; i++) {
          const cell = xlsxCell(row[i], formats[i]!.type);
          if (cell !== undefined)
            xml += `<c r="${this.#letters[i]!}${number}" s="${styles[i]!}"${contentOf(cell)}</c>`;
        }
        xml += '</row>';
      }
      this.#stream.write(xml);
    };
  }
}

/** The type of a cell, and its value. */
function contentOf(cell: CellValue): string {
  if (typeof cell === 'string') return ` t="str"><v>${escaped(cell)}</v>`;
  if (typeof cell === 'number') return `><v>${cell}</v>`;
  if (typeof cell === 'boolean') return ` t="b"><v>${cell ? 1 : 0}</v>`;
  if (cell instanceof Date) return `><v>${EPOCH + cell.getTime() / DAY}</v>`;
  const { richText } = cell as { richText: [{ text: string }] };
  return ` t="inlineStr"><is><r><t xml:space="preserve">${escaped(richText[0].text)}</t></r></is>`;
}
