import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildReleased, hasReleased } from '../scripts/released/build.ts';
import { operations } from './spec/specification.ts';
import { Client, systemHeaders } from './support/client.ts';
import { foldedColumns } from './support/folded.ts';
import { temporaryFolder } from './support/folder.ts';
import { Load } from './support/load.ts';
import { needs } from './support/needs.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { restoreReleased } from './support/released.ts';
import { sql } from './support/sql.ts';

const movements = '/almoxarifadoquimicos/movimentacoes-estoque';

/** Every list of the specification, with the parameters that it must have. */
const lists = operations
  .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  .map(({ path, query }) => {
    const keys = query.filter(({ required }) => required).map(({ name }) => `${name}=1`);
    return keys.length > 0 ? `${path}?${keys.join('&')}` : path;
  });

const there = needs('The commit of version 1.0.0, in the history of git,', await hasReleased('1.0.0'));

describe.skipIf(!there)('a database of version 1.0.0 that is upgraded while that version serves', () => {
  const processes = useProcesses(afterAll);
  let folder: string;
  let database: Awaited<ReturnType<typeof restoreReleased>>;
  let before: Run;
  let today: Run;
  const loads: Load[] = [];
  let answeredMeanwhile: { reads: number; movements: number };

  const as = (url: string, user: string): Client =>
    new Client(url, { ...systemHeaders, token: database.known.tokens[user]! });

  async function startLoad(service: Run, locations: [number, number]): Promise<Load> {
    const load = new Load(as(await service.ready(), 'admin'), lists, locations);
    loads.push(load);
    // By then every list was read, so its statement is prepared.
    await load.more(lists.length);
    return load;
  }

  beforeAll(async () => {
    await build();
    folder = await temporaryFolder();
    const [programs, restored] = await Promise.all([
      buildReleased('1.0.0', join(folder, '1.0.0')),
      restoreReleased('1.0.0'),
    ]);
    database = restored;
    const environment = { DATABASE_URL: database.url, DATA_DIR: inject('dataDir') };
    before = processes.program(join(programs, 'main.js'), environment);
    const load = await startLoad(before, [1, 2]);
    const answered = () => ({ reads: load.reads, movements: load.acknowledged.length });
    const atStart = answered();
    today = processes.service(environment);
    await today.ready();
    const atEnd = answered();
    answeredMeanwhile = {
      reads: atEnd.reads - atStart.reads,
      movements: atEnd.movements - atStart.movements,
    };
    await startLoad(today, [3, 4]);
    await load.more(lists.length);
  });
  afterAll(async () => {
    await Promise.allSettled(loads.map(load => load.stop()));
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** It also shows what the services logged, because answers do not name the cause. */
  const expectNoRefusal = (): void => {
    const refused = loads.flatMap(load => load.refused);
    const ids = refused.map(text => /urn:uuid:([\da-f-]+)/.exec(text)?.[1] ?? '?');
    const lines = `${before.stderr}${today.stderr}`.split('\n');
    expect([...refused, ...lines.filter(line => ids.some(id => line.includes(id)))]).toEqual([]);
  };

  it('can be read and written all the time: before, meanwhile, and by both versions afterwards', () => {
    expectNoRefusal();
    expect(answeredMeanwhile.reads).toBeGreaterThan(0);
    expect(answeredMeanwhile.movements).toBeGreaterThan(0);
  });

  it('answers every list of the specification', async () => {
    const admin = as(await today.ready(), 'admin');
    const answers = await Promise.all(lists.map(async path => [path, (await admin.get(path)).status]));
    expect(answers).toEqual(lists.map(path => [path, 200]));
  });

  it('keeps its sessions', async () => {
    for (const [user, token] of Object.entries(database.known.tokens)) {
      const { status, body } = await as(await today.ready(), user).get(
        `/permissoes/parametros-acesso-api/${token}`,
      );
      expect([status, body.pessoa?.email ?? body]).toEqual([200, `${user}@universidade.example`]);
    }
  });

  it('answers a movement that is sent again with its key like the version before', async () => {
    const { key, body, answer } = database.known.sentAgain;
    const client = as(await today.ready(), 'almoxarife').with({ 'idempotency-key': key });
    expect(await client.post(movements, body)).toMatchObject({ status: 201, body: answer });
  });

  it('has the searched text of all rows folded, whichever version wrote them', async () => {
    const columns = await foldedColumns(statement => sql(database.url, statement));
    expect(columns.length).toBeGreaterThan(0);
    expect(columns.filter(({ wrong }) => wrong > 0)).toEqual([]);
  });

  it('can get more columns while both versions serve', async () => {
    const found = await sql(
      database.url,
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    const tables = found.flat() as string[];
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // It gives up soon, because everything behind it waits, too.
    await client.query('set lock_timeout = 500');
    const add = (table: string) => () =>
      client.query(`alter table ${table} add column if not exists de_amanha integer`);
    for (const table of tables) await eventually(add(table));
    await client.end();
    await Promise.all(loads.map(load => load.more(lists.length)));
    expectNoRefusal();
  });

  it('has every acknowledged movement, and a ledger that adds up', async () => {
    await Promise.all(loads.map(load => load.stop()));
    const told = loads.flatMap(load => load.acknowledged);
    const [[kept]] = (await sql(
      database.url,
      `select count(*)::int from movimentacao where id_status_movimentacao = 2 and id in (${told.join()})`,
    )) as [[number]];
    expect(kept).toBe(told.length);
    const verify = processes.command('ledger-verify', { DATABASE_URL: database.url });
    expect([(await verify.exited).code, verify.stderr]).toEqual([0, '']);
  });

  it('chains the audit trail of the version before, and what both versions write', async () => {
    const counts = `select (select count(*)::int from auditoria_antes), sum(cardinality(ids))::int
      from elo_auditoria where cadeia in ('antes', 'antes-recusas')`;
    await eventually(async () => {
      const [[before, chained]] = (await sql(database.url, counts)) as [[number, number]];
      expect(before).toBeGreaterThan(0);
      expect(chained).toBe(before);
    });
    const verify = processes.command('audit-verify', { DATABASE_URL: database.url });
    expect([(await verify.exited).code, verify.stderr]).toEqual([0, '']);
  });

  it('causes no error in the version before', async () => {
    expect(await before.stop()).toEqual({ code: 0, signal: null });
    expect(before.stderr).not.toMatch(/"level":"?(error|fatal|50|60)/);
  });
});
