import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Content } from './content.ts';
import { storageAway } from './away.ts';
import { type Range, type Storage } from './storage.ts';

/** A stored content is missing, or differs from what was stored. */
export class DamagedContent extends Error {
  constructor(
    readonly sha256: string,
    readonly reason: 'missing' | 'damaged',
  ) {
    super(`content ${sha256} is ${reason}`);
  }
}

/**
 * The bytes of a content. The last chunk is returned only after the digest was verified, so a reader that counts bytes
 * never gets a damaged content completely.
 * @throws DamagedContent; UNAVAILABLE when the storage is not available
 */
export async function* verified(storage: Storage, { sha256, size }: Content): AsyncGenerator<Buffer> {
  const bytes = await opened(storage, { sha256, size });
  const hash = createHash('sha256');
  let last: Buffer | undefined;
  for await (const chunk of readable(bytes)) {
    hash.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (hash.digest('hex') !== sha256) throw new DamagedContent(sha256, 'damaged');
  if (last) yield last;
}

/**
 * A range of the bytes of a content. They are not verified, because that would require reading all of them.
 * @throws DamagedContent for a content of the wrong size; UNAVAILABLE when the storage is not available
 */
export async function* rangeOf(storage: Storage, content: Content, range: Range): AsyncGenerator<Buffer> {
  yield* readable(await opened(storage, content, range));
}

/** @throws DamagedContent when it is missing or has a different size */
async function opened(storage: Storage, { sha256, size }: Content, range?: Range): Promise<Readable> {
  const found = await storage.open(sha256, range);
  if (!found) throw new DamagedContent(sha256, 'missing');
  if (found.size === size) return found.bytes;
  found.bytes.destroy();
  throw new DamagedContent(sha256, 'damaged');
}

/** Reads a whole content and returns the damage; undefined if there is none. */
export async function damageOf(
  storage: Storage,
  content: Content,
): Promise<DamagedContent['reason'] | undefined> {
  try {
    const bytes = verified(storage, content);
    let chunk;
    do chunk = await bytes.next();
    while (!chunk.done);
    return undefined;
  } catch (error) {
    if (error instanceof DamagedContent) return error.reason;
    throw error;
  }
}

async function* readable(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    throw storageAway(error);
  }
}
