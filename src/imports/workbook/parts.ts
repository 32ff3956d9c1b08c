import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { decoded } from '../encoding.ts';
import { unreadable, workbookFaults } from '../messages.ts';
import { LimitExceeded, WorkbookFault, MOST_BYTES, MOST_PARTS } from './limits.ts';

/** Reads a part of a workbook as text. @throws WorkbookFault when it is missing or damaged */
export type Parts = (path: string, kind?: keyof typeof MOST_BYTES) => AsyncGenerator<string>;

/** The names of parts do not depend on case. */
const keyOf = (path: string): string => path.toLowerCase();

/**
 * The parts of a workbook. Their bytes are counted as they are read, because a small file can unpack to any size.
 * @throws WorkbookFault when two parts have the same name
 */
export async function partsOf(zip: ZipFile, stop?: AbortSignal): Promise<Parts> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const key = keyOf(entry.fileName);
    if (entries.has(key)) throw new WorkbookFault(workbookFaults.damaged);
    entries.set(key, entry);
    if (entries.size > MOST_PARTS) throw new LimitExceeded(unreadable.unpacked);
  }
  const left = { ...MOST_BYTES };
  async function* unpacked(entry: Entry, kind: keyof typeof left): AsyncGenerator<Buffer> {
    let checksum = 0;
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      stop?.throwIfAborted();
      left[kind] -= chunk.length;
      if (left[kind] < 0) throw new LimitExceeded(unreadable.unpacked);
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    if (checksum !== entry.crc32) throw new WorkbookFault(workbookFaults.damaged);
  }
  return (path, kind = 'rest') => {
    const entry = entries.get(keyOf(path));
    if (!entry) throw new WorkbookFault(workbookFaults.partMissing);
    return decoded(unpacked(entry, kind));
  };
}
