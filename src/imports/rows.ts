import { access, constants, open } from 'node:fs/promises';
import { extname } from 'node:path';
import { OperatorError } from '../errors.ts';
import { csvRows } from './csv.ts';
import type { Encoding } from './encoding.ts';
import type { ImportFile, Row } from './row.ts';
import { xlsxRows } from './xlsx.ts';

const readers = { csv: csvRows, xlsx: xlsxRows };

/** A file by its path. @throws OperatorError when its type is not supported or it cannot be opened */
export async function fileAt(path: string, encoding?: Encoding): Promise<ImportFile> {
  const type = extname(path).toLowerCase().slice(1);
  if (type !== 'csv' && type !== 'xlsx')
    throw new OperatorError(`${path} is neither a .csv nor an .xlsx file.`);
  await access(path, constants.R_OK).catch((error: Error) => {
    throw new OperatorError(`The file cannot be read: ${error.message}`);
  });
  return { path, name: path, type, encoding };
}

/** Detects the type by the content, whatever the file name: a workbook is a zip archive. */
export async function typeOf(path: string): Promise<ImportFile['type']> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === 'PK\u0003\u0004' ? 'xlsx' : 'csv';
  } finally {
    await file.close();
  }
}

/** The non-empty rows of a file, headers first, with trimmed cells. */
export async function* rowsOf(file: ImportFile): AsyncGenerator<Row, void, void> {
  for await (const { number, cells } of readers[file.type](file)) {
    const trimmed = cells.map(cell => cell.trim());
    if (trimmed.some(Boolean)) yield { number, cells: trimmed };
  }
}
