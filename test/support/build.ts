import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { lockFolder } from '../../src/embedded-postgres/lock.ts';
import { eventually } from './eventually.ts';

const project = join(import.meta.dirname, '../..');

/**
 * Compiles the service, as `npm start` does first. The first test that needs it compiles it for the whole run, and
 * others wait.
 * @throws Error with the output of the compiler
 */
export async function build(): Promise<void> {
  const dist = join(project, 'dist');
  await mkdir(dist, { recursive: true });
  // Another run may compile in this folder at the same time, and this one would start incomplete files.
  const release = await eventually(() => lockFolder(dist));
  try {
    const path = inject('buildFailure');
    const failure = await readFile(path, 'utf8').catch(() => attempt(path));
    if (failure) throw new Error(failure);
  } finally {
    await release();
  }
}

/** Returns the error, and stores it in a file. */
async function attempt(path: string): Promise<string> {
  const run = promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: project });
  const failure = await run.then(
    () => '',
    ({ message, stdout }) => `the build failed: ${message}${stdout}`,
  );
  await writeFile(path, failure);
  return failure;
}
