import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findProcess } from './processes.ts';

/** `folder` is the inode of the locked folder, so that a copy of the folder does not count as locked. */
const Holder = z.object({ pid: z.number(), started: z.string(), folder: z.number() });

/**
 * Locks the folder for this process until the returned function is called. Takes over the lock of an ended process,
 * also when another program now has its pid.
 * @throws Error when a live process holds the lock
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'postgres.lock');
  const started = (await findProcess(process.pid))?.started;
  const holder = JSON.stringify({ pid: process.pid, started, folder: (await stat(folder)).ino });
  while (!(await create(path, holder))) await removeIfStale(path, folder);
  return () => rm(path, { force: true });
}

/** Whether a live process has locked the folder. */
export async function isTaken(folder: string): Promise<boolean> {
  const seen = await readFile(join(folder, 'postgres.lock'), 'utf8').catch(() => '');
  return (await liveHolder(seen, folder)) !== undefined;
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
  const seen = await readFile(path, 'utf8').catch(() => '');
  const pid = await liveHolder(seen, folder);
  if (pid !== undefined) {
    throw new Error(
      `Another running service (process ${pid}) uses the data folder ${folder}. Stop it, or give this one a DATA_DIR of its own.`,
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

async function liveHolder(text: string, folder: string): Promise<number | undefined> {
  try {
    const holder = Holder.parse(JSON.parse(text));
    const sameFolder = holder.folder === (await stat(folder)).ino;
    const sameProcess = (await findProcess(holder.pid))?.started === holder.started;
    return sameFolder && sameProcess ? holder.pid : undefined;
  } catch {
    return undefined;
  }
}
