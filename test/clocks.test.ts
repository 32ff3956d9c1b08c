import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemHeaders, type Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { restFace } from './support/faces.ts';
import { item, rss, useFeed } from './support/feed.ts';
import { pagesOf } from './support/pdf.ts';
import { build, eventually, project, useProcesses } from './support/process.ts';
import { walk } from './support/walk.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const clock = pathToFileURL(join(project, 'test/support/shifted-clock.mjs')).href;

const feed = useFeed();
const { service, command, dataFolder } = useProcesses(afterAll);
beforeAll(build);

it('code takes moments from the database, and uses the clock of the process only to measure', async () => {
  const found: string[] = [];
  for (const file of await readdir(join(project, 'src'), { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (!file.isFile() || !path.endsWith('.ts')) continue;
    if (/\bDate\.now\(\)|new Date\(\)/.test(await readFile(path, 'utf8'))) found.push(path);
  }
  // The header `Date` of an answer that Node does not write, which in all others has that clock, too.
  expect(found.map(path => path.slice(project.length + 1))).toEqual(['src/http/raw-refusal.ts']);
});

describe.each([
  ['a day ahead', DAY],
  ['a day behind', -DAY],
])('a process whose clock is %s', (_name, shift) => {
  const shifted = { NODE_OPTIONS: `--import=${clock}`, CLOCK_SHIFT_MS: String(shift) };
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let db: pg.Client;
  let environment: NodeJS.ProcessEnv;
  let admin: Client;
  /** Moments of each column that come from the wrong clock of the process. */
  let before: Record<string, number>;

  const rows = async (text: string): Promise<unknown[][]> =>
    (await db.query<unknown[]>({ text, rowMode: 'array' })).rows;

  async function wrongMoments(): Promise<Record<string, number>> {
    const columns = await rows(`select table_name, column_name from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone'`);
    const counts: Record<string, number> = {};
    for (const [table, column] of columns as [string, string][]) {
      const found = await rows(`select count(*)::int from "${table}"
        where "${column}" - now() between ${shift - HOUR} * interval '1 ms' and ${shift + HOUR} * interval '1 ms'`);
      counts[`${table}.${column}`] = found[0]![0] as number;
    }
    return counts;
  }

  beforeAll(async () => {
    database = await cloneDatabase();
    db = new pg.Client({ connectionString: database.url });
    await db.connect();
    before = await wrongMoments();
    const date = new Date().toUTCString();
    const today = `<item><title>Hoje</title><link>https://www.example.edu/hoje</link><pubDate>${date}</pubDate></item>`;
    feed.answer = (_req, res) => res.end(rss(item(1) + today));
    environment = {
      ...shifted,
      DATABASE_URL: database.url,
      DATA_DIR: await dataFolder(),
      NEWS_FEED_URL: feed.url,
    };
    const run = service(environment);
    admin = (await (await run.client()).login('admin')).with(systemHeaders);
    const keeper = (await (await run.client()).login('almoxarife')).with(systemHeaders);
    const token = admin.headers['token']!;
    await walk({ admin: restFace(admin), keeper: restFace(keeper), idPessoa: 4, token }, 'relógio');
  });
  afterAll(async () => {
    await db.end();
    await database.drop();
  });

  it('writes no moment of its own in any operation', async () => {
    expect(await wrongMoments()).toEqual(before);
    const written = await rows(
      `select count(*)::int from auditoria where momento > now() - interval '1 hour'`,
    );
    expect(written[0]![0]).toBeGreaterThan(50);
  });

  it('stores the moment that the feed gives for an item', async () => {
    const today = `select abs(extract(epoch from publicada_em - now())) < 3600 from noticia where titulo = 'Hoje'`;
    await eventually(async () => expect(await rows(today)).toEqual([[true]]));
  });

  it('ends logins, codes and keys at the right time', async () => {
    const lasting = (table: string) =>
      rows(`select distinct round(extract(epoch from expira_em - criado_em) / 3600)::int from ${table}
        where criado_em > now() - interval '1 hour'`);
    expect(await lasting('sessao')).toEqual([[8]]);
    const account = '/institucional/usuarios-ldap/dep.quimica@universidade.example';
    expect((await admin.put(`${account}?gerarCodigoCvr=true`)).status).toBe(200);
    expect(await lasting('codigo_cvr')).toEqual([[72]]);
    const [[idSistema]] = (await rows(
      `insert into sistema (nome, sigla, descricao, tipo) values ('n', 'CLK', 'd', 'W') returning id`,
    )) as [[number]];
    const issue = async (hours: number) => {
      const expiraEm = new Date(Date.now() + hours * HOUR).toISOString();
      const query = `mutation { emitirChaveApi(idSistema: ${idSistema}, expiraEm: "${expiraEm}") { chave } }`;
      return (await admin.graphql(query)).errors?.[0]?.extensions.code;
    };
    expect([await issue(1), await issue(-1)]).toEqual([undefined, 'VALIDATION_FAILED']);
  });

  it('dates files and documents by the day of the institution', async () => {
    // At midnight it may need a second try.
    await eventually(async () => {
      const [[day]] = (await rows(`select (now() at time zone 'America/Sao_Paulo')::date::text`)) as [
        [string],
      ];
      for (const path of ['materiais?export=true', 'lotes?export=true&formatoPlanilha=xlsx']) {
        const { headers } = await admin.get(`/almoxarifadoquimicos/${path}`);
        expect(headers.get('content-disposition')).toContain(day);
      }
      for (const path of [
        '/relatorios/almoxarifado-quimicos/materiais-estocados?pdf=true',
        '/academico/planos-ensino/gerar-pdf/7',
      ]) {
        const response = await fetch(admin.url + path, { headers: admin.headers });
        const [page] = await pagesOf(new Uint8Array(await response.arrayBuffer()));
        expect(page).toContain(`mitido em ${day.split('-').toReversed().join('/')}`);
      }
    });
  });

  it('does not sweep a file that is being uploaded', async () => {
    const arriving = join(environment['DATA_DIR']!, 'files/incoming/arriving');
    await writeFile(arriving, 'half of it');
    const run = command('files-sweep', environment);
    await run.exited;
    expect(await readFile(arriving, 'utf8')).toBe('half of it');
  });
});
