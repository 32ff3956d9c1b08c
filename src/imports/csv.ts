import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { unmarked } from '../text/marked-text.ts';
import { OperatorError } from '../errors.ts';
import { type Row } from './row.ts';
import { decoded } from './utf8.ts';

/** Longest row, in characters. Without a limit, a quote that is never closed would read the whole file into memory. */
const MAX_ROW = 1_000_000;
/** Bytes at the start of the file that are searched for the header row. */
const START = 65_536;

interface Parsed {
  record: string[];
  info: { records: number; empty_lines: number };
}

/** The rows of a CSV file, separated by `;` or `,`. @throws OperatorError when it is invalid or not in UTF-8 */
export async function* csvRows(file: string): AsyncGenerator<Row> {
  const delimiter = await delimiterOf(file);
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
  });
  let number = 0;
  try {
    // The parser reports the errors of every stage.
    pipeline(createReadStream(file), decoded, parser, () => undefined);
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      number = info.records + info.empty_lines;
      yield { number, cells: record.map(unmarked) };
    }
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, file, number);
  }
}

function explained(error: NodeJS.ErrnoException, file: string, row: number): Error {
  if (error instanceof CsvError)
    return new OperatorError(`${file} is not well-formed CSV: ${error.message}`, { cause: error });
  if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new OperatorError(
      `${file} is not in UTF-8${row > 0 ? `, somewhere after row ${row}` : ''}. Save it as "CSV UTF-8" and import it again.`,
      { cause: error },
    );
  return error;
}

async function delimiterOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START), 0, START, 0);
    const [headers = ''] = buffer.toString('latin1', 0, bytesRead).split(/[\r\n]/);
    return headers.includes(';') ? ';' : ',';
  } finally {
    await handle.close();
  }
}
