import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { lockFolder } from '../../src/embedded-postgres/lock.ts';
import { eventually } from './eventually.ts';

const project = join(import.meta.dirname, '../..');

/**
 * Compiles the service, as `npm start` does first. The first test that needs it does so for the whole run, and others wait.
 * @throws Error with what went wrong
 */
export async function build(): Promise<void> {
  const dist = join(project, 'dist');
  await mkdir(dist, { recursive: true });
  // Another run may compile in this folder at the same time, and this one would start half-written files.
  const release = await eventually(() => lockFolder(dist));
  try {
    const path = inject('buildFailure');
    const failure = await readFile(path, 'utf8').catch(() => attempt(path));
    if (failure) throw new Error(failure);
  } finally {
    await release();
  }
}

/** Answers what went wrong, and leaves it in a file. */
async function attempt(path: string): Promise<string> {
  const run = promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: project });
  const failure = await run.then(
    () => '',
    ({ message, stdout }) => `the build failed: ${message}${stdout}`,
  );
  await writeFile(path, failure);
  return failure;
}
