import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { build, eventually, freePort, postgresPid, project, useProcesses } from './support/process.ts';
import { systemHeaders } from './support/client.ts';

vi.setConfig({ testTimeout: 40_000, hookTimeout: 60_000 });

const { dataFolder, npm, service } = useProcesses();
const ended = { code: 0, signal: null };

/** Data folder that the tests of the embedded database share, each finding what the one before left. */
let dataDir: string;
const cleanUp: (() => Promise<void>)[] = [];

beforeAll(async () => {
  await build();
  dataDir = await dataFolder();
});
afterEach(async () => {
  for (const one of cleanUp.splice(0).reverse()) await one();
});

async function database(options?: { empty: boolean }): Promise<string> {
  const { url, drop } = await cloneDatabase(options);
  cleanUp.push(drop);
  return url;
}

async function openDatabase(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  cleanUp.push(() => client.end());
  return client;
}

async function sql(url: string, statement: string): Promise<unknown[]> {
  const client = await openDatabase(url);
  return (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
}

const materials = '/almoxarifadoquimicos/materiais';
const material = (titulo: string) => ({
  titulo,
  descricao: 'x',
  estado_fisico: 'L',
  id_unidade_medida: 1,
  criado_por: 1,
  alterado_por: 1,
});

/** Adds so many materials that an export of them does not fit into the buffers between service and client. */
const manyMaterials = `insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
  select 'Material ' || n, repeat('descrição ', 20), 'L', 1 from generate_series(1, 100000) n`;

/** An export whose headers and first rows are there, and the rest of which waits for the reader. */
async function startExport({ url, headers }: Client): Promise<IncomingMessage> {
  const sent = request(`${url}${materials}?export=true`, { headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

describe('on the embedded database', () => {
  test('a service says in one line that it is ready, ends on SIGTERM, and finds its data again', async () => {
    const first = service({ DATA_DIR: dataDir });
    const admin = await (await first.client()).login('admin');
    expect((await admin.post(materials, material('Kept over a restart'))).status).toBe(201);
    expect(await first.stop()).toEqual(ended);
    expect(first.stdout).toBe(
      `Ready on ${admin.url} · GraphQL ${admin.url}/graphql · REST docs ${admin.url}/docs · GraphiQL ${admin.url}/graphiql · demo login admin / demo-admin-2026 (App_name SII, Api_key sii-demo-key)\n`,
    );
    expect(await postgresPid(dataDir)).toBeUndefined();
    const again = await (await service({ DATA_DIR: dataDir }).client()).login('admin');
    const { body } = await again.get(`${materials}?titulo=kept+over`);
    expect(body.records).toMatchObject([{ titulo: 'Kept over a restart' }]);
  });

  test('a service that was killed starts again, although its database still runs', async () => {
    const killed = service({ DATA_DIR: dataDir });
    await killed.ready();
    await killed.stop('SIGKILL');
    const orphan = (await postgresPid(dataDir))!;
    expect(process.kill(orphan, 0)).toBe(true);
    const second = service({ DATA_DIR: dataDir });
    await (await second.client()).login('docente');
    expect(() => process.kill(orphan, 0)).toThrow('ESRCH');
  });

  test('while its database is away every request meets 503, and all is well again by itself', async () => {
    const run = service({ DATA_DIR: dataDir });
    const client = await run.client();
    const admin = await client.login('admin');
    const query = '{ materiais { records { id unidadeMedida { sigla } } total } }';
    const mutation = `mutation ($input: IconeRiscoInput!) { criarIconeRisco(input: $input) { id } }`;
    let count = 0;
    const requests: Record<string, () => Promise<{ status: number; code?: string; headers: Headers }>> = {
      ready: () => client.get('/readyz'),
      read: () => admin.get(materials),
      write: () => admin.post(materials, material(`During an outage ${++count}`)),
      login: () =>
        client.with(systemHeaders).post('/auth/login', { username: 'tecnico', password: 'demo-tecnico-2026' }),
      query: () => admin.post('/graphql', { query }),
      mutation: () => admin.post('/graphql', { query: mutation, variables: { input: { nome: 'x' } } }),
      export: () => admin.get(`${materials}?export=true`),
    };
    const wrong: unknown[] = [];
    const refused = new Set<string>();
    let over = false;
    const hammer = async (name: string): Promise<void> => {
      while (!over) {
        // A download that was cut off in the middle has no answer.
        const answer = await requests[name]!().catch(() => undefined);
        if (!answer) continue;
        if (answer.status === 503) refused.add(name);
        const right = answer.status === 503 ? isRefusal(name, answer) : [200, 201].includes(answer.status);
        if (!right) wrong.push({ name, ...answer });
      }
    };
    const names = Object.keys(requests);
    const hammers = names.flatMap(name => [hammer(name), hammer(name)]);
    while (refused.size < names.length && wrong.length === 0) {
      const pid = await postgresPid(dataDir);
      if (pid) killIfAlive(pid);
      await sleep(100);
    }
    over = true;
    await Promise.all(hammers);
    expect(wrong).toEqual([]);
    await eventually(async () => expect((await client.get('/readyz')).status).toBe(200));
    expect((await requests['write']!()).status).toBe(201);
    expect((await requests['query']!()).status).toBe(200);
    expect(run.child.exitCode).toBeNull();
  });

  test('a start that is told to end does so, and stops the database it was starting', async () => {
    const folder = await dataFolder();
    for (const moment of ['postgres.json', 'postgres/postmaster.pid']) {
      const run = service({ DATA_DIR: folder });
      await eventually(() => stat(join(folder, moment)));
      expect(await run.stop()).toEqual(ended);
      expect({ stdout: run.stdout, postgres: await postgresPid(folder) }).toEqual({ stdout: '' });
    }
  });

  test('a port in use is named, and the database is stopped again', async () => {
    const { url, port } = await occupiedPort();
    const run = service({ DATA_DIR: dataDir, PORT: port });
    expect(await run.exited).toEqual({ code: 1, signal: null });
    expect(run.stderr.trim().split('\n').at(-1)).toBe(
      `Cannot listen on 127.0.0.1: port ${port} is in use. End the program that uses it, or choose another PORT.`,
    );
    expect(await postgresPid(dataDir)).toBeUndefined();
    expect(url).toBeDefined();
  });

  test('an error that nobody caught is logged and ends the service in order, with code 1', async () => {
    const bug = 'process.on("SIGUSR2",()=>{throw new Error("a bug")})';
    const run = service({ DATA_DIR: dataDir, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bug)}` });
    await run.ready();
    expect(await run.stop('SIGUSR2')).toEqual({ code: 1, signal: null });
    expect(run.stderr).toMatch(/"level":60.*a bug/);
    expect(await postgresPid(dataDir)).toBeUndefined();
  });
});
