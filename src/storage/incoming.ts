import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { type Content } from './content.ts';
import { refuse } from './away.ts';

const REFERENCE = 'sha256:';

/** Whether a text is a reference to an `Incoming`, not a content. */
export const isReference = (text: string): boolean => text.startsWith(REFERENCE);

/** A content that has arrived completely: a local, synced file with a temporary name. */
export class Incoming implements Content {
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

  /** Renames the file, so that `discard` does not remove it. Returns the new path. The caller must remove the file. */
  async take(): Promise<string> {
    const path = `${this.path}-taken`;
    await rename(this.path, path).catch(refuse);
    return path;
  }

  /** Removes the file, unless `take` or the storage has moved it. */
  discard(): Promise<void> {
    return drop(this.path);
  }
}

async function create(folder: string, path: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return open(path, 'wx', 0o600);
}

/** If the removal fails, a later sweep removes the file. */
const drop = (path: string): Promise<void> => rm(path, { force: true }).catch(() => undefined);

/** Removes incomplete files from before `old`, which nobody is writing any more. Returns their number. */
export async function sweepFolder(folder: string, old: Date): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const path of names.map(name => join(folder, name))) {
    const found = await stat(path).catch(() => undefined);
    if (!found || found.mtime > old) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}
