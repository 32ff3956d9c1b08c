import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Content } from '../../storage/content.ts';
import type { Incoming } from '../../storage/incoming.ts';
import type { Storage } from '../../storage/storage.ts';
import { DamagedContent, verified } from '../../storage/verified.ts';

/** A line of an archive: an entry as it was chained, and its link. */
export interface ArchivedEntry {
  id: string;
  link: Buffer;
  text: string;
}

const LINE = /^\{"elo":"([0-9a-f]{64})","registro":(\{"id": (\d+),.*\})\}$/s;

/**
 * Writes entries into a file of the storage: one JSON object per line, compressed with gzip. `put` then stores it.
 * @throws UNAVAILABLE when the storage is not available; errors of `entries`
 */
export async function receiveArchive(
  storage: Storage,
  entries: AsyncIterable<Omit<ArchivedEntry, 'id'>>,
): Promise<Incoming> {
  const gzip = createGzip();
  const written = pipeline(linesOf(entries), gzip);
  // The stream reports this error, too. When the storage fails, this one only says that nobody reads the stream.
  written.catch(() => undefined);
  try {
    return await storage.receive(gzip);
  } finally {
    gzip.destroy();
  }
}

async function* linesOf(entries: AsyncIterable<Omit<ArchivedEntry, 'id'>>): AsyncGenerator<string> {
  for await (const { link, text } of entries) yield `{"elo":"${link.toString('hex')}","registro":${text}}\n`;
}

/**
 * The entries of an archive in their order. The last ones are returned only after the file's digest was verified.
 * @throws DamagedContent; Error when the file is not an archive; UNAVAILABLE when the storage is not available
 */
export async function* archivedEntries(storage: Storage, file: Content): AsyncGenerator<ArchivedEntry> {
  const gunzip = createGunzip();
  const read = pipeline(verified(storage, file), gunzip);
  // The stream reports this error, too.
  read.catch(() => undefined);
  for await (const line of split(gunzip)) {
    const [, link, text, id] = LINE.exec(line) ?? [];
    if (!text) throw new Error('a line is not an entry of the audit trail');
    yield { id: id!, link: Buffer.from(link!, 'hex'), text };
  }
  await read;
}

/** What an error of `archivedEntries` says about the file. @throws the error when the storage is not available */
export function damageBy(error: unknown): DamagedContent['reason'] {
  if ((error as { code?: unknown }).code === 'UNAVAILABLE') throw error;
  return error instanceof DamagedContent ? error.reason : 'damaged';
}

/** The same as a sentence. */
export const findingOf = (part: string, file: Content, error: unknown): string =>
  `the archive of ${part} (${file.sha256}) is ${damageBy(error)}`;

/** What is said about a file that the storage did not send. */
export const unreadFinding = (part: string, { sha256 }: Content): string =>
  `the archive of ${part} (${sha256}) could not be read`;

const LINE_END = 10;

/** Only a line feed ends a line. `node:readline` would also split at U+2028, which texts may contain. */
async function* split(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = all.indexOf(LINE_END); end >= 0; end = all.indexOf(LINE_END, start)) {
      yield all.toString('utf8', start, end);
      start = end + 1;
    }
    rest = all.subarray(start);
  }
  if (rest.length > 0) yield rest.toString('utf8');
}
