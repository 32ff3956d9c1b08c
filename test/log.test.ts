import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Client, systemHeaders, type Answer } from './support/client.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import { atOnce } from './support/pair.ts';
import { personOf } from './support/permissions.ts';
import { eventually } from './support/process.ts';
import { startService, type TestService } from './support/service.ts';

type Line = Record<string, unknown>;

let service: TestService;
/** What was logged, as it was written. */
const written: string[] = [];

beforeAll(async () => {
  service = await startService(
    {},
    undefined,
    pino({ level: 'info' }, { write: text => void written.push(text) }),
  );
});
afterAll(() => service.stop());
beforeEach(() => void written.splice(0));

/** The line of a request, which is logged when its answer is closed. */
const lineOf = ({ headers }: Answer): Promise<Line> =>
  eventually(() => {
    const lines = written.map(text => JSON.parse(text) as Line);
    const found = lines.filter(
      line => line['requestId'] === headers.get('x-request-id') && line['msg'] === 'request',
    );
    expect(found).toHaveLength(1);
    return found[0]!;
  });

const graphql = (query: string) => async () => (await service.as('tecnico')).post('/graphql', { query });

/** All connections of a pool. */
const take = (pool: Pool) => Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));

/** Statements that wait for a lock. */
const WAITING = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

const longerThan = (least: number): unknown =>
  expect.toSatisfy((ms: number) => ms > least, `more than ${least} ms`);

