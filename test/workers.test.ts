import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findProcess } from '../src/embedded-postgres/processes.ts';
import { systemHeaders, type Answer, type Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { lockWaits } from './support/lock-waits.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { build, eventually, postgresPid, useProcesses, type Run } from './support/process.ts';

const inOrder = { code: 0, signal: null };
const atOnce = { code: 1, signal: null };
const base = '/almoxarifadoquimicos';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: pg.Client;
beforeAll(async () => {
  await build();
  database = await cloneDatabase();
  db = await connected(database.url);
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

const times = <T>(count: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, act));

/** Number of answers by status. */
const tally = (answers: Answer[]): Record<number, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, all]) => [
      status,
      all!.length,
    ]),
  );

/** One process may have accepted all connections that are kept, and so answer all further requests. */
const newConnection = { connection: 'close' };

/** Ids of the processes that answered requests. */
const served = ({ stderr }: Run): Set<number> =>
  new Set([...stderr.matchAll(/"pid":(\d+)[^\n]*"msg":"request"/g)].map(([, pid]) => Number(pid)));

const expectGone = (pid: number): Promise<void> =>
  eventually(async () => expect(await findProcess(pid)).toBeUndefined());

describe('several processes behind one port', () => {
  const { service } = useProcesses(afterAll);
  let run: Run;
  let anyone: Client;
  beforeAll(async () => {
    run = service({ DATABASE_URL: database.url, WORKERS: '2' });
    anyone = (await run.client()).with(newConnection);
  });
  beforeEach(() => db.query('delete from tentativa_senha'));

  it('at most five failed logins at the same time are checked', async () => {
    const attempt = { username: 'docente', password: 'wrong' };
    // On a busy machine, one of the processes may accept all connections of a round.
    do {
      await db.query('delete from tentativa_senha');
      const answers = await times(20, () => anyone.with(systemHeaders).post('/auth/login', attempt));
      expect(tally(answers)).toEqual({ 401: 5, 429: 15 });
    } while (served(run).size < 2);
  });

  it('a request that is sent many times with one key is done once', async () => {
    const admin = (await anyone.login('admin')).with({ 'idempotency-key': randomUUID() });
    const nome = 'Once';
    const answers = await times(12, () => admin.post(`${base}/icones-risco`, { nome }));
    const done = answers.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect((await db.query('select from icone_risco where nome = $1', [nome])).rowCount).toBe(1);
  });

  it('a permission that is taken away, and a session that is ended, are gone at the next request', async () => {
    const tecnico = await anyone.login('tecnico');
    const list = () => times(12, () => tecnico.get(`${base}/materiais?itensPorPagina=1`));
    expect(tally(await list())).toEqual({ 200: 12 });
    await db.query(
      `update permissao set situacao = 'I' where id_pessoa = (select id from pessoa where usuario = 'tecnico')`,
    );
    expect(tally(await list())).toEqual({ 403: 12 });
    await db.query(
      `update permissao set situacao = 'A' where id_pessoa = (select id from pessoa where usuario = 'tecnico')`,
    );
    expect(tally(await list())).toEqual({ 200: 12 });
    const { data } = await tecnico.graphql('{ sessaoAtual { id } }');
    await tecnico.graphql('mutation ($id: Int!) { encerrarSessao(id: $id) { id } }', data.sessaoAtual);
    expect(tally(await list())).toEqual({ 401: 12 });
  });

  it('no process is left when the first one is killed', async () => {
    const pids = [run.pid, ...served(run)];
    await run.stop('SIGKILL');
    for (const pid of pids) await expectGone(pid);
  });
});

/** A request that stays open until it is released. Returns its status, or how it failed. */
async function heldRequest(client: Client) {
  const holder = await connected(database.url);
  await holder.query('begin; lock table icone_risco');
  const answer = client.get(`${base}/icones-risco`).then(
    ({ status }) => status,
    (error: Error) => error.message,
  );
  await eventually(async () =>
    expect((await db.query(lockWaits(`relation = 'icone_risco'::regclass`))).rowCount).toBe(1),
  );
  return { answer, release: () => holder.end() };
}

