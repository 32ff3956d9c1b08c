import { createReadStream } from 'node:fs';
import type { ValueOf } from '../entities/choices.ts';
import { importEncodings } from '../entities/institucional/importacao.ts';
import { Unimportable } from './problems.ts';
import { unreadable } from './messages.ts';

export const encodings = importEncodings.values;
/** Nobody names UTF-16 with the high byte first: such files have a byte order mark. */
export type Encoding = ValueOf<typeof importEncodings> | 'utf-16be';

/** The characters of the bytes 0x80 to 0x9f. Some versions of Node.js decode them as Latin-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Accented letters of Portuguese in UTF-8, as bytes. In Windows-1252 they are pairs that no word has. */
// eslint-disable-next-line no-control-regex
const IN_UTF8 = /[\u00c2\u00c3][\u0080-\u00bf]/;

/**
 * The encoding of a file: that of its byte order mark; UTF-8 if the whole file is valid UTF-8; otherwise Windows-1252,
 * in which Excel saves "CSV" in Brazil.
 * @throws Unimportable for a file that mixes encodings: it was damaged, and every guess would be wrong
 */
export async function encodingOf(path: string, name: string): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const mark = isFirst ? chunk.toString('latin1', 0, 2) : '';
    if (mark === '\xff\xfe') return 'utf-16le';
    if (mark === '\xfe\xff') return 'utf-16be';
    isFirst = false;
    try {
      decoder.decode(chunk, { stream: true });
    } catch {
      if (await hasUtf8(path)) throw new Unimportable(unreadable.damaged(name));
      return 'windows-1252';
    }
  }
  return 'utf-8';
}

async function hasUtf8(path: string): Promise<boolean> {
  for await (const chunk of createReadStream(path, 'latin1') as AsyncIterable<string>)
    if (IN_UTF8.test(chunk)) return true;
  return false;
}

/** Decodes text, even if a character is split between two chunks. Skips a byte order mark. */
export function decoded(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding = 'utf-8',
): AsyncGenerator<string> {
  return encoding === 'windows-1252' ? fromWindows(chunks) : fromUnicode(chunks, encoding);
}

async function* fromUnicode(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function* fromWindows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const chunk of chunks)
    yield Buffer.from(chunk)
      .toString('latin1')
      .replaceAll(/[\u0080-\u009f]/g, one => WINDOWS_1252[one.charCodeAt(0) - 0x80]!);
}
