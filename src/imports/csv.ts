import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Text } from '../messages.ts';
import { unmarked } from '../text/marked-text.ts';
import { decoded, encodingOf, type Encoding } from './encoding.ts';
import { csvFaults, unreadable } from './messages.ts';
import { Unimportable } from './problems.ts';
import type { ImportFile, Row } from './row.ts';

/** Longest row, in characters. Without a limit, an unclosed quote would read the whole file into memory. */
const MAX_ROW = 1_000_000;
/** Bytes at the start of the file that are searched for the header row. */
const START = 65_536;

/** All of them in one file: programs that add rows to a file end them in their own way. */
const LINE_ENDS = ['\r\n', '\n', '\r'];

const SEPARATORS = [';', '\t', ','];

interface ParsedRecord {
  record: string[];
  info: { records: number; empty_lines: number };
}

/**
 * The rows of a CSV file, separated by `;`, `,` or tabs.
 * @throws Unimportable when it is invalid or not in its encoding
 */
export async function* csvRows(
  { path, name, encoding: given }: ImportFile,
  stop?: AbortSignal,
): AsyncGenerator<Row> {
  const encoding = given ?? (await encodingOf(path, name));
  const parser = parse({
    delimiter: await delimiterOf(path, encoding),
    record_delimiter: LINE_ENDS,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
  });
  try {
    const text = (chunks: AsyncIterable<Uint8Array>) => decoded(chunks, encoding);
    // The parser reports the errors of every stage.
    pipeline(createReadStream(path, { signal: stop }), text, parser, () => undefined);
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      const number = info.records + info.empty_lines;
      if (!isSeparatorLine(number, record)) yield { number, cells: record.map(unmarked) };
    }
  } catch (error) {
    stop?.throwIfAborted();
    throw explained(error as NodeJS.ErrnoException, name, encoding);
  }
}

/** The line `sep=;`, which tells Excel the separator. */
const isSeparatorLine = (number: number, cells: readonly string[]): boolean =>
  number === 1 && /^sep=.?$/i.test(cells.join(''));

/** By the codes of the parser, whose own messages quote cells. It knows no other fault with these options. */
const faults: Readonly<Record<string, Text>> = {
  INVALID_OPENING_QUOTE: csvFaults.quoteWithin,
  CSV_INVALID_CLOSING_QUOTE: csvFaults.textAfterQuote,
  CSV_QUOTE_NOT_CLOSED: csvFaults.quoteOpen,
  CSV_MAX_RECORD_SIZE: csvFaults.rowTooLong,
};

function explained(error: NodeJS.ErrnoException, name: string, encoding: Encoding): Error {
  const fault = error instanceof CsvError ? faults[error.code] : undefined;
  if (fault) {
    const { records, empty_lines } = error as unknown as ParsedRecord['info'];
    return new Unimportable(unreadable.csv(name, fault, records + empty_lines + 1));
  }
  if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return new Unimportable(unreadable.encoding(name, encoding.toUpperCase()), [], { cause: error });
  return error;
}

/** The separator that the header row has most often outside quotes. */
async function delimiterOf(path: string, encoding: Encoding): Promise<string> {
  // The last character may be incomplete, so decoding is not strict here.
  const decoder = new TextDecoder(encoding);
  let start = '';
  for await (const chunk of createReadStream(path, { end: START - 1 }) as AsyncIterable<Buffer>)
    start += decoder.decode(chunk, { stream: true });
  const lines = start.replaceAll(/"[^"]*"/g, 'x').split(/[\r\n]/);
  const headers = lines.find(line => line.trim() !== '') ?? '';
  const often = SEPARATORS.map(separator => headers.split(separator).length - 1);
  return SEPARATORS[often.indexOf(Math.max(...often))]!;
}