describe('the line of a request', () => {
  it.each<[string, () => Promise<Answer>, Line]>([
    [
      'a REST path',
      async () => (await service.as('tecnico')).get('/almoxarifadoquimicos/materiais?titulo=acido'),
      { method: 'GET', operation: 'GET /almoxarifadoquimicos/materiais', status: 200 },
    ],
    [
      'a path that there is not',
      async () => service.anyone.get('/almoxarifadoquimicos/nada/materiais/12/?token=abc'),
      { method: 'GET', path: '/almoxarifadoquimicos/{}/materiais/{}/', status: 404 },
    ],
    ['a query', graphql('{ materiais { total } }'), { operation: 'materiais', status: 200 }],
    [
      'several queries, named by the schema and not by the client',
      graphql(
        'query Other { a: materiais { total } b: lotes { total } materiais { total } ...F } fragment F on Query { locais { total } }',
      ),
      { operation: 'materiais, lotes, locais', status: 200 },
    ],
    [
      'a mutation that is refused',
      graphql('mutation { excluirSistema(id: 1) { id } }'),
      { operation: 'excluirSistema' },
    ],
  ])('tells of %s what, who, how it ended and how long it took', async (_what, ask, expected) => {
    const line = await lineOf(await ask());
    const isKnown = expected['status'] !== 404;
    expect(line).toMatchObject({
      level: 30,
      time: expect.any(Number),
      finished: true,
      ms: expect.any(Number),
      ...expected,
      ...(isKnown && { idPessoa: await personOf(service, 'tecnico') }),
    });
    const names = ['dbMs', 'finished', 'level', 'method', 'ms', 'msg', 'requestId', 'status', 'time'];
    const known = new Set(['hostname', 'pid', 'idPessoa', 'operation', 'path']);
    expect(
      Object.keys(line)
        .filter(name => !known.has(name))
        .toSorted(),
    ).toEqual(names);
  });

  it('shows who logged in', async () => {
    const body = { username: 'docente', password: 'demo-docente-2026' };
    const answer = await service.anyone.with(systemHeaders).post('/auth/login', body);
    expect(await lineOf(answer)).toMatchObject({ idPessoa: await personOf(service, 'docente') });
  });

  it.each([
    ['a read', 'unidade_medida', (admin: Client) => admin.get('/almoxarifadoquimicos/unidades-medida')],
    [
      'a write',
      'tipo_empresa',
      (admin: Client) =>
        admin.post('/almoxarifadoquimicos/tipos-empresas', { descricao: 'Lenta', obriga_cnpj: 'N' }),
    ],
    ['an export', 'material', (admin: Client) => admin.get('/almoxarifadoquimicos/materiais?export=true')],
  ])('shows how long %s waited for the database', async (_what, table, ask) => {
    const admin = await service.as('admin');
    const lock = service.services.orm.em.fork();
    await lock.begin();
    await lock.execute(`lock table ${table} in access exclusive mode`);
    const answering = ask(admin);
    try {
      await eventually(async () => expect(await service.sql(WAITING)).toHaveLength(1));
      await sleep(300);
    } finally {
      await lock.rollback();
    }
    const answer = await answering;
    expect(answer.status).toBeLessThan(300);
    const { ms, dbMs } = (await lineOf(answer)) as { ms: number; dbMs: number };
    expect(dbMs).toBeGreaterThan(290);
    expect(dbMs).toBeLessThanOrEqual(ms + 1);
  });

  it('counts each trip of a write once, although several statements may share it', async () => {
    const { proxy, url } = await FaultProxy.before(service.databaseUrl);
    const sink = pino({ level: 'info' }, { write: text => void written.push(text) });
    const far = await startService({}, { databaseUrl: url }, sink);
    onTestFinished(async () => {
      await far.stop();
      await proxy.stop();
    });
    const admin = new Client(far.url, (await service.as('admin')).headers);
    await admin.get('/almoxarifadoquimicos/tipos-empresas');
    const trip = 100;
    proxy.begin({ kind: 'delay', ms: trip });
    const body = { descricao: 'Distante', obriga_cnpj: 'N' };
    const answer = await admin.post('/almoxarifadoquimicos/tipos-empresas', body);
    expect(answer.status).toBe(201);
    const { ms, dbMs } = (await lineOf(answer)) as { ms: number; dbMs: number };
    expect(dbMs).toBeGreaterThan(3 * trip);
    expect(dbMs).toBeLessThanOrEqual(ms + 1);
  });

  it('shows it for each of several single reads, which share a trip', async () => {
    const admin = await service.as('admin');
    await service.sql('alter table icone_risco rename to icone_risco_de_antes');
    onTestFinished(async () => {
      await service.sql('drop view icone_risco');
      await service.sql('alter table icone_risco_de_antes rename to icone_risco');
    });
    await service.sql(
      `create view icone_risco as
       with slow as materialized (select pg_sleep(0.1)) select i.* from icone_risco_de_antes i, slow`,
    );
    const answers = await atOnce(6, turn => admin.get(`/almoxarifadoquimicos/icones-risco/${turn + 1}`));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      const { ms, dbMs } = (await lineOf(answer)) as { ms: number; dbMs: number };
      // PostgreSQL sleeps by another clock, which may run faster while it is set.
      expect(dbMs).toBeGreaterThan(50);
      expect(dbMs).toBeLessThanOrEqual(ms + 1);
    }
  });

  it('is preceded by one for each slow statement, with its shape and without its values', async () => {
    const log = pino({ level: 'info' }, { write: text => void written.push(text) });
    const slowed = await startService({ SLOW_STATEMENT_MS: '250' }, service, log);
    onTestFinished(() => slowed.stop());
    const admin = await slowed.as('admin');
    await service.services.orm.em.fork().execute(
      `create or replace function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$;
       create or replace trigger slow before insert on tipo_empresa for each row execute function slow()`,
    );
    onTestFinished(async () => {
      await service.sql('drop trigger slow on tipo_empresa');
    });
    for (const descricao of ["Canário d'água", 'Outra'])
      await admin.post('/almoxarifadoquimicos/tipos-empresas', { descricao, obriga_cnpj: 'N' });
    const all = written.map(text => JSON.parse(text) as Line);
    // On a busy machine the logins of these people are slow, too.
    const operation = 'POST /almoxarifadoquimicos/tipos-empresas';
    const lines = all.filter(
      one => one.msg === 'slow statement' && one['operation'] === operation && one['kind'] === 'insert',
    );
    expect(lines).toHaveLength(2);
    const [first, second] = lines;
    expect(first).toMatchObject({
      level: 40,
      operation,
      requestId: expect.any(String),
      statement: expect.stringMatching(/^[\da-f]{12}$/),
      ms: expect.toSatisfy((ms: number) => ms >= 250),
      text: expect.stringMatching(/^insert into "tipo_empresa" .*values \(\?/i),
    });
    expect(second!['statement']).toBe(first!['statement']);
    expect(second).not.toHaveProperty('text');
    expect(JSON.stringify(all)).not.toMatch(/Can.rio|água/);
  });

  it('counts the wait of a transaction for a connection as database time', async () => {
    const admin = await service.as('admin');
    // The process knows the session then, and the transaction is the first that needs a connection.
    await admin.get('/almoxarifadoquimicos/tipos-empresas/1');
    const pool: Pool = await service.services.orm.em.getConnection().getNativeClient();
    const held = await take(pool);
    const answering = admin.post('/almoxarifadoquimicos/tipos-empresas', {
      descricao: 'À espera',
      obriga_cnpj: 'N',
    });
    await eventually(() => expect(pool.waitingCount).toBe(1));
    await sleep(300);
    for (const client of held) client.release();
    expect(await lineOf(await answering)).toMatchObject({ status: 201, dbMs: longerThan(290) });
  });

  it('counts the wait of an export for a connection as database time', async () => {
    const admin = await service.as('admin');
    const { exportPool } = service.services;
    const held = await take(exportPool);
    const answering = admin.get('/almoxarifadoquimicos/materiais?export=true');
    await eventually(() => expect(exportPool.waitingCount).toBe(1));
    await sleep(300);
    for (const client of held) client.release();
    expect(await lineOf(await answering)).toMatchObject({ status: 200, dbMs: longerThan(290) });
  });

  it('shows that a client left before the answer', async () => {
    const { hostname, port } = new URL(service.url);
    const lock = service.services.orm.em.fork();
    await lock.begin();
    await lock.execute('lock table sistema in access exclusive mode');
    const socket = connect(Number(port), hostname);
    socket.write(`GET /permissoes/sistemas HTTP/1.1\r\nHost: x\r\ntoken: ${'t'.repeat(43)}\r\n\r\n`);
    await eventually(async () => expect(await service.sql(WAITING)).toHaveLength(1));
    socket.destroy();
    await once(socket, 'close');
    await eventually(() => expect(written.some(text => text.includes('"finished":false'))).toBe(true));
    await lock.rollback();
  });
});

