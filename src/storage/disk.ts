import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Incoming } from './incoming.ts';
import { storageAway } from './away.ts';
import { isDigest, LABEL, placeOf, Storage, type Range, type StoredContent } from './storage.ts';

/** Contents as files below a folder. Several processes may share it, on one machine or through a shared file system. */
export class DiskStorage extends Storage {
  constructor(private readonly folder: string) {
    // On the same file system, so that a rename moves the file.
    super(join(folder, 'incoming'));
  }

  /** The folder of what arrives is inside the storage, so nothing is received before it is known to be there. */
  override async receive(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Incoming> {
    await this.label();
    return super.receive(bytes);
  }

  protected async store({ path, sha256 }: Incoming): Promise<void> {
    const target = this.#path(sha256);
    await attempt(async () => {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(path, target);
      // A new name is durable only after every folder of its path is synced.
      for (const folder of [dirname(target), dirname(dirname(target)), this.folder]) await sync(folder);
    });
  }

  async open(sha256: string, range?: Range): Promise<{ size: number; bytes: Readable } | undefined> {
    return attempt(async () => {
      const file = await unlessMissing(open(this.#path(sha256)));
      if (!file) return this.nothing();
      try {
        const { size } = await file.stat();
        return { size, bytes: createReadStream('', { fd: file, ...range }) };
      } catch (error) {
        await file.close();
        throw error;
      }
    });
  }

  async has(sha256: string): Promise<boolean> {
    const found = await attempt(async () => unlessMissing(stat(this.#path(sha256))));
    return (found ?? (await this.nothing())) !== undefined;
  }

  protected async *list(): AsyncGenerator<StoredContent> {
    const folder = await attempt(() => unlessMissing(opendir(this.folder, { recursive: true })));
    if (!folder) return;
    try {
      for await (const { name, parentPath } of folder) {
        const path = join(parentPath, name);
        const found = isDigest(name) && path === this.#path(name) && (await unlessMissing(stat(path)));
        if (found) yield { sha256: name, size: found.size, storedAt: found.mtime };
      }
    } catch (error) {
      throw awayIfSystem(error);
    }
  }

  async remove(sha256: string): Promise<void> {
    await attempt(() => rm(this.#path(sha256), { force: true }));
  }

  protected async readLabel(): Promise<string | undefined> {
    return attempt(() => unlessMissing(readFile(join(this.folder, LABEL), 'utf8')));
  }

  async setLabel(text: string): Promise<void> {
    const path = join(this.folder, LABEL);
    const partial = `${path}.${randomUUID()}`;
    await attempt(async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFile(partial, text, { mode: 0o600, flush: true });
      await rename(partial, path);
      await sync(this.folder);
    });
  }

  close(): void {
    // No handle stays open between calls.
  }

  #path(sha256: string): string {
    return join(this.folder, placeOf(sha256));
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw awayIfSystem(error);
  }
}

/** The error for clients when a system call failed. */
const awayIfSystem = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).syscall === undefined ? error : storageAway(error);

const unlessMissing = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

async function sync(folder: string): Promise<void> {
  // Windows cannot sync a folder.
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
