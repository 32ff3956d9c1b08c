import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LISTENER } from '../src/changes/sequencer.ts';
import { PAUSE_MS } from '../src/database/few-connections.ts';
import { cloneDatabase } from './support/clone.ts';
import type { Answer, Client } from './support/client.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { sql } from './support/sql.ts';
import { nextPage, transports } from './support/subscriptions.ts';

const LIMIT = 5;
const role = `few_${randomUUID().replaceAll('-', '')}`;
const { service, dataFolder } = useProcesses(afterAll);
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let proxy: FaultProxy;
let run: Run;
let admin: Client;

beforeAll(async () => {
  await build();
  database = await cloneDatabase();
  await sql(
    database.url,
    `create role ${role} login password 'few' connection limit ${LIMIT} in role pg_read_all_data, pg_write_all_data`,
  );
  const through = await FaultProxy.before(database.url);
  proxy = through.proxy;
  const { host, pathname } = new URL(through.url);
  // As of a cluster, whose primary is looked for.
  const DATABASE_URL = `postgresql://${role}:few@${host},${host}${pathname}?target_session_attrs=read-write`;
  const environment = { DATABASE_URL, DATA_DIR: await dataFolder(), MAX_REQUESTS_PER_PERSON: '1000' };
  run = service({ ...environment, METRICS_PORT: '0' });
  admin = await (await run.client()).login('admin');
});
afterAll(async () => {
  await run.stop();
  await proxy.stop();
  await database.drop();
  await sql(database.url.replace(/[^/]+$/, 'postgres'), `drop role ${role}`);
});

/** Requests of all kinds at once, each with its own text, so that none shares the answer of another. */
const burst = (): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: 200 }, (_, i) => {
      const nome = randomUUID();
      if (i % 4 === 0) return admin.post('/almoxarifadoquimicos/icones-risco', { nome });
      if (i % 4 === 1) return admin.get(`/almoxarifadoquimicos/materiais?titulo=${nome}`);
      return admin.get(`/almoxarifadoquimicos/materiais/${1 + (i % 8)}`);
    }),
  );

function expectDone(answers: readonly Answer[]): void {
  for (const { status, body } of answers) expect([200, 201], JSON.stringify(body)).toContain(status);
}

it('a service that may open fewer connections than it would uses those, and says so at its start', async () => {
  expect(run.stderr).toMatch(
    new RegExp(`"mayOpen":${LIMIT},"mayNeed":\\d+,.*"the database lets the service open fewer connections`),
  );
  // The service tries to open further ones again after each pause.
  for (let turn = 0; turn < 4; turn++, await sleep(PAUSE_MS)) expectDone(await burst());
});

/** Connections of the role, by the name under which they are open. */
const opened = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    await sql(
      database.url,
      `select application_name, count(*)::int from pg_stat_activity where usename = '${role}' group by 1`,
    ),
  ) as Record<string, number>;

describe('while idle connections of requests are all that the server allows', () => {
  beforeEach(async () => {
    await sleep(PAUSE_MS);
    await burst();
  });

  it('a file is exported', async () => {
    expect(await opened()).toEqual({ sii: LIMIT });
    const { status, body } = await admin.get('/almoxarifadoquimicos/materiais?export=true');
    expect(status, JSON.stringify(body)).toBe(200);
    expectDone(await burst());
  });

  it('a file is imported', async () => {
    expect((await opened())['sii']).toBe(LIMIT);
    const { status, body } = await admin.post('/institucional/importacoes', {
      registros: 'lotacoes',
      nome_arquivo: 'lotacoes.csv',
      conteudo: Buffer.from('sigla;nome\nNOVA;Unidade nova\n').toString('base64'),
    });
    expect(status).toBe(201);
    await eventually(async () =>
      expect((await admin.get(`/institucional/importacoes/${body.id}`)).body).toMatchObject({
        situacao: 'concluida',
        criadas: 1,
      }),
    );
    expectDone(await burst());
  });

  it('changes are listened for', async () => {
    expect((await opened())['sii']).toBe(LIMIT);
    const subscription = transports['WebSocket']!(admin, { tabelas: ['icone_risco'] });
    await nextPage(subscription);
    await eventually(async () => expect(await opened()).toMatchObject({ [LISTENER]: 1 }));
    expectDone(await burst());
  });
});

it('a further connection that is cut off while it opens leaves the open ones in use', async () => {
  proxy.begin({ kind: 'lose answer', to: role, by: 'cut', once: true });
  for (; proxy.lost === 0; await sleep(PAUSE_MS)) expectDone(await burst());
  for (let turn = 0; turn < 2; turn++, await sleep(PAUSE_MS)) expectDone(await burst());
});

it('a service opens further connections when the server accepts them again', async () => {
  await sql(database.url, `alter role ${role} connection limit -1`);
  const open = async (): Promise<number> => {
    const { samples } = await scrape(run);
    const [busy, idle] = ['busy', 'idle'].map(state =>
      valueOf(samples, 'sii_database_connections', { pool: 'requests', state }),
    );
    return busy! + idle!;
  };
  await eventually(async () => {
    await burst();
    expect(await open()).toBeGreaterThan(LIMIT);
  });
});
