import type { Row } from './row.ts';
import { access, constants } from 'node:fs/promises';
import { extname } from 'node:path';
import { OperatorError } from '../errors.ts';
import { csvRows } from './csv.ts';
import { xlsxRows } from './xlsx.ts';

const readers: Readonly<Record<string, (file: string) => AsyncGenerator<Row>>> = {
  '.csv': csvRows,
  '.xlsx': xlsxRows,
};

/** @throws OperatorError when the file's type is not supported or the file cannot be opened */
export async function checkFile(file: string): Promise<void> {
  if (!readers[extname(file).toLowerCase()])
    throw new OperatorError(`${file} is neither a .csv nor an .xlsx file.`);
  await access(file, constants.R_OK).catch((error: Error) => {
    throw new OperatorError(`The file cannot be read: ${error.message}`);
  });
}

/** The non-empty rows of a file, headers first, with trimmed cells. */
export async function* rowsOf(file: string): AsyncGenerator<Row, void, void> {
  for await (const { number, cells } of readers[extname(file).toLowerCase()]!(file)) {
    const trimmed = cells.map(cell => cell.trim());
    if (trimmed.some(Boolean)) yield { number, cells: trimmed };
  }
}