describe('a request that its caller named', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  const kinds = '/almoxarifadoquimicos/tipos-empresas';
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

  it.each<[string, Record<string, string>, string, string | undefined]>([
    ['by an id', { 'x-request-id': 'req-01JD3ZK9.7:a' }, 'req-01JD3ZK9.7:a', undefined],
    ['by a trace', { traceparent }, traceId, traceId],
    ['by both', { traceparent, 'x-request-id': 'portal/8f31c2' }, 'portal/8f31c2', traceId],
  ])('%s has that name in answer, error, log and audit trail', async (_how, headers, id, trace) => {
    const admin = (await service.as('admin')).with(headers);
    const made = await admin.post(kinds, { descricao: 'Nomeada', obriga_cnpj: 'N' });
    expect(made.headers.get('x-request-id')).toBe(id);
    const line = await lineOf(made);
    expect([line['requestId'], line['traceId']]).toEqual([id, trace]);
    const trail = await service.sql(
      `select requisicao from auditoria where tabela = 'tipo_empresa' and id_registro = $1`,
      [made.body.id],
    );
    expect(trail).toEqual([[id]]);
    const refused = await admin.post('/almoxarifadoquimicos/materiais', {});
    expect([refused.status, refused.headers.get('x-request-id')]).toEqual([422, id]);
    expect(refused.body.instance).toBe(`urn:request:${encodeURIComponent(id)}`);
  });

  it.each<[string, Record<string, string>]>([
    ['is too short', { 'x-request-id': '1' }],
    ['is too long for the audit trail', { 'x-request-id': 'x'.repeat(37) }],
    ['has other characters', { 'x-request-id': 'a b;c=d"e{f}' }],
    ['is a trace of zeros', { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }],
    ['is a trace without a parent', { traceparent: `00-${traceId}-${'0'.repeat(16)}-01` }],
    ['is a trace of no version', { traceparent: traceparent.replace(/^00/, 'ff') }],
    ['is not a trace', { traceparent: traceId }],
  ])('gets a name of the service if the given one %s', async (_what, headers) => {
    const answer = await service.anyone.with(headers).get('/nada');
    expect(answer.headers.get('x-request-id')).toMatch(uuid);
    expect((await lineOf(answer))['traceId']).toBeUndefined();
  });

  it('has each of its refusals recorded, although another request has the same id', async () => {
    const docente = (await service.as('docente')).with({ 'x-request-id': 'twice-the-same' });
    for (const path of [kinds, kinds]) expect((await docente.post(path, {})).status).toBe(403);
    await service.services.refusals.write();
    const told = await service.sql(
      `select sum(vezes)::int from auditoria where requisicao = 'twice-the-same'`,
    );
    expect(told).toEqual([[2]]);
  });
});

describe('nothing that a client sends', () => {
  const lines = ['\n', '\r\n', '\u2028', '\u001b[2J'].map(
    breaking => `x${breaking}{"level":30,"msg":"request","idPessoa":1}${breaking}`,
  );

  it.each(lines)('can start a new line in the log: %j', async text => {
    const encoded = encodeURIComponent(text);
    const client = service.anyone.with(systemHeaders);
    const answers = [
      await client.post('/auth/login', { username: text, password: text }),
      await client.get(`/almoxarifadoquimicos/materiais?titulo=${encoded}`),
      await client.get(`/${encoded}`),
      await client.with({ token: encoded, 'accept-language': encoded }).get('/permissoes/sistemas'),
      await client.post('/graphql', { query: '{ materiais { total } }', operationName: text }),
      await client.post('/graphql', {
        query: `query { materiais(titulo: ${JSON.stringify(text)}) { total } }`,
      }),
      await client.raw('/auth/login', {
        method: 'POST',
        body: text,
        headers: { 'content-type': 'application/json' },
      }),
    ];
    for (const answer of answers) await lineOf(answer);
    expect(written.filter(line => line.trimEnd().includes('\n'))).toEqual([]);
    // eslint-disable-next-line no-control-regex
    expect(written.filter(line => /[\u0000-\u0009\u000b-\u001f]/.test(line))).toEqual([]);
    const requests = written.map(line => JSON.parse(line) as Line).filter(line => line['msg'] === 'request');
    expect(requests).toHaveLength(answers.length);
    expect(requests.filter(line => line['idPessoa'] !== undefined)).toEqual([]);
  });
});