describe('with two workers', () => {
  const { usedFolder, service } = useProcesses();
  const start = (environment: NodeJS.ProcessEnv = {}): Run =>
    service({ DATABASE_URL: database.url, WORKERS: '2', ...environment });

  /** Process ids of both workers, when each has answered. */
  const workersOf = (run: Run, url: string): Promise<number[]> =>
    eventually(async () => {
      await times(8, () => fetch(`${url}/healthz`, { headers: newConnection }));
      expect(served(run).size).toBe(2);
      return [...served(run)];
    });

  it('each request ends when a worker is killed, and the other worker answers the next ones', async () => {
    const run = start();
    const url = await run.ready();
    let isOver = false;
    let answered = 0;
    // Only connections that are not yet taken can be lost.
    const ask = async (): Promise<void> => {
      while (!isOver) {
        const answer = fetch(`${url}/healthz`, {
          headers: newConnection,
          signal: AbortSignal.timeout(60_000),
        });
        const status = await answer.then(
          ({ status }) => status,
          (error: Error) => {
            // A connection that the dead worker had taken is cut off.
            if (error.name === 'TimeoutError') throw error;
          },
        );
        if (status === 200) answered += 1;
      }
    };
    const clients = times(24, ask);
    for (let i = 0; i < 5; i++) {
      const [pid] = await eventually(async () => {
        const living = await Promise.all([...served(run)].map(findProcess));
        const pids = living.flatMap(found => found?.pid ?? []);
        expect(pids).toHaveLength(2);
        return pids;
      });
      const before = answered;
      process.kill(pid!, 'SIGKILL');
      await expectGone(pid!);
      await eventually(() => expect(answered).toBeGreaterThan(before + 100));
    }
    isOver = true;
    await clients;
    expect(await run.stop()).toEqual(inOrder);
  });

  it('a second signal cuts off open requests, and leaves no process behind', async () => {
    const run = start();
    const url = await run.ready();
    const workers = await workersOf(run, url);
    const { answer, release } = await heldRequest(await (await run.client()).login('admin'));
    await eventually(() => {
      run.child.kill('SIGTERM');
      if (run.child.exitCode === null) throw new Error('still stopping');
    });
    expect(await run.exited).toEqual(atOnce);
    expect(await answer).toBe('fetch failed');
    await Promise.all(workers.map(expectGone));
    await release();
  });

  it('one that is killed is started again, while the other serves; SIGTERM lets requests in flight finish', async () => {
    const run = start({ METRICS_PORT: '0' });
    const url = await run.ready();
    const [killed] = await workersOf(run, url);
    await allowConnections(false);
    process.kill(killed!, 'SIGKILL');
    await run.logged('worker ended; it is started again in 1 s');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const both = async (name: string) => {
      const { samples } = await scrape(run);
      return ['1', '2'].map(worker => valueOf(samples, name, { worker })).toSorted((a, b) => a! - b!);
    };
    expect(await both('sii_worker_up')).toEqual([0, 1]);
    await allowConnections(true);
    await eventually(async () => expect(await both('sii_database_up')).toEqual([1, 1]));
    expect((await both('sii_worker_restarts_total'))[0]).toBe(0);
    const admin = await (await run.client()).login('admin');
    const { answer, release } = await heldRequest(admin);
    const exit = run.stop();
    await eventually(() => expect(run.stderr.match(/SIGTERM: stopping/g)).toHaveLength(3));
    await release();
    expect(await answer).toBe(200);
    expect(await exit).toEqual(inOrder);
  });

  const allowConnections = async (allowed: boolean): Promise<void> => {
    const url = new URL(database.url);
    const maintenance = await connected(Object.assign(new URL(url), { pathname: '/postgres' }).href);
    await maintenance.query(`alter database ${url.pathname.slice(1)} allow_connections ${allowed}`);
    await maintenance.end();
  };

  it('the reason why they cannot start is printed once', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const run = start({ PORT: String(port) });
    expect(await run.exited).toEqual(atOnce);
    expect(run.stdout).toBe('');
    expect(run.stderr).toBe(
      `Cannot listen on 127.0.0.1: port ${port} is in use. End the program that uses it, or choose another PORT.\n` +
        'Worker 1 ended before it was ready. See its messages above.\n',
    );
    await once(other.close(), 'close');
  });

  it('one embedded database serves both, and ends with them', async () => {
    const dataDir = await usedFolder();
    const run = service({ DATA_DIR: dataDir, WORKERS: '2' });
    const admin = await (await run.client()).login('admin');
    expect(run.stdout).toContain('demo login admin');
    await workersOf(run, admin.url);
    expect(await run.stop()).toEqual(inOrder);
    expect(await postgresPid(dataDir)).toBeUndefined();
  });

  it('a start that gets SIGTERM ends in order', async () => {
    const run = start();
    await eventually(async () =>
      expect(
        (
          await db.query(
            `select from pg_stat_activity where datname = current_database() and application_name = 'sii'`,
          )
        ).rowCount,
      ).toBeGreaterThan(0),
    );
    expect(await run.stop()).toEqual(inOrder);
    expect(run.stdout).toBe('');
  });
});
