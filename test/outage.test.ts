import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { systemHeaders, type Answer, type Client } from './support/client.ts';
import { build, eventually, postgresPid, useProcesses } from './support/process.ts';

const { usedFolder, service } = useProcesses();

beforeAll(build);

const materials = '/almoxarifadoquimicos/materiais';
const material = {
  titulo: 'Written during an outage',
  descricao: 'x',
  estado_fisico: 'L',
  id_unidade_medida: 1,
  criado_por: 1,
  alterado_por: 1,
};
const credentials = { username: 'tecnico', password: 'demo-tecnico-2026' };
const query = '{ materiais { data { id unidadeMedida { sigla } } total } }';
const mutation = 'mutation { criarIconeRisco(input: { nome: "x" }) { id } }';

/** One request of each kind, by the format of its errors. */
const kinds = (admin: Client): Record<'rest' | 'graphql', Record<string, () => Promise<Answer>>> => ({
  rest: {
    read: () => admin.get(materials),
    write: () => admin.post(materials, material),
    login: () => admin.with(systemHeaders).post('/auth/login', credentials),
    export: () => admin.get(`${materials}?export=true`),
  },
  graphql: {
    query: () => admin.post('/graphql', { query }),
    mutation: () => admin.post('/graphql', { query: mutation }),
  },
});

const codeOf = ({ body }: Answer): unknown => body.code ?? body.errors?.[0]?.extensions?.code;

async function killDatabase(dataDir: string): Promise<void> {
  const pid = await postgresPid(dataDir);
  try {
    if (pid) process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It was already killed, and is not started again yet.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

test('while its database is away every request gets 503 and no other error, and the service recovers by itself', async () => {
  const dataDir = await usedFolder();
  const run = service({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const client = await run.client();
  const admin = await client.login('admin');
  const { rest, graphql } = kinds(admin);
  const all = { ...rest, ...graphql, ready: () => client.get('/readyz') };
  const refusals = new Map<string, Answer>();
  const others: { name: string; status: number; body: unknown }[] = [];
  let over = false;

  async function hammer(name: string, send: () => Promise<Answer>): Promise<void> {
    while (!over) {
      // A download that the outage interrupts does not count as an answer.
      const answer = name === 'export' ? await send().catch(() => undefined) : await send();
      if (answer?.status === 503) refusals.set(name, answer);
      else if (answer && answer.status !== 200 && answer.status !== 201)
        others.push({ name, status: answer.status, body: answer.body });
    }
  }
  const hammers = Object.entries(all).flatMap(([name, send]) => [hammer(name, send), hammer(name, send)]);
  try {
    await eventually(async () => {
      await killDatabase(dataDir);
      await sleep(50);
      if (others.length === 0) expect([...refusals.keys()].toSorted()).toEqual(Object.keys(all).toSorted());
    });
  } finally {
    over = true;
  }
  await Promise.all(hammers);

  expect(others).toEqual([]);
  for (const [name, answer] of refusals) {
    if (name === 'ready') continue;
    expect({ name, code: codeOf(answer) }).toEqual({ name, code: 'UNAVAILABLE' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const form = name in rest ? /^application\/problem\+json/ : /^application\/(graphql-response\+)?json/;
    expect(answer.headers.get('content-type')).toMatch(form);
  }
  expect(refusals.get('ready')!.body).toEqual({
    status: 'not ready',
    database: 'away',
    storage: 'ok',
  });

  await eventually(async () => expect((await client.get('/readyz')).status).toBe(200));
  const answers = await Promise.all(Object.values({ ...rest, ...graphql }).map(send => send()));
  expect(answers.map(answer => answer.status)).toEqual([200, 201, 200, 200, 200, 200]);
  const end = await run.stop();
  expect(run.stderr.split('\n').filter(line => line.includes('"level":60'))).toEqual([]);
  expect(end).toEqual({ code: 0, signal: null });
});
