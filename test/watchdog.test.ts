import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProcess } from '../src/embedded-postgres/processes.ts';
import { cloneDatabase } from './support/clone.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { build, eventually, postgresPid, useProcesses, type Run } from './support/process.ts';

const { usedFolder, service } = useProcesses();
const base = '/almoxarifadoquimicos';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
beforeAll(async () => {
  await build();
  database = await cloneDatabase();
});
afterAll(() => database.drop());

/**
 * Lets a service block its event loop when it is sent SIGUSR2: for some time, or for good. It leaves the processor to
 * others meanwhile.
 */
function blockable(ms = Infinity): { NODE_OPTIONS: string } {
  const block = `const until = performance.now() + ${ms}, never = new Int32Array(new SharedArrayBuffer(4));
    while (performance.now() < until) Atomics.wait(never, 0, 0, 20);`;
  const code = encodeURIComponent(`process.on("SIGUSR2", function blockedOnPurpose() { ${block} });`);
  return { NODE_OPTIONS: `--import=data:text/javascript,${code}` };
}

const killed = { code: null, signal: 'SIGKILL' };

/** The line of the log that has this text. */
const lineOf = ({ stderr }: Run, text: string): Record<string, unknown> =>
  JSON.parse(stderr.split('\n').find(line => line.includes(text))!) as Record<string, unknown>;

/** On a new connection each time, so that any worker may get it. */
const ask = async (url: string): Promise<void> => {
  const [response] = (await once(get(`${url}/healthz`, { agent: false, timeout: 2_000 }), 'response')) as [
    IncomingMessage,
  ];
  response.resume();
};

const BLOCKED = 'the event loop is blocked for more than 1 s';

describe('a process whose event loop is blocked', () => {
  it('logs the open requests and the code that runs, and ends after SHUTDOWN_SECONDS', async () => {
    const run = service({ DATABASE_URL: database.url, SHUTDOWN_SECONDS: '4', ...blockable() });
    const admin = await (await run.client()).login('admin');
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table icone_risco');
    const rest = admin.get(`${base}/icones-risco`).catch((error: Error) => error);
    const graphql = admin.graphql('{ iconesRisco { data { id } } }').catch((error: Error) => error);
    await eventually(async () => {
      const { rows } = await holder.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_locks where not granted and relation = 'icone_risco'::regclass`,
      );
      expect(rows[0]!.waiting).toBe(2);
    });
    run.child.kill('SIGUSR2');
    expect(await run.exited).toEqual(killed);
    await Promise.all([rest, graphql, holder.end()]);
    const requests = [
      { requestId: expect.stringMatching(/^[\da-f-]{36}$/), operation: `GET ${base}/icones-risco` },
      { requestId: expect.stringMatching(/^[\da-f-]{36}$/), operation: 'iconesRisco' },
    ];
    const details = {
      requests: expect.arrayContaining(requests),
      stack: expect.arrayContaining([expect.stringContaining('blockedOnPurpose')]),
    };
    expect(lineOf(run, BLOCKED)).toMatchObject({ level: 50, ...details });
    expect(lineOf(run, 'the process is ended')).toMatchObject({ level: 60, ...details });
  });

  it('ends on SIGTERM', async () => {
    const run = service({ DATABASE_URL: database.url, SHUTDOWN_SECONDS: '4', ...blockable() });
    await run.ready();
    run.child.kill('SIGUSR2');
    await run.logged(BLOCKED);
    expect(await run.stop('SIGTERM')).toEqual(killed);
  });

  it('ends its embedded database as well', async () => {
    const DATA_DIR = await usedFolder();
    const run = service({ DATA_DIR, SHUTDOWN_SECONDS: '4', ...blockable() });
    await run.ready();
    const postgres = (await findProcess((await postgresPid(DATA_DIR))!))!;
    run.child.kill('SIGUSR2');
    expect(await run.exited).toEqual(killed);
    expect((await findProcess(postgres.pid))?.started).not.toBe(postgres.started);
    const again = service({ DATA_DIR });
    expect((await fetch(`${await again.ready()}/readyz`)).status).toBe(200);
    expect(again.stderr).not.toContain('left behind');
  });

  it('continues when the block ends, and has counted it', async () => {
    const run = service({ DATABASE_URL: database.url, METRICS_PORT: '0', ...blockable(3_000) });
    const url = await run.ready();
    run.child.kill('SIGUSR2');
    await run.logged(BLOCKED);
    await run.logged('the event loop runs again');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(valueOf((await scrape(run)).samples, 'sii_event_loop_blocked_total')).toBe(1);
    expect(await run.stop()).toEqual({ code: 0, signal: null });
  });

  it('is replaced when it is a worker', async () => {
    const run = service({ DATABASE_URL: database.url, WORKERS: '2', SHUTDOWN_SECONDS: '4', ...blockable() });
    const url = await run.ready();
    const workers = (): number[] =>
      [...run.stderr.matchAll(/"pid":(\d+)[^\n]*"msg":"request"/g)].map(([, pid]) => Number(pid));
    await eventually(async () => {
      await ask(url);
      if (workers().length === 0) throw new Error('no request logged yet');
    });
    const [blocked] = workers();
    process.kill(blocked!, 'SIGUSR2');
    await run.logged('worker ended; it is started again');
    expect(lineOf(run, 'worker ended')).toMatchObject({ signal: 'SIGKILL' });
    await eventually(async () => {
      await ask(url);
      if (new Set(workers()).size < 3) throw new Error('the new worker has not answered yet');
    });
    expect(await run.stop()).toEqual({ code: 0, signal: null });
  });
});

it('a process that was stopped for longer than SHUTDOWN_SECONDS, as on a machine that slept, continues', async () => {
  const run = service({ DATABASE_URL: database.url, SHUTDOWN_SECONDS: '4' });
  const url = await run.ready();
  const before = run.stderr.length;
  run.child.kill('SIGSTOP');
  // Only waiting can show that this time does not count.
  await sleep(5_000);
  run.child.kill('SIGCONT');
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(run.stderr.slice(before)).not.toContain('blocked');
  expect(await run.stop()).toEqual({ code: 0, signal: null });
});
