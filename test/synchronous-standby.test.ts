import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ignored } from '../src/runtime/background.ts';
import { systemHeaders, type Answer, type Client } from './support/client.ts';
import { hasPostgres, InstalledPostgres } from './support/installed-postgres.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { expectProblem } from './support/problem.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { sql } from './support/sql.ts';

const icons = '/almoxarifadoquimicos/icones-risco';
const POOL = 4;
/** More writes than the server has connections. */
const MAX_CONNECTIONS = 16;
const WRITES = 2 * MAX_CONNECTIONS;

describe.runIf(hasPostgres())('while the only synchronous standby is away', () => {
  const processes = useProcesses(afterAll);
  const servers: InstalledPostgres[] = [];
  let primary: InstalledPostgres;
  let standby: InstalledPostgres;
  let start: () => Run;
  let run: Run;
  let writer: Client;
  let reader: Client;

  beforeAll(async () => {
    await build();
    const settings = [`max_connections = ${MAX_CONNECTIONS}`];
    servers.push((primary = await InstalledPostgres.start(await processes.dataFolder(), settings)));
    await primary.create('sii');
    const url = primary.url('sii');
    const DATA_DIR = await processes.dataFolder();
    await processes.command('seed-demo', { DATABASE_URL: url, DATA_DIR }).exited;
    // Like most services, it sees only what its own role does on the server.
    await sql(url, 'create role sii_app login in role pg_read_all_data, pg_write_all_data');
    servers.push((standby = await primary.standby(await processes.dataFolder())));
    await sql(url, `alter system set synchronous_standby_names = '*'`);
    await sql(url, 'select pg_reload_conf()');
    start = () =>
      processes.service({
        DATABASE_URL: url.replace('postgres@', 'sii_app@'),
        DATA_DIR,
        DATABASE_POOL: String(POOL),
        EXPORT_POOL: '1',
        STATEMENT_TIMEOUT_MS: '1000',
        METRICS_PORT: '0',
      });
    run = start();
    const anyone = await run.client();
    [writer, reader] = [await anyone.login('admin'), await anyone.login('tecnico')];
  });
  afterAll(async () => {
    await Promise.all(servers.map(server => server.stop().catch(ignored)));
  });

  const waiting = async (): Promise<number> => {
    const [[count]] = (await sql(
      primary.url('sii'),
      `select count(*)::int from pg_stat_activity where wait_event = 'SyncRep'`,
    )) as [[number]];
    return count;
  };

  it('reads go on, writes are refused, and few connections wait; when it is back, writes go on', async () => {
    expect((await writer.post(icons, { nome: 'Com o standby' })).status).toBe(201);
    await standby.stop();
    const names = Array.from({ length: WRITES }, (_, i) => `Sem o standby ${i}`);
    const send = (nome: string) =>
      writer.with({ 'idempotency-key': nome.replaceAll(' ', '-') }).post(icons, { nome });
    const answers = new Map<string, Answer>();
    const left = names.values();
    const write = async (): Promise<void> => {
      for (const nome of left) {
        answers.set(nome, await send(nome));
        expect((await reader.get(`${icons}/1`)).status).toBe(200);
        expect(await waiting()).toBeLessThanOrEqual(2 * POOL);
      }
    };
    await Promise.all([write(), write()]);
    for (const answer of answers.values()) expectProblem(answer, 503, 'UNAVAILABLE');

    const credentials = { username: 'admin', password: 'demo-admin-2026' };
    const login = () => writer.with(systemHeaders).post('/auth/login', credentials);
    for (const answer of [answers.get(names.at(-1)!)!, await login(), await writer.delete(`${icons}/1`)]) {
      expectProblem(answer, 503, 'UNAVAILABLE');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.body.detail).toContain('não aceita alterações');
    }
    // Their commits still wait on the server.
    const unconfirmed = names.filter(nome => answers.get(nome)!.body.detail.includes('não confirmou'));
    for (const nome of unconfirmed) expectProblem(await send(nome), 409, 'CONFLICT');
    const { errors } = await writer.graphql('mutation { criarIconeRisco(input: { nome: "x" }) { id } }');
    expect(errors![0]!.extensions).toMatchObject({ code: 'UNAVAILABLE', retryAfter: expect.any(Number) });
    expect((await reader.graphql('{ iconeRisco(id: 1) { nome } }')).errors).toBeUndefined();
    expect((await reader.get('/mudancas?first=1')).status).toBe(200);
    expect(await reader.get('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ready', database: 'awaiting-standby' },
    });
    const figure = async (name: string) => valueOf((await scrape(run)).samples, name);
    expect(await figure('sii_database_awaiting_standby')).toBe(1);
    expect(await figure('sii_database_writable')).toBe(1);
    await run.logged('commits wait for a synchronous standby');

    await standby.begin();
    await eventually(async () => expect((await writer.post(icons, { nome: 'De volta' })).status).toBe(201));
    await eventually(async () => expect((await login()).status).toBe(200));
    expect((await reader.get('/readyz')).body.database).toBe('ok');
    expect(await figure('sii_database_awaiting_standby')).toBe(0);
    await run.logged('the database accepts writes again');
    // What nobody had confirmed took effect, and is not done again.
    for (const nome of names) await eventually(async () => expect((await send(nome)).status).toBe(201));
    const stored = await sql(
      primary.url('sii'),
      `select nome from icone_risco where nome like 'Sem o standby%'`,
    );
    expect(stored).toHaveLength(WRITES);
  });

  it('a process starts, serves reads and knows that writes would wait', async () => {
    await standby.stop();
    const servesReads = async (started: Run): Promise<Client> => {
      const client = (await started.client()).with(reader.headers);
      expect((await client.get(`${icons}/1`)).status).toBe(200);
      return client;
    };
    const isKnown = async (client: Client) =>
      expect(await client.get('/readyz')).toMatchObject({
        status: 200,
        body: { status: 'ready', database: 'awaiting-standby' },
      });
    // No commit waits yet.
    const first = await servesReads(start());
    expectProblem(await writer.post(icons, { nome: 'Sem o standby no início' }), 503, 'UNAVAILABLE');
    await eventually(() => isKnown(first));
    const next = start();
    await isKnown(await servesReads(next));
    await next.logged('commits wait for a synchronous standby');

    await standby.begin();
    await eventually(async () =>
      expect((await first.with(writer.headers).post(icons, { nome: 'De novo' })).status).toBe(201),
    );
  });
});
