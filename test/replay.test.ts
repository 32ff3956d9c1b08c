import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../scripts/replay/findings.ts';
import { page } from '../scripts/replay/html.ts';
import { readLogins } from '../scripts/replay/logins.ts';
import { replay, type Options } from '../scripts/replay/replay.ts';
import { DEMO_API_KEY } from '../src/demo/login.ts';
import { temporaryFolder } from './support/folder.ts';
import { useProcesses } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();
const { npm } = useProcesses(afterAll);
const store = '/almoxarifadoquimicos';

// Answers are changed freely.
type Answered = any;

/** Different answers of the old service, by path and query. Each has one planted difference, or none. */
const planted: Record<string, (body: Answered) => Answered> = {
  [`${store}/unidades-medida/1`]: body => ({ ...body, apelido: 'x' }),
  [`${store}/unidades-medida/2`]: body => ({ ...body, sigla: undefined }),
  [`${store}/unidades-medida/3`]: body => ({ ...body, descricao: 'Outra' }),
  [`${store}/unidades-medida/4`]: body => ({ ...body, id: String(body.id) }),
  [`${store}/unidades-medida/5`]: body => ({ ...body, criado_em: '1999-12-31T23:59:59.000Z' }),
  [`${store}/unidades-medida/6`]: body => ({ ...body, criado_em: '1999-12-31 23:59:59' }),
  [`${store}/locais`]: body => ({ ...body, data: body.data.toReversed() }),
  [`${store}/tipos-controle`]: body => ({ ...body, data: body.data.slice(1), total: body.total - 1 }),
  [`${store}/materiais?titulo=acido&orderByTitulo=asc`]: body => ({
    ...body,
    data: body.data.toReversed(),
  }),
  [`${store}/materiais?pagination=true&itemsPerPage=2`]: body => ({
    ...body,
    data: body.data.map((one: Answered) => ({ ...one, id: one.id + 5000 })),
  }),
};

/** The old service: this service, with differences. */
const seen: { method: string; target: string; token: string | undefined; body: string }[] = [];
async function answerAsOld(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await text(req);
  const target = req.url!.replace(/^\/api/, '');
  seen.push({ method: req.method!, target, token: req.headers['token'] as string | undefined, body });
  if (target === '/clientes/7') return void res.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
  const { host: _, connection: __, ...headers } = req.headers;
  const answer = await fetch(service().url + target, {
    method: req.method!,
    headers: headers as Record<string, string>,
    ...(body && { body }),
  });
  const type = answer.headers.get('content-type') ?? '';
  const change = planted[target.replace(/\?token=.*/, '')];
  const answered = await answer.text();
  const status = target === `${store}/materiais/999999` ? 200 : answer.status;
  res.writeHead(status, { 'content-type': type });
  res.end(change ? JSON.stringify(change(JSON.parse(answered))) : answered);
}

const RECORDED_TOKEN = 'recorded-token-of-somebody';
const TYPED_PASSWORD = 'typed password of somebody';
const entry = (method: string, target: string, body?: object, second = 0) => ({
  startedDateTime: `2026-11-02T08:00:${String(second).padStart(2, '0')}.000Z`,
  request: {
    method,
    url: `https://old.example/api${target}`,
    headers: [
      { name: 'Token', value: RECORDED_TOKEN },
      { name: 'Api_key', value: 'recorded-key-of-a-system' },
    ],
    ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
  },
  response: { status: 200 },
});

