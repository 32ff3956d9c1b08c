import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Figure } from '../src/process/metrics/figure.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { metricsUrl, scrape, valueOf } from './support/metrics.ts';
import { build, eventually, project, useProcesses, type Run } from './support/process.ts';
import { transports } from './support/subscriptions.ts';

const base = '/almoxarifadoquimicos';
const { service } = useProcesses(afterAll);

describe('GET /metrics', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let db: pg.Client;
  let run: Run;
  let admin: Client;
  beforeAll(async () => {
    await build();
    database = await cloneDatabase();
    db = new pg.Client({ connectionString: database.url });
    await db.connect();
    // Only for the test: this bypasses the ledger.
    await db.query('alter table estoque disable trigger estoque_explicado');
    await db.query(
      'update estoque set quantidade = quantidade + 1 where id in (select min(id) from estoque group by id_lote limit 2)',
    );
    run = service({ DATABASE_URL: database.url, METRICS_PORT: '0' });
    admin = await (await run.client()).login('admin');
  });
  afterAll(async () => {
    await db.end();
    await database.drop();
  });

  const requests = async (operation: string, status: number): Promise<number> =>
    valueOf((await scrape(run)).samples, 'sii_requests_total', { operation, status: String(status) }) ?? 0;

  /** A request is counted when its connection has taken the whole answer. The client may get the answer earlier. */
  const counts = (operation: string, status: number, count: number): Promise<void> =>
    eventually(async () => expect(await requests(operation, status)).toBe(count));

  it('counts requests by the path of the specification and the status, with their time', async () => {
    const one = `GET ${base}/materiais/{id}`;
    await admin.get(`${base}/materiais/1`);
    await admin.get(`${base}/materiais/2`);
    await admin.get(`${base}/materiais/999999`);
    await counts(one, 200, 2);
    await counts(one, 404, 1);
    const { samples } = await scrape(run);
    expect(valueOf(samples, 'sii_request_duration_seconds_count', { operation: one })).toBe(3);
    expect(valueOf(samples, 'sii_request_duration_seconds_sum', { operation: one })).toBeGreaterThan(0);
  });

  it('counts GraphQL by field, with the status of its error though the answer is 200', async () => {
    await admin.graphql('{ a: material(id: 1) { id } b: material(id: 2) { id } }');
    await admin.graphql('{ ...F } fragment F on Query { material(id: "x") { id } }');
    const refused = await run.client();
    expect((await refused.post('/graphql', { query: '{ material(id: 1) { id } }' })).status).toBe(200);
    await admin.graphql('{ material(id: 1) { id } materiais { total } }');
    await counts('graphql material', 200, 1);
    await counts('graphql material', 401, 1);
    await counts('graphql (several fields)', 200, 1);
  });

  it('counts an error below the root field as an error of the service', async () => {
    await db.query('alter table material alter titulo drop not null');
    await db.query('update material set titulo = null where id = 3');
    const { errors } = await admin.graphql('{ material(id: 3) { titulo } }');
    expect(errors![0]!.extensions.code).toBe('INTERNAL');
    await counts('graphql material', 500, 1);
  });

  it('has nothing that a client wrote', async () => {
    const before = await requests('other', 404);
    await admin.get('/canary-path/42');
    await admin.post('/graphql', {
      query: 'query CanaryName { canaryAlias: material(id: 1) { id } }',
      operationName: 'CanaryName',
    });
    await admin.raw('/graphql', { method: 'CANARY' });
    await counts('other', 404, before + 1);
    const { text } = await scrape(run);
    for (const written of ['canary', admin.headers['token']!, 'demo-admin'])
      expect(text.toLowerCase()).not.toContain(written.toLowerCase());
  });

  it('counts a subscription, but not how long it was open', async () => {
    const subscription = transports['server-sent events']!(admin);
    const first = subscription.next();
    await eventually(async () =>
      expect(valueOf((await scrape(run)).samples, 'sii_subscriptions_open')).toBe(1),
    );
    await admin.post(`${base}/tipos-empresas`, { descricao: 'Assinada' });
    await first;
    await subscription.return!();
    await counts('graphql mudancas', 499, 1);
    const { samples } = await scrape(run);
    const operation = 'graphql mudancas';
    expect(valueOf(samples, 'sii_request_duration_seconds_count', { operation })).toBeUndefined();
  });

  it('counts logins by outcome', async () => {
    const attempt = (username: string) =>
      admin.with(systemHeaders).post('/auth/login', { username, password: 'wrong' });
    for (let i = 0; i < 6; i++) await attempt('nobody');
    const { samples } = await scrape(run);
    const logins = (outcome: string) => valueOf(samples, 'sii_logins_total', { outcome });
    expect(['OK', 'UNAUTHENTICATED', 'RATE_LIMITED'].map(logins)).toEqual([1, 5, 1]);
  });

  it('shows the figures of the database', async () => {
    // A login of a time when the clock of the database was ahead.
    await db.query(`insert into sessao (token_hash, id_pessoa, id_sistema, criado_em, expira_em)
      select sha256('ahead'), min(p.id), min(s.id), now() + interval '8 days', now() + interval '9 days' from pessoa p, sistema s`);
    const { samples } = await scrape(run);
    const count = async (text: string) => (await db.query(text)).rows[0]!.count as number;
    expect(valueOf(samples, 'sii_database_up')).toBe(1);
    // Two cells, and their two batches.
    expect(valueOf(samples, 'sii_ledger_discrepancies')).toBe(4);
    expect(valueOf(samples, 'sii_approvals_pending')).toBe(
      await count(`select count(*)::int from solicitacao_aprovacao where situacao = 'P'`),
    );
    expect(valueOf(samples, 'sii_approvals_oldest_seconds')).toBeGreaterThan(0);
    const { data } = await admin.graphql(
      '{ alertas { groups(by: [{ tipo: true }]) { key { tipo } count } } }',
    );
    const groups = data.alertas.groups as { key: { tipo: string }; count: number }[];
    const open = (...kinds: string[]) =>
      groups.reduce((sum, { key, count: alerts }) => sum + (kinds.includes(key.tipo) ? alerts : 0), 0);
    expect(valueOf(samples, 'sii_alerts_expired')).toBe(open('VENCIDO'));
    expect(valueOf(samples, 'sii_alerts_expiring')).toBe(open('VENCE_EM_30_DIAS', 'VENCE_EM_90_DIAS'));
    expect(valueOf(samples, 'sii_alerts_expiring')).toBeGreaterThan(0);
    expect(valueOf(samples, 'sii_alerts_below_minimum')).toBe(open('ABAIXO_DO_MINIMO'));
    expect(valueOf(samples, 'sii_sessions_open')).toBe(1);
  });

  it('shows how long the keys of calling systems still open the service, unless one never expires', async () => {
    const keysLast = async () => {
      const one = service({ DATABASE_URL: database.url, METRICS_PORT: '0' });
      await one.ready();
      const found = valueOf((await scrape(one)).samples, 'sii_keys_last_seconds');
      await one.stop();
      return found;
    };
    expect(valueOf((await scrape(run)).samples, 'sii_keys_last_seconds')).toBeUndefined();
    await db.query(`update chave_api set expira_em = now() + interval '2 days'`);
    const left = await keysLast();
    await db.query(`update chave_api set expira_em = now()`);
    const none = await keysLast();
    await db.query(`update chave_api set expira_em = null`);
    expect(left).toBeGreaterThan(86_400);
    expect(left).toBeLessThanOrEqual(2 * 86_400);
    expect(none).toBe(0);
  });

  it('shows the process and its connections', async () => {
    const { samples } = await scrape(run);
    const known = [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_heap_size_used_bytes',
    ];
    for (const name of known) expect(valueOf(samples, name), name).toBeGreaterThan(0);
    const connections = (state: string) =>
      valueOf(samples, 'sii_database_connections', { pool: 'requests', state })!;
    expect(connections('idle')).toBeGreaterThan(0);
    expect(connections('waiting')).toBe(0);
    expect(valueOf(samples, 'sii_pdf_waiting')).toBe(0);
    for (const name of ['read', 'write', 'login', 'export', 'document']) {
      expect(valueOf(samples, 'sii_class_waiting', { class: name }), name).toBe(0);
      expect(valueOf(samples, 'sii_class_refused_total', { class: name }), name).toBe(0);
    }
    expect(valueOf(samples, 'sii_storage_up')).toBe(1);
  });

  it('has only metrics that the documentation explains', async () => {
    const documented = await readFile(join(project, 'docs/operations/monitoring.md'), 'utf8');
    const { text } = await scrape(run);
    const names = [...text.matchAll(/^# TYPE (sii_\w+)/gm)].map(([, name]) => name!);
    expect(names).toContain('sii_requests_total');
    for (const name of names) expect(documented).toContain(`\`${name}\``);
  });

  it('has every metric of the dashboard for Grafana', async () => {
    const { panels } = JSON.parse(await readFile(join(project, 'deploy/grafana/sii.json'), 'utf8')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const asked = panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => expr.match(/\b(?:sii|nodejs|process)_\w+/g) ?? []),
    );
    expect(new Set(asked).size).toBeGreaterThan(15);
    const { samples } = await scrape(run);
    // Only a supervisor has metrics of its workers.
    const exported = new Set([...samples.map(({ name }) => name), 'sii_worker_restarts_total']);
    expect([...new Set(asked)].filter(name => !exported.has(name))).toEqual([]);
  });

  it('has a port of its own, and nothing else there', async () => {
    expect((await admin.get('/metrics')).status).toBe(404);
    expect((await fetch(metricsUrl(run))).status).toBe(404);
    expect((await fetch(`${metricsUrl(run)}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  it('answers while the database is away, and says so', async () => {
    const { pathname } = new URL(database.url);
    const maintenance = new pg.Client({
      connectionString: Object.assign(new URL(database.url), { pathname: '/postgres' }).href,
    });
    await maintenance.connect();
    const allow = (allowed: boolean) =>
      maintenance.query(`alter database ${pathname.slice(1)} allow_connections ${allowed}`);
    await allow(false);
    await maintenance.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'sii'`,
      [pathname.slice(1)],
    );
    const away = await scrape(run);
    expect(away.status).toBe(200);
    expect(valueOf(away.samples, 'sii_database_up')).toBe(0);
    await allow(true);
    await maintenance.end();
    await eventually(async () => expect(valueOf((await scrape(run)).samples, 'sii_database_up')).toBe(1));
  });

  it('a port that is taken keeps the service from starting, and is named', async () => {
    const { port } = new URL(metricsUrl(run));
    const second = service({ DATABASE_URL: database.url, METRICS_PORT: port });
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.stderr).toMatch(
      new RegExp(`^Cannot listen for metrics on 127.0.0.1 port ${port}: .*EADDRINUSE`),
    );
  });
});

describe('a figure', () => {
  afterEach(() => vi.useRealTimers());

  it('is read once for concurrent scrapes, and again when it is stale', async () => {
    let reads = 0;
    vi.useFakeTimers({ toFake: ['performance'] });
    const figure = new Figure(60, async () => (reads += 1));
    expect(await Promise.all([figure.current(), figure.current(), figure.current()])).toEqual([1, 1, 1]);
    expect(await figure.current()).toBe(1);
    vi.advanceTimersByTime(61_000);
    expect(await figure.current()).toBe(2);
  });

  it('that takes long is not waited for, and is ready for the next scrape', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const figure = new Figure(60, () => promise);
    expect(await figure.current()).toBeUndefined();
    resolve(7);
    expect(await figure.current()).toBe(7);
  });

  it('that nothing may stand in for is missing when it is late', async () => {
    const answers = [Promise.resolve(1), new Promise<number>(() => undefined)];
    const figure = new Figure(0, () => answers.shift()!, 0);
    expect(await figure.current()).toBe(1);
    expect(await figure.current()).toBeUndefined();
  });

  it('that cannot be read is left out, and is tried again', async () => {
    const answers = [Promise.reject(new Error('away')), Promise.resolve(3)];
    const figure = new Figure(60, () => answers.shift()!);
    expect(await figure.current()).toBeUndefined();
    expect(await figure.current()).toBe(3);
  });
});

describe('the alerts', () => {
  const read = (file: string): Promise<string> => readFile(join(project, file), 'utf8');

  it('count the first unexpected error, with which its counter begins', async () => {
    const errors = 'sii_requests_total{status="500"}';
    expect(await read('deploy/alerts.yaml')).toContain(`${errors} unless ${errors} offset 10m`);
  });

  it('each have an incident page', async () => {
    const alerts = [...(await read('deploy/alerts.yaml')).matchAll(/- alert: (\w+)/g)].map(
      ([, name]) => name!,
    );
    const pages = [...(await read('docs/operations/incidents.md')).matchAll(/^## (\w+)$/gm)].map(
      ([, name]) => name!,
    );
    expect(alerts.length).toBeGreaterThan(0);
    expect(pages).toEqual(alerts);
  });

  it('use only metrics that exist', async () => {
    const documented = await read('docs/operations/monitoring.md');
    const asked = (await read('deploy/alerts.yaml')).match(/\bsii_\w+/g)!;
    for (const name of asked) expect(documented).toContain(`\`${name.replace(/_bucket$/, '')}\``);
  });
});
