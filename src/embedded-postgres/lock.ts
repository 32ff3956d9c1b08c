import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { findProcess } from './processes.ts';

/** `folder` is the inode of the locked folder, so that a copy of the folder does not count as locked. */
const Holder = z.object({
  pid: z.number(),
  started: z.string(),
  folder: z.number(),
  /** Whether it is a command, which stops the server at its end. */
  isCommand: z.boolean().default(false),
});
type Holder = z.infer<typeof Holder>;

/** A live process has locked the folder. */
export class FolderTaken extends Error {}

/**
 * Locks the folder for this process until the returned function is called. Takes over the lock of an ended process,
 * also when another program now has its pid.
 * @throws FolderTaken when a live process holds the lock
 */
export async function lockFolder(folder: string, isCommand = false): Promise<() => Promise<void>> {
  const path = join(folder, 'postgres.lock');
  const started = (await findProcess(process.pid))?.started;
  const holder = JSON.stringify({ pid: process.pid, started, folder: (await stat(folder)).ino, isCommand });
  while (!(await create(path, holder))) await removeIfStale(path, folder);
  return () => rm(path, { force: true });
}

/** The live process that has locked the folder. */
export async function holderOf(folder: string): Promise<Holder | undefined> {
  const seen = await readFile(join(folder, 'postgres.lock'), 'utf8').catch(() => '');
  return liveHolder(seen, folder);
}

async function create(path: string, holder: string): Promise<boolean> {
  try {
    await writeFile(path, holder, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeIfStale(path: string, folder: string): Promise<void> {
  const seen = await written(path);
  const holder = await liveHolder(seen, folder);
  if (holder) {
    const [who, way] = holder.isCommand
      ? ['A command', 'Wait until it ends']
      : ['Another running service', 'Stop it'];
    throw new FolderTaken(
      `${who} (process ${holder.pid}) uses the data folder ${folder}. ${way}, or give this one a DATA_DIR of its own.`,
    );
  }
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch (error) {
    // Another process was first. Any other reason, such as a read-only disk, stays.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  // Another process may have replaced the stale lock with its own meanwhile. Then its lock is restored.
  if ((await readFile(aside, 'utf8')) === seen) await rm(aside);
  else await rename(aside, path);
}

/** The text of the file. For a moment it is empty, until the process that has created it has written its name. */
async function written(path: string): Promise<string> {
  for (let tries = 100; ; tries--) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== '' || tries === 0) return text ?? '';
    await sleep(20);
  }
}

async function liveHolder(text: string, folder: string): Promise<Holder | undefined> {
  try {
    const holder = Holder.parse(JSON.parse(text));
    const sameFolder = holder.folder === (await stat(folder)).ino;
    const sameProcess = (await findProcess(holder.pid))?.started === holder.started;
    return sameFolder && sameProcess ? holder : undefined;
  } catch {
    return undefined;
  }
}
