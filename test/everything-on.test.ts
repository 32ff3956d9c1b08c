import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { extractImages } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedDemo } from '../src/demo/demo.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { nameOf, operations } from './spec/specification.ts';
import { Client, systemHeaders } from './support/client.ts';
import { addDemoEntries, mailOf } from './support/directories.ts';
import { graphqlFace, restFace, type Call, type Face } from './support/faces.ts';
import { item, rss, useFeed } from './support/feed.ts';
import { hasPostgres, InstalledPostgres } from './support/installed-postgres.ts';
import { hasSlapd, LdapServer, USERS_DN } from './support/ldap-server.ts';
import { scrape } from './support/metrics.ts';
import { ownedDatabase, type OwnedDatabase } from './support/owned-database.ts';
import { expectProblem } from './support/problem.ts';
import { useReceiver, verified } from './support/receiver.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { startService } from './support/service.ts';
import { sql } from './support/sql.ts';
import { startBucket } from './support/storages.ts';
import { nextChanges, transports } from './support/subscriptions.ts';
import { walk } from './support/walk.ts';

/** 24 by 12 pixels. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAMCAMAAABP7o1HAAAAJFBMVEUAAIAXF4suLpdFRaJcXK5zc7mLi8WiotC5udzQ0Ofn5/P///9Oe/v0AAAAKUlEQVQY03XBgQEAEAzAsJoZ5v9/XdAEzBCEYApSsAQl2IIjuIIWPPEBUkIGMZCga8gAAAAASUVORK5CYII=';
const CALLER = '203.0.113.7';
/** A person of the demo whose password is stored only in the directory. */
const COLLEAGUE = 'aline.figueira';
const PASSWORD = 'kept in the directory';

const feed = useFeed();
const receiver = useReceiver();
const { service, command, dataFolder } = useProcesses(afterAll);
const cleanUp: (() => Promise<unknown>)[] = [];

/** A server that stops with the test. */
async function stopping(starting: Promise<InstalledPostgres>): Promise<InstalledPostgres> {
  const server = await starting;
  cleanUp.push(() => server.stop());
  return server;
}

/** A database on which a role that owns nothing may run the service. */
async function migratedDatabase(server: InstalledPostgres): Promise<OwnedDatabase> {
  const database = await ownedDatabase(server);
  const migrating = command('migrate', { DATABASE_URL: database.asOwner }, [database.app]);
  expect(await migrating.exited, migrating.stderr).toMatchObject({ code: 0 });
  return database;
}

/**
 * A proxy in front of a service. It forwards the client's address, and opens a new connection each time. Returns its
 * URL.
 */
