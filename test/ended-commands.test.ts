import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from './support/clone.ts';
import { build, eventually, postgresPid, useProcesses } from './support/process.ts';

const { usedFolder, command, service } = useProcesses();

let database: Awaited<ReturnType<typeof cloneDatabase>>;
beforeAll(async () => {
  await build();
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const CLOSED = 'Standard output cannot be written: write EPIPE\n';

/** Stores a content that no record uses. Returns its path. */
async function unused(dataDir: string): Promise<string> {
  const bytes = randomBytes(500);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const path = join(dataDir, 'files', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  await utimes(path, 0, 0);
  return path;
}

describe('a command that has started the embedded database', () => {
  it('stops it also when nobody reads its output', async () => {
    const DATA_DIR = await usedFolder();
    const paths = await Promise.all(Array.from({ length: 20 }, () => unused(DATA_DIR)));
    const run = command('files-sweep', { DATA_DIR });
    run.child.stdout!.destroy();
    expect(await run.exited).toEqual({ code: 1, signal: null });
    expect(run.stderr).toContain(CLOSED);
    expect(run.stderr).toContain('Unused contents removed: 20 (10000 bytes)');
    expect(run.stderr).not.toMatch(/\n +at /);
    expect(paths.filter(existsSync)).toEqual([]);
    expect(await postgresPid(DATA_DIR)).toBeUndefined();
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stops it on %s', async (signal, code) => {
    const DATA_DIR = await usedFolder();
    const run = command('ledger-verify', { DATA_DIR });
    await eventually(async () => expect(await postgresPid(DATA_DIR)).toBeDefined());
    expect({ ...(await run.stop(signal)), stderr: run.stderr }).toEqual({
      code,
      signal: null,
      stderr: `Interrupted by ${signal}.\n`,
    });
    expect(await postgresPid(DATA_DIR)).toBeUndefined();
  });

  it('lets other commands wait until it has ended', async () => {
    const DATA_DIR = await usedFolder();
    const runs = ['ledger-verify', 'audit-verify', 'ledger-verify'].map(name => command(name, { DATA_DIR }));
    for (const run of runs) {
      const { code } = await run.exited;
      expect({ code, stderr: run.stderr.replaceAll(/^Process \d+, another command.*\n/gm, '') }).toEqual({
        code: 0,
        stderr: '',
      });
    }
    expect(runs.map(({ stderr }) => stderr).join('')).toMatch(
      /^Process \d+, another command, uses the embedded database\. Waiting until it ends\.\n/,
    );
    expect(await postgresPid(DATA_DIR)).toBeUndefined();
  });
});

it('a command that starts together with the service waits until the database answers', async () => {
  const DATA_DIR = await usedFolder();
  const serving = service({ DATA_DIR });
  await eventually(() => expect(existsSync(join(DATA_DIR, 'postgres.lock'))).toBe(true));
  const run = command('ledger-verify', { DATA_DIR });
  expect({ ...(await run.exited), stderr: run.stderr }).toEqual({ code: 0, signal: null, stderr: '' });
  await serving.ready();
  expect(await serving.stop()).toEqual({ code: 0, signal: null });
});

it.each([
  ['migrate', [], 'The database is at this version.'],
  ['ledger-verify', [], 'All '],
])('%s says that its work was done when nobody reads its output', async (name, args, report) => {
  const run = command(name, { DATABASE_URL: database.url }, args);
  run.child.stdout!.destroy();
  expect(await run.exited).toEqual({ code: 1, signal: null });
  const said = run.stderr.slice(run.stderr.indexOf(CLOSED));
  expect(said).toContain(`${CLOSED}The command has done its work. Do not repeat it for this.\n${report}`);
});

it('the service serves although nobody reads its ready line', async () => {
  const run = service({ DATABASE_URL: database.url });
  run.child.stdout!.destroy();
  await run.logged('nobody reads the ready line');
  expect(await run.stop()).toEqual({ code: 0, signal: null });
});
