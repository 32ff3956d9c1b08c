import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { temporaryFolder } from './support/folder.ts';
import { build, useProcesses } from './support/process.ts';

const CANARY = 'canário que ninguém deve ver';
const CALLER = { traceId: 'a1'.repeat(16), spanId: 'b2'.repeat(8) };
/** Traces of single reads that are sent at once. */
const AT_ONCE = ['c3', 'c4', 'c5', 'c6', 'c7', 'c8'].map(byte => byte.repeat(16));

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
}

interface Metric {
  name: string;
  sum?: { dataPoints: { asDouble: number; attributes: Attribute[] }[] };
  histogram?: { dataPoints: { count: number; bucketCounts: number[]; attributes: Attribute[] }[] };
}

const SERVER = 2;
const CLIENT = 3;
const icons = '/almoxarifadoquimicos/icones-risco';

const valueOf = (of: { attributes: Attribute[] }, name: string): unknown =>
  Object.values(of.attributes.find(({ key }) => key === name)?.value ?? {})[0];

const { service } = useProcesses(afterAll);
const received: { path: string; text: string }[] = [];
let collector: Server;
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let loaded: { with: string[]; without: string[] };

/** Modules that a process has loaded, from V8's output at its end. */
async function modulesOf(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  const texts = await Promise.all(files.map(name => readFile(join(folder, name), 'utf8')));
  await rm(folder, { recursive: true });
  return texts.flatMap(text =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
}

/** Runs a service to its end. Returns the modules that it loaded. */
async function running(environment: NodeJS.ProcessEnv, use: (admin: Client) => Promise<void>) {
  const folder = await temporaryFolder();
  const run = service({ DATABASE_URL: database.url, NODE_V8_COVERAGE: folder, ...environment });
  await use(await (await run.client()).login('admin'));
  await run.stop();
  expect(run.complaints).not.toContain('not sent');
  return modulesOf(folder);
}

async function ask(admin: Client): Promise<void> {
  const traceparent = (flags: string) => ({
    traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-${flags}`,
  });
  await admin
    .with(traceparent('01'))
    .graphql(`{ materiais(titulo: "${CANARY}") { total } locais { total } }`);
  for (const nome of [CANARY, `${CANARY} 2`]) expect((await admin.post(icons, { nome })).status).toBe(201);
  await admin.with(traceparent('00')).get(`${icons}/1`);
  await Promise.all(
    AT_ONCE.map(traceId =>
      admin
        .with({ traceparent: `00-${traceId}-${CALLER.spanId}-01` })
        .get('/almoxarifadoquimicos/unidades-medida/1'),
    ),
  );
  await admin.get(`/${encodeURIComponent(CANARY)}`);
}

beforeAll(async () => {
  await build();
  collector = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', chunk => (text += chunk));
    req.once('end', () => {
      received.push({ path: req.url!, text });
      res.setHeader('content-type', 'application/json').end('{}');
    });
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  database = await cloneDatabase();
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  loaded = {
    with: await running({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, ask),
    without: await running({}, async admin => void (await admin.get(icons))),
  };
});
afterAll(async () => {
  collector?.close();
  await database?.drop();
});

const bodies = <T>(path: string): T[] =>
  received.filter(one => one.path === path).map(({ text }) => JSON.parse(text) as T);

const spans = (): Span[] =>
  bodies<{ resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }>('/v1/traces').flatMap(
    ({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(one => one.spans)),
  );

const metrics = (): Metric[] =>
  bodies<{ resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[] }>('/v1/metrics')
    .at(-1)!
    .resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(one => one.metrics));

describe('OpenTelemetry', () => {
  it('is loaded only where there is a collector', () => {
    // The build bundles this API package with the service, because Prometheus's client uses it.
    const ofSdk = (urls: string[]) => urls.filter(url => /@opentelemetry\/(?!api\/)/.test(url));
    expect(ofSdk(loaded.with).length).toBeGreaterThan(10);
    expect(ofSdk(loaded.without)).toEqual([]);
    expect(loaded.without.length).toBeGreaterThan(10);
  });

  it("has a span for the request below the caller's, one for each root field, and one for each statement", () => {
    const traced = spans().filter(({ traceId }) => traceId === CALLER.traceId);
    const [request, ...others] = traced.filter(({ parentSpanId }) => parentSpanId === CALLER.spanId);
    expect(others).toEqual([]);
    expect(request).toMatchObject({ kind: SERVER, name: 'graphql (several fields)' });
    expect(valueOf(request!, 'http.route')).toBe('materiais, locais');
    const below = traced.filter(({ parentSpanId }) => parentSpanId === request!.spanId);
    const fields = below.filter(({ kind }) => kind !== CLIENT);
    expect(fields.map(({ name }) => name).toSorted()).toEqual(['locais', 'materiais']);
    const statements = traced.filter(({ kind }) => kind === CLIENT);
    expect(statements.length).toBeGreaterThanOrEqual(2);
    // The session may be read before.
    const parents = [request!, ...fields].map(({ spanId }) => spanId);
    for (const { name, parentSpanId } of statements) {
      expect(name).toMatch(/^select [\da-f]{12}$/);
      expect(parents).toContain(parentSpanId);
    }
    for (const { spanId } of fields)
      expect(statements.filter(({ parentSpanId }) => parentSpanId === spanId)).not.toEqual([]);
  });

  it('has the statements of each request below it, although several share a trip', () => {
    for (const traceId of AT_ONCE) {
      const [request, ...others] = spans().filter(span => span.traceId === traceId);
      const all = [request!, ...others];
      const statements = all.filter(({ kind }) => kind === CLIENT);
      expect(statements.length).toBeGreaterThanOrEqual(2);
      const above = all.filter(({ kind }) => kind !== CLIENT).map(({ spanId }) => spanId);
      for (const { parentSpanId } of statements) expect(above).toContain(parentSpanId);
    }
  });

  it('gives statements that differ only in their values the same name', () => {
    const requests = spans().filter(({ name }) => name === `POST ${icons}`);
    expect(requests).toHaveLength(2);
    const [first, second] = requests.map(({ traceId }) =>
      spans()
        .filter(one => one.traceId === traceId && /^(insert|commit) /.test(one.name))
        .map(({ name }) => name),
    );
    expect(first!.length).toBeGreaterThanOrEqual(2);
    expect(second).toEqual(first);
  });

  it('does not sample a trace that its caller does not sample', () => {
    expect(spans().filter(({ name }) => name === `GET ${icons}/{id}`)).toEqual([]);
  });

  it('sends the metrics of Prometheus', () => {
    const requests = metrics().find(({ name }) => name === 'sii_requests_total')!;
    const created = requests.sum!.dataPoints.find(
      point => valueOf(point, 'operation') === `POST ${icons}` && Number(valueOf(point, 'status')) === 201,
    );
    expect(created!.asDouble).toBe(2);
    const times = metrics().find(({ name }) => name === 'sii_request_duration_seconds')!;
    const point = times.histogram!.dataPoints.find(one => valueOf(one, 'operation') === `POST ${icons}`)!;
    expect(point.count).toBe(2);
    expect(point.bucketCounts.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(metrics().map(({ name }) => name)).toContain('sii_storage_up');
  });

  it('exports nothing that a client wrote, and no text of a statement', () => {
    expect(received.map(({ path }) => path)).toContain('/v1/traces');
    for (const { text } of received)
      expect(text).not.toMatch(/can[áa]rio|demo-admin|insert into|select \*|"token"/i);
  });
});