async function proxyBefore(target: string): Promise<string> {
  const server: Server = createServer((req, res) => {
    const headers = { ...req.headers, 'x-forwarded-for': CALLER, 'x-forwarded-proto': 'https' };
    const asked = request(target + req.url, { method: req.method!, headers, agent: false }, answer => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    asked.on('error', () => res.destroy());
    req.pipe(asked);
  });
  // The client closes idle connections. If the server did, a request could be on its way meanwhile.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(!hasSlapd() || !hasPostgres())('a service with everything switched on', () => {
  let database: OwnedDatabase;
  let run: Run;
  let anyone: Client;

  beforeAll(async () => {
    await build();
    feed.answer = (_req, res) => res.end(rss(item(1, 'Notícia do dia')));
    const primary = await stopping(InstalledPostgres.start(await dataFolder()));
    const [folder, directory, bucket] = await Promise.all([
      dataFolder(),
      LdapServer.start(),
      startBucket(),
      migratedDatabase(primary).then(made => (database = made)),
    ]);
    const standby = await stopping(primary.standby(await dataFolder()));
    const standbyUrl = Object.assign(new URL(database.asApp), { port: standby.port }).href;
    cleanUp.push(
      () => directory.end(),
      () => bucket.stop(),
    );
    const INSTITUTION_LOGO = join(folder, 'logo.png');
    await writeFile(INSTITUTION_LOGO, LOGO, 'base64');
    const environment = { ...bucket.environment, ...directory.environment };
    const beside = await startService(environment, { databaseUrl: database.asApp });
    await seedDemo(beside.services);
    await addDemoEntries(directory, text => beside.sql(text));
    await directory.asRoot(client => client.del(`uid=${COLLEAGUE},${USERS_DN}`));
    await directory.add(USERS_DN, COLLEAGUE, { mail: mailOf(COLLEAGUE), userPassword: PASSWORD });
    await beside.stop();
    run = service({
      ...environment,
      DATABASE_URL: database.asApp,
      DATABASE_READ_URLS: standbyUrl,
      LDAP_STARTTLS: 'true',
      LDAP_CA_FILE: directory.certificate,
      NEWS_FEED_URL: feed.url,
      WORKERS: '2',
      METRICS_PORT: '0',
      TRUSTED_PROXIES: 'loopback',
      CORS_ORIGINS: 'https://app.university.example',
      INSTITUTION_NAME: 'Universidade do Açaí',
      INSTITUTION_LOGO,
      WEBHOOK_KEY: 'a key that the operator keeps beside the database',
      WEBHOOK_ALLOW: '127.0.0.0/8',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.at('/telemetry'),
    });
    anyone = new Client(await proxyBefore(await run.ready())).with(systemHeaders);
    // From here on the refresher's lock is held.
    const stored = `select from noticia where titulo = 'Notícia do dia'`;
    await eventually(async () => {
      if ((await sql(database.url, stored)).length === 0) throw new Error('no news yet');
    });
  });
  afterAll(async () => {
    await run?.stop();
    for (const one of cleanUp.splice(0).toReversed()) await one();
  });

  it('is ready, part by part', async () => {
    const { body } = await anyone.get('/readyz');
    expect(body).toEqual({ status: 'ready', database: 'ok', directory: 'ok', storage: 'ok' });
  });

  it.each([
    ['REST, in Portuguese', 'rest', 'pt-BR', 4],
    ['GraphQL, in English', 'graphql', 'en', 5],
  ])('answers every operation by %s', async (_name, kind, language, idPessoa) => {
    const schema = await createSchema();
    const called = new Set<string>();
    const counted = (face: Face): Face => ({
      call(operation, call?: Call) {
        called.add(operation);
        return face.call(operation, call);
      },
    });
    const log = async (usuario: string): Promise<Client> =>
      anyone.with({ 'accept-language': language }).login(usuario);
    const [admin, keeper] = [await log('admin'), await log('almoxarife')];
    const faceOf = (client: Client): Face =>
      counted(kind === 'rest' ? restFace(client) : graphqlFace(client, schema));
    const token = admin.headers['token']!;
    await walk({ admin: faceOf(admin), keeper: faceOf(keeper), idPessoa, token }, `${kind} ${database.app}`);
    expect([...called].toSorted()).toEqual(operations.map(nameOf).toSorted());
    const problem = await admin.get('/almoxarifadoquimicos/materiais/999999');
    expectProblem(problem, 404, 'NOT_FOUND');
    expect(problem.body.title).toMatch(kind === 'rest' ? /[Nn]ão/ : /[Nn]ot/);
  });

  it('logs people in through the directory if the database has no password of theirs', async () => {
    const known = await sql(
      database.url,
      `select from credencial c join pessoa p on p.id = c.id_pessoa where p.usuario = '${COLLEAGUE}'`,
    );
    expect(known).toEqual([]);
    const colleague = await anyone.login(COLLEAGUE, PASSWORD);
    expect((await colleague.get('/institucional/noticias')).status).toBe(200);
  });

  it('knows the address of the caller, counts requests, and prints the logo', async () => {
    const admin = await anyone.login('admin');
    const { body } = await admin.get('/permissoes/autenticacoes?orderByCriadoEm=desc');
    expect(new Set(body.data.map((one: { endereco: string }) => one.endereco))).toEqual(new Set([CALLER]));
    const { samples } = await scrape(run);
    const workers = samples
      .filter(({ name }) => name === 'sii_requests_total')
      .map(({ labels }) => labels['worker']);
    expect(new Set(workers)).toEqual(new Set(['1', '2']));
    for (const path of [
      '/academico/planos-ensino/gerar-pdf/7',
      '/relatorios/almoxarifado-quimicos/materiais-estocados?pdf=true',
    ]) {
      const response = await fetch(anyone.url + path, { headers: admin.headers });
      expect(response.status).toBe(200);
      const [image] = await extractImages(new Uint8Array(await response.arrayBuffer()), 1);
      expect([image!.width, image!.height]).toEqual([24, 12]);
    }
    for (const path of [
      '/almoxarifadoquimicos/lotes?export=true',
      '/relatorios/almoxarifado-quimicos/saida-materiais?planilha=true',
    ])
      expect((await admin.get(path)).status).toBe(200);
  });

  it('reads from the primary and from the standby, in each worker', async () => {
    // Which worker accepts a connection is chance.
    await eventually(async () => {
      await Promise.all(
        Array.from({ length: 4 }, async () =>
          (await anyone.login('almoxarife')).get('/almoxarifadoquimicos/materiais'),
        ),
      );
      const { samples } = await scrape(run);
      const reads = samples.filter(({ name }) => name === 'sii_reads_total');
      for (const worker of ['1', '2'])
        for (const server of ['primary', 'standby'])
          expect(
            reads.find(({ labels }) => labels['worker'] === worker && labels['server'] === server)!.value,
          ).toBeGreaterThan(0);
    });
  });

  it('answers questions of the graph, and signed addresses, in each worker', async () => {
    const keeper = await anyone.login('almoxarife');
    const query = `{ materiais(filter: { lotes: { some: { estoques: { some: { quantidade: { gt: 0 } } } } } },
      orderBy: [{ unidadeMedida: { sigla: asc } }], itemsPerPage: 3) { total nextCursor
        data { id titulo lotes(orderBy: [{ dataVenc: desc }], itemsPerPage: 2) { total nextCursor
          data { id fabricante { nome } estoques { summary { count sum { quantidade } } } } } } }
      movimentacoesEstoque { summary { count sum { quantidade } }
        groups(by: [{ tipoMovimentacao: { descricao: true } }, { data: YEAR }]) {
          key { tipoMovimentacao { descricao } data } count sum { quantidade } } }
      download(caminho: "/almoxarifadoquimicos/lotes?export=true") { url } }`;
    const [[materials, count, sum]] = (await sql(
      database.url,
      `select (select count(distinct id_material)::int from lote l join estoque e on e.id_lote = l.id and e.quantidade > 0),
         count(*)::int, sum(quantidade)::float8 from movimentacao`,
    )) as [[number, number, number]];
    // As many requests at a time as both workers answer.
    const answers = await Promise.all(Array.from({ length: 8 }, () => keeper.graphql(query)));
    for (const { data, errors } of answers) {
      expect(errors).toBeUndefined();
      const { materiais, movimentacoesEstoque, download } = data;
      const { summary, groups } = movimentacoesEstoque;
      expect(materiais.total).toBe(materials);
      expect(summary).toEqual({ count, sum: { quantidade: sum } });
      const counts = groups.map((group: { count: number }) => group.count);
      expect(counts.reduce((all: number, one: number) => all + one, 0)).toBe(count);
      expect(materiais.data).toEqual(answers[0]!.data.materiais.data);
      const next = await keeper.graphql(
        `{ materiais(filter: { lotes: { some: { estoques: { some: { quantidade: { gt: 0 } } } } } },
          orderBy: [{ unidadeMedida: { sigla: asc } }], itemsPerPage: 3, after: "${materiais.nextCursor}") { data { id } } }`,
      );
      expect(next.errors).toBeUndefined();
      const [shown, further] = [materiais.data, next.data.materiais.data].map(page =>
        page.map(({ id }: { id: number }) => id),
      );
      expect(further.filter((id: number) => shown.includes(id))).toEqual([]);
      expect((await fetch(anyone.url + (download.url as string))).status).toBe(200);
    }
  });

  it('delivers a change by server-sent events, by a webhook and in the feed, whichever worker wrote it', async () => {
    const admin = await anyone.login('admin');
    const { body: webhook } = await admin.post('/institucional/webhooks', {
      url: receiver.at('/events'),
      eventos: ['tipo_empresa.alterado'],
    });
    // Any worker may accept each of them.
    const followed = Array.from({ length: 4 }, () =>
      transports['server-sent events']!(admin, { tabelas: ['tipo_empresa'] }),
    );
    const received = followed.map(one => nextChanges(one, 6));
    const written: string[] = [];
    await eventually(async () => {
      const open = (await scrape(run)).samples.filter(({ name }) => name === 'sii_subscriptions_open');
      expect(open.reduce((all, { value }) => all + value, 0)).toBe(4);
    });
    for (let i = 0; i < 6; i++) {
      const descricao = `Tipo ${i}`;
      const { status } = await admin.put('/almoxarifadoquimicos/tipos-empresas/1', {
        descricao,
        obriga_cnpj: 'N',
      });
      expect(status).toBe(200);
      written.push(descricao);
    }
    const valuesOf = (alteracoes: { campo: string; depois: string | null }[]) =>
      alteracoes.find(({ campo }) => campo === 'descricao')!.depois;
    for (const changes of await Promise.all(received))
      expect(changes.map(({ alteracoes }) => valuesOf(alteracoes))).toEqual(written);
    await eventually(async () => {
      const messages = receiver.got('/events').map(message => verified(webhook.segredo, message));
      expect(messages.map(({ data }) => valuesOf(data.alteracoes))).toEqual(written);
    });
    const { body } = await admin.get('/mudancas?tabelas=tipo_empresa&first=1000');
    const last = body.data.slice(-6) as { alteracoes: { campo: string; depois: string | null }[] }[];
    expect(last.map(({ alteracoes }) => valuesOf(alteracoes))).toEqual(written);
    expect(receiver.got('/telemetry/v1/traces').length).toBeGreaterThan(0);
  });

  it('ends in order, and logged no error of its own', async () => {
    expect(await run.stop()).toEqual({ code: 0, signal: null });
    // A busy machine may block an event loop for a second, which the watchdog logs.
    const errors = run.stderr
      .split('\n')
      .filter(line => /"level":(50|60)/.test(line) && !line.includes('the event loop is blocked'));
    expect(errors).toEqual([]);
    // Node.js prints what a library uses that it will remove, once in a process.
    expect(run.stderr).not.toContain('DeprecationWarning');
  });
});
