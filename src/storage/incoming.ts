import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { type Content } from './content.ts';
import { AppError } from '../errors.ts';
import { refuse, storageAway } from './away.ts';

const REFERENCE = 'sha256:';

/** Whether a text is a reference to an `Incoming`, not a content. */
export const isReference = (text: string): boolean => text.startsWith(REFERENCE);

/** A content that has arrived completely: a local, synced file with a temporary name. */
export class Incoming implements Content {
  #isDiscarded = false;

  private constructor(
    readonly path: string,
    readonly sha256: string,
    readonly size: number,
  ) {}

  /**
   * Writes bytes as they arrive, one chunk in memory at a time. Leaves no file when `bytes` throws.
   * @throws UNAVAILABLE for a full or read-only disk
   */
  static async receive(folder: string, bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Incoming> {
    const path = join(folder, randomUUID());
    const file = await create(folder, path).catch(refuse);
    try {
      const hash = createHash('sha256');
      let size = 0;
      for await (const chunk of bytes) {
        hash.update(chunk);
        size += chunk.length;
        await file.writeFile(chunk).catch(refuse);
      }
      await file.sync().catch(refuse);
      await file.close();
      return new Incoming(path, hash.digest('hex'), size);
    } catch (error) {
      await file.close().catch(() => undefined);
      await drop(path);
      throw error;
    }
  }

  /** Reference that replaces the base64 text. Base64 never has a colon, so the two cannot be confused. */
  get reference(): string {
    return REFERENCE + this.sha256;
  }

  /**
   * Renames the file, so that `discard` does not remove it. Returns the new path. The caller must remove the file.
   * @throws BAD_REQUEST after `discard`
   */
  async take(): Promise<string> {
    const path = `${this.path}-taken`;
    await this.unlessDiscarded(rename(this.path, path).catch(refuse));
    return path;
  }

  /** Waits for work on the file. @throws BAD_REQUEST if it failed and `discard` had been called: the client has left */
  unlessDiscarded<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      throw this.#isDiscarded ? new AppError('BAD_REQUEST', { cause: error }) : error;
    });
  }

  /** Removes the file, unless `take` or the storage has moved it. */
  discard(): Promise<void> {
    this.#isDiscarded = true;
    return drop(this.path);
  }
}

/** More than an empty file, which also a full disk takes. */
const SAMPLE = Buffer.alloc(4096);

/** Writes a small file and removes it. @throws UNAVAILABLE when a content could not be received */
export async function tryFolder(folder: string): Promise<void> {
  const path = join(folder, randomUUID());
  try {
    const file = await create(folder, path);
    try {
      await file.writeFile(SAMPLE);
    } finally {
      await file.close();
    }
  } catch (error) {
    const reason = (error as Error).message;
    throw storageAway(new Error(`nothing can be written into ${folder}, which is in DATA_DIR: ${reason}`));
  } finally {
    await drop(path);
  }
}

async function create(folder: string, path: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return open(path, 'wx', 0o600);
}

/** If the removal fails, a later sweep removes the file. */
const drop = (path: string): Promise<void> => rm(path, { force: true }).catch(() => undefined);

/**
 * Removes files that nobody needs any more. `ask` tells of those that it knows whether they are needed. Of the others, those
 * from before `old` are incomplete, and nobody is writing them any more. Returns the number of removed files.
 */
export async function sweepFolder(
  folder: string,
  old: Date,
  ask: (names: string[]) => Promise<ReadonlyMap<string, boolean>>,
): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const needed = names.length > 0 ? await ask(names) : new Map<string, boolean>();
  let removed = 0;
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (!found || (needed.get(name) ?? found.mtime > old)) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}
