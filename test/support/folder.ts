import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reap } from './reaper.ts';

/** Space in bytes for a run, with a large reserve. */
const ROOM = 6 * 2 ** 30;
const MEMORY = '/dev/shm';

/**
 * The parent of temporary folders. PostgreSQL copies a thousand files for each database of a test. In memory that takes
 * a tenth of the time. It must be possible to execute programs there.
 */
async function base(): Promise<string> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const options = mounts
    .split('\n')
    .find(line => line.split(' ')[1] === MEMORY)
    ?.split(' ')[3];
  if (!options || options.split(',').includes('noexec') || freemem() < ROOM) return tmpdir();
  const { bavail, bsize } = await statfs(MEMORY);
  return bavail * bsize < ROOM ? tmpdir() : MEMORY;
}

/** A new temporary folder. If tests run as root, PostgreSQL runs as another user, who can also enter the folder. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(await base(), 'sii-test-'));
  reap({ folder });
  await chmod(folder, 0o711);
  return folder;
}

/** Copies the content of a folder and keeps the owners, because PostgreSQL runs only on data of its own user. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}
