import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LogStream, lostLines } from '../src/runtime/log-stream.ts';
import { cloneDatabase } from './support/clone.ts';
import { temporaryFolder } from './support/folder.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { build, eventually, useProcesses } from './support/process.ts';

const { dataFolder, service, command } = useProcesses();

let database: Awaited<ReturnType<typeof cloneDatabase>>;
beforeAll(async () => {
  await build();
  database = await cloneDatabase();
});
afterAll(() => database.drop());

/** Code that puts a file in the place of standard error. */
const logTo = (path: string): string =>
  `process.getBuiltinModule("fs").closeSync(2); process.getBuiltinModule("fs").openSync(${JSON.stringify(path)}, "a");`;

/** Lets a process run this code before its program, but not again in its other threads. */
const before = (code: string): { NODE_OPTIONS: string } => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `if (process.getBuiltinModule("worker_threads").isMainThread) { ${code} }`,
  )}`,
});

const stopped = { code: 0, signal: null };

describe('a service whose log is on a full disk', () => {
  it.each([['as JSON'], ['for people', '--pretty']])(
    'serves, logs %s again when there is space, and stops on SIGTERM',
    async (_format, ...args) => {
      const later = join(await dataFolder(), 'service.log');
      const code = `${logTo('/dev/full')} process.on("SIGUSR2", () => { ${logTo(later)} });`;
      const run = service({ DATABASE_URL: database.url, ...before(code) }, args);
      const client = await run.client();
      expect((await client.get('/almoxarifadoquimicos/nada')).status).toBe(404);
      run.child.kill('SIGUSR2');
      const log = await eventually(() => {
        const text = readFileSync(later, 'utf8');
        expect(text).toContain('almoxarifadoquimicos');
        return text;
      });
      // What was logged meanwhile is there, too.
      expect(log).toContain('lose committed writes');
      expect({ ...(await run.stop()), log: readFileSync(later, 'utf8') }).toMatchObject(stopped);
    },
  );

  it('stops on SIGTERM while there is no space', async () => {
    const run = service({ DATABASE_URL: database.url, ...before(logTo('/dev/full')) });
    await run.ready();
    expect(await run.stop()).toEqual(stopped);
  });

  it('is ended by its watchdog when its event loop is blocked', async () => {
    const block = `process.on("SIGUSR2", () => { const never = new Int32Array(new SharedArrayBuffer(4)); for (;;) Atomics.wait(never, 0, 0, 20); });`;
    const run = service({
      DATABASE_URL: database.url,
      SHUTDOWN_SECONDS: '3',
      ...before(logTo('/dev/full') + block),
    });
    await run.ready();
    run.child.kill('SIGUSR2');
    expect(await run.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });
});

it('a service whose log nobody reads stops on SIGTERM', async () => {
  const run = service({ DATABASE_URL: database.url, METRICS_PORT: '0', SHUTDOWN_SECONDS: '10' });
  const client = await run.client();
  const { samples } = await scrape(run);
  expect(valueOf(samples, 'sii_log_lines_lost_total')).toBe(0);
  run.child.stderr!.pause();
  // More than the system keeps for a reader.
  for (let round = 0; round < 40; round += 1)
    await Promise.all(Array.from({ length: 50 }, () => client.get(`/${'nada/'.repeat(100)}`)));
  const exited = new Promise(resolve =>
    run.child.once('exit', (exit, signal) => resolve({ code: exit, signal })),
  );
  run.child.kill('SIGTERM');
  expect(await exited).toEqual(stopped);
});

it('a command does its work while its log is on a full disk', async () => {
  const run = command('ledger-verify', { DATABASE_URL: database.url, ...before(logTo('/dev/full')) });
  expect(await run.exited).toEqual(stopped);
  expect(run.stdout).toMatch(/^All \d+ cells of stock match/);
});

it('lines that come while the log takes nothing are kept up to a limit, and counted beyond it', async () => {
  const path = join(await temporaryFolder(), 'log');
  const fd = openSync('/dev/full', 'a');
  onTestFinished(() => closeSync(fd));
  const stream = new LogStream(fd);
  const lostBefore = lostLines.count;
  const line = (number: number): string => `${number} ${'á'.repeat(100_000)}\n`;
  for (let number = 0; number < 100; number += 1) stream.write(line(number));
  stream.flushSync();
  const lost = lostLines.count - lostBefore;
  expect(lost).toBeGreaterThan(0);
  closeSync(fd);
  expect(openSync(path, 'a')).toBe(fd);
  // A write that had begun ends first.
  await new Promise<void>(resolve => stream.flush(resolve));
  stream.flushSync();
  stream.write('then\n');
  stream.flushSync();
  const kept = Array.from({ length: 100 - lost }, (_, number) => line(number));
  expect(readFileSync(path, 'utf8') === `${kept.join('')}then\n`).toBe(true);
});
