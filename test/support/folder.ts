import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reap } from './reaper.ts';

/** What a run may need at most, in bytes, several times over. */
const ROOM = 6 * 2 ** 30;
const MEMORY = '/dev/shm';

/**
 * Where temporary folders are. PostgreSQL copies a thousand files for each database of a test; in memory that takes a tenth
 * of the time. Programs must be able to run from there.
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

/** A new temporary folder. If tests run as root, PostgreSQL runs as another user, who can enter the folder too. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(await base(), 'sii-test-'));
  reap({ folder });
  await chmod(folder, 0o711);
  return folder;
}

/** Copies what is in a folder, with its owners, because PostgreSQL runs only on data of its own user. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', join(from, '.'), to]);
}
