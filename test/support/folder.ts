import { execFile } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reap } from './reaper.ts';

/** A new temporary folder. If tests run as root, PostgreSQL runs as another user, who can enter the folder too. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sii-test-'));
  reap({ folder });
  await chmod(folder, 0o711);
  return folder;
}

/** Copies what is in a folder, with its owners, because PostgreSQL runs only on data of its own user. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', join(from, '.'), to]);
}