let folder: string;
let old: string;
let logins: string;
const server = createServer((req, res) => void answerAsOld(req, res));
beforeAll(async () => {
  folder = await temporaryFolder();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  old = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  logins = join(folder, 'logins.json');
  const login = {
    username: 'admin',
    password: 'demo-admin-2026',
    'app-name': 'SII',
    'api-key': DEMO_API_KEY,
  };
  await writeFile(logins, JSON.stringify(login));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

/** The report of a replay, and its page. */
async function replayed(options: Partial<Options>): Promise<{ report: Report; html: string }> {
  const login = await readLogins(logins);
  const report = await replay({
    old,
    new: service().url,
    logins: login,
    writes: false,
    each: 200,
    ...options,
  });
  return { report, html: page(report) };
}

/** The differences in a report, one line each. */
const linesOf = ({ operations }: Report): string[] =>
  operations
    .flatMap(({ operation, findings }) =>
      findings.map(({ kind, member, requests }) => `${operation}: ${kind} ${member} ×${requests}`),
    )
    .toSorted();

describe('a replay of an archive', () => {
  let found: { report: Report; html: string };
  const targets = [
    ...Object.keys(planted),
    `${store}/materiais/999999`,
    `${store}/materiais/1`,
    `${store}/materiais?Titulo=acetona`,
    `/permissoes/autenticacoes`,
    `/permissoes/parametros-acesso-api/${RECORDED_TOKEN}`,
    `${store}/materiais?export=true&titulo=acetona`,
    '/clientes/7',
  ];
  beforeAll(async () => {
    const file = join(folder, 'client.har');
    const entries = [
      entry('POST', '/auth/login', { username: 'x', password: TYPED_PASSWORD }),
      ...targets.map((target, i) => entry('GET', target, undefined, i + 1)),
      entry('GET', `${store}/unidades-medida/3`, undefined, 50),
      entry('DELETE', `${store}/materiais/1`),
      { request: { method: 'GET', url: 'https://fonts.example/a.woff2' } },
      { nothing: true },
    ];
    await writeFile(file, JSON.stringify({ log: { entries } }));
    seen.length = 0;
    found = await replayed({ har: file });
  });

  it('finds each planted difference, and nothing else', () => {
    expect(linesOf(found.report)).toEqual(
      [
        `GET ${store}/unidades-medida/{id}: missing apelido ×1`,
        `GET ${store}/unidades-medida/{id}: added sigla ×1`,
        `GET ${store}/unidades-medida/{id}: value descricao ×1`,
        `GET ${store}/unidades-medida/{id}: kind id ×1`,
        `GET ${store}/unidades-medida/{id}: kind criado_em ×1`,
        `GET ${store}/tipos-controle: count data[] ×1`,
        `GET ${store}/tipos-controle: value total ×1`,
        `GET ${store}/materiais: order data[] ×1`,
        `GET ${store}/materiais/{id}: status  ×1`,
        'GET /clientes/…: status  ×1',
      ].toSorted(),
    );
  });

  it('says which request shows a difference first, and since when', () => {
    const units = found.report.operations.find(({ operation }) => operation.includes('unidades-medida'))!;
    expect(units.findings.find(({ kind }) => kind === 'value')!.first).toEqual({
      at: '2026-11-02T08:00:03.000Z',
      request: `GET ${store}/unidades-medida/3`,
      old: 'Outra',
      new: 'Quilograma',
    });
    expect(units).toMatchObject({ recorded: 7, sent: 6, differ: 5 });
  });

  it('lists parameters and paths that the specification does not have', () => {
    const { parameters, paths } = found.report.unknown;
    expect(parameters).toMatchObject([
      { name: 'Titulo', operation: `GET ${store}/materiais`, nearest: 'titulo', requests: 1 },
    ]);
    expect(paths).toMatchObject([{ name: 'GET /clientes/…', requests: 1 }]);
  });

  it('sends no write and no log-in of the recording', () => {
    expect(found.report.notSent).toEqual({
      'log-ins and passwords': 1,
      writes: 1,
      'the same once more': 1,
    });
    expect(found.report.recording).toMatchObject({ requests: targets.length + 3, unreadable: 1 });
    expect(seen.filter(({ method }) => method !== 'GET').map(({ target }) => target)).toEqual([
      '/auth/login',
    ]);
  });

  it('sends its own tokens, and reports no secret', async () => {
    const tokens = new Set(seen.slice(1).map(({ token }) => token));
    expect(tokens.size).toBe(1);
    const [token] = tokens;
    expect(seen.map(({ target }) => target)).toContain(`/permissoes/parametros-acesso-api/${token!}`);
    const texts = found.html + JSON.stringify(found.report);
    const secrets = [
      token!,
      RECORDED_TOKEN,
      TYPED_PASSWORD,
      'recorded-key-of-a-system',
      DEMO_API_KEY,
      'demo-admin-2026',
    ];
    expect(secrets.filter(secret => texts.includes(secret))).toEqual([]);
    expect(JSON.stringify(seen)).not.toContain(RECORDED_TOKEN);
  });

  it('shows the report on a page', () => {
    const recorded = found.report.operations.flatMap(({ findings }) =>
      findings.map(({ first }) => first.request),
    );
    expect(recorded.length).toBeGreaterThan(5);
    expect(recorded.filter(request => !found.html.includes(request.replaceAll('&', '&amp;')))).toEqual([]);
    expect(found.html).not.toContain('<script');
  });
});

describe('a replay of an access log', () => {
  it.each([
    [
      'combined',
      `10.0.0.7 - ana [02/Nov/2026:05:00:01 -0300] "GET /api${store}/unidades-medida/3?token=${RECORDED_TOKEN} HTTP/1.1" 200 31 "-" "old client"`,
    ],
    [
      'common',
      `10.0.0.7 - - [02/Nov/2026:05:00:01 -0300] "GET /api${store}/unidades-medida/3?token=${RECORDED_TOKEN} HTTP/1.1" 200 31`,
    ],
    [
      'JSON lines of nginx',
      `{"time_iso8601":"2026-11-02T05:00:01-03:00","request":"GET /api${store}/unidades-medida/3?token=${RECORDED_TOKEN} HTTP/1.1","status":"200"}`,
    ],
    [
      'JSON lines of Caddy',
      `{"ts":1793606401,"request":{"method":"GET","uri":"/api${store}/unidades-medida/3?token=${RECORDED_TOKEN}"},"status":200}`,
    ],
  ])('reads the format: %s', async (_name, line) => {
    const file = join(folder, 'access.log');
    await writeFile(file, `${line}\nno request\n`);
    const { report, html } = await replayed({ log: file });
    expect(report.recording).toMatchObject({ requests: 1, unreadable: 1 });
    expect(linesOf(report)).toEqual([`GET ${store}/unidades-medida/{id}: value descricao ×1`]);
    expect(report.operations[0]!.findings[0]!.first.at).toBe('2026-11-02T08:00:01.000Z');
    expect(report.unknown.parameters).toMatchObject([{ name: 'token' }]);
    expect(html + JSON.stringify(report)).not.toContain(RECORDED_TOKEN);
  });

  it('leaves out the differences that a file accepts, and gives the reason', async () => {
    const file = join(folder, 'access.log');
    await writeFile(
      file,
      `- - - [02/Nov/2026:05:00:01 -0300] "GET ${store}/unidades-medida/3 HTTP/1.1" 200 1\n`,
    );
    const accept = join(folder, 'accepted.json');
    await writeFile(accept, JSON.stringify([{ member: 'descricao', because: 'It was renamed' }]));
    const { report, html } = await replayed({ log: file, accept });
    expect(report).toMatchObject({ sent: 1, differ: 0 });
    expect(report.operations[0]!.accepted).toMatchObject([
      { member: 'descricao', because: 'It was renamed' },
    ]);
    expect(html).toContain('It was renamed');
  });
});

describe('writes', () => {
  it('are sent to both services in recorded order, with the option for writes', async () => {
    const file = join(folder, 'writes.har');
    const body = { descricao: 'Frasco', obriga_cnpj: 'N' };
    const entries = [
      entry('POST', `${store}/tipos-empresas`, body),
      entry('PUT', `${store}/tipos-empresas/1`, { ...body, descricao: 'Fabricante' }, 1),
    ];
    await writeFile(file, JSON.stringify({ log: { entries } }));
    seen.length = 0;
    const { report } = await replayed({ har: file, writes: true });
    expect(report).toMatchObject({ sent: 2, notSent: {} });
    expect(seen.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'POST /auth/login',
      `POST ${store}/tipos-empresas`,
      `PUT ${store}/tipos-empresas/1`,
    ]);
    // Both services are the same one here, so the second request creates a record with a different id.
    expect(linesOf(report)).toEqual([`POST ${store}/tipos-empresas: value id ×1`]);
  });
});

describe('npm run replay', () => {
  const run = (options: string[]) =>
    npm(['run', '--silent', 'replay', '--', '--new', service().url, ...options], {});

  it('writes its report as JSON and as a page', async () => {
    const [file, out] = [join(folder, 'access.log'), join(folder, 'out')];
    await writeFile(
      file,
      `- - - [02/Nov/2026:05:00:01 -0300] "GET ${store}/unidades-medida/3 HTTP/1.1" 200 1\n`,
    );
    const replaying = run(['--log', file, '--old', old, '--logins', logins, '--out', out]);
    expect(await replaying.exited, replaying.stderr).toMatchObject({ code: 0 });
    expect(replaying.stdout).toMatch(/^1 requests sent, 1 answered differently/);
    const [json, html] = await Promise.all(
      ['report.json', 'report.html'].map(name => readFile(join(out, name), 'utf8')),
    );
    expect(JSON.parse(json!)).toMatchObject({ sent: 1, differ: 1 });
    expect(html).toContain('1 of 1 requests');
  });

  it('prints its usage if its arguments are wrong', async () => {
    const replaying = run(['--har', 'a', '--log', 'b', '--old', old]);
    expect(await replaying.exited).toMatchObject({ code: 1 });
    expect(replaying.stderr).toMatch(/npm run replay --/);
  });
});
