import { access, constants, open } from 'node:fs/promises';
import { extname } from 'node:path';
import { OperatorError } from '../errors.ts';
import { isReadable } from '../text/readable.ts';
import { isVisible } from '../text/visible.ts';
import { isCut } from '../text/cell-text.ts';
import { csvRows } from './csv.ts';
import type { Encoding } from './encoding.ts';
import { unreadable } from './messages.ts';
import { Unimportable } from './problems.ts';
import type { ImportFile, Row } from './row.ts';
import { xlsxRows } from './xlsx.ts';

const readers = {
  csv: csvRows,
  xlsx: xlsxRows,
  xls: ({ name }: ImportFile): never => {
    throw new Unimportable(unreadable.oldWorkbook(name));
  },
};

/** A file by its path. @throws OperatorError when its type is not supported or it cannot be opened */
export async function fileAt(path: string, encoding?: Encoding): Promise<ImportFile> {
  const type = extname(path).toLowerCase().slice(1);
  if (type !== 'csv' && type !== 'xlsx')
    throw new OperatorError(`${path} is neither a .csv nor an .xlsx file.`);
  await access(path, constants.R_OK).catch((error: Error) => {
    throw new OperatorError(`The file cannot be read: ${error.message}`);
  });
  return { path, name: path, type: (await typeOf(path)) === 'xls' ? 'xls' : type, encoding };
}

/** Archives that begin a file: zip, and that of old workbooks and of those with a password. */
const ZIP = '504b0304';
const COMPOUND = 'd0cf11e0';

/** Detects the type by the content, whatever the file name. */
export async function typeOf(path: string): Promise<ImportFile['type']> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const start = buffer.toString('hex');
    if (start === COMPOUND) return 'xls';
    return start === ZIP ? 'xlsx' : 'csv';
  } finally {
    await file.close();
  }
}

/** The non-empty rows of a file, headers first. @throws the reason of `stop` once it is aborted */
export async function* rowsOf(file: ImportFile, stop?: AbortSignal): AsyncGenerator<Row, void, void> {
  for await (const { number, cells } of readers[file.type](file, stop)) {
    const texts = cells.map(textOf);
    if (texts.some(Boolean)) yield { number, cells: texts };
  }
}

/**
 * A cell without white space at its ends. It is composed (NFC), so that texts that look alike name the same record. What
 * cannot be stored is not taken for nothing. A text that was cut stays as it is, by which it is known.
 */
function textOf(cell: string): string {
  if (isCut(cell)) return cell;
  return isVisible(cell) || !isReadable(cell) ? cell.trim().normalize('NFC') : '';
}
