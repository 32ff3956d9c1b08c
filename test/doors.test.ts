import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readConfig, settingNames } from '../src/config.ts';
import { DEMO_API_KEY, demoPassword } from '../src/demo/login.ts';
import { doors, hasDoors, type Door, type Place } from './support/doors.ts';
import { eventually } from './support/eventually.ts';
import { temporaryFolder } from './support/folder.ts';
import { needs } from './support/needs.ts';
import { project } from './support/process.ts';
import { startService, type TestService } from './support/service.ts';

/** Address of the client, different from that of the proxy. */
const CLIENT = '127.0.0.9';
const FILE = 25 * 1024 * 1024;
/** As clients of the old service write them. */
const legacy = { App_name: 'SII', Api_key: DEMO_API_KEY, Appversion: '1.0.0' };
const icons = '/almoxarifadoquimicos/icones-risco';

interface Sent {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: unknown;
}

interface Got {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  json: any;
}

const open = (door: Door, path: string, { method = 'GET', headers = {} }: Sent = {}) =>
  request(door.url + path, { method, headers, ca: door.ca, localAddress: CLIENT, agent: false });

/** A request through a proxy, with the headers spelled as given. */
async function askOnce(door: Door, path: string, sent: Sent = {}): Promise<Got> {
  const body = sent.body === undefined ? undefined : JSON.stringify(sent.body);
  const json = body !== undefined && { 'content-type': 'application/json' };
  const asked = open(door, path, { ...sent, headers: { ...json, ...sent.headers } });
  // The answer to a body that is too large may come, and the connection close, while the rest is still being sent.
  asked.on('error', () => undefined);
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const isJson = /json/.test(answer.headers['content-type'] ?? '');
  return {
    status: answer.statusCode!,
    headers: answer.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** Asks again while the proxy has no node, because a busy machine has answered its checks too late. */
const ask = (...request: Parameters<typeof askOnce>): Promise<Got> =>
  eventually(async () => {
    const got = await askOnce(...request);
    if (got.status !== 503 || got.json) return got;
    // Sending a large file again at once would keep this process from answering the checks.
    await sleep(3_000);
    throw new Error(`no node: ${got.text}`);
  });

const places: Record<Place, string> = { 'a site of its own': '', 'a path of a site': '/sii' };
const everywhere = (['nginx', 'HAProxy'] as const).flatMap(proxy =>
  Object.entries(places).map(([place, base]) => [proxy, place as Place, base] as const),
);

describe.skipIf(!hasDoors()).each(everywhere)('behind %s, at %s', (proxy, place, base) => {
  let service: TestService;
  let door: Door;
  let token: string;
  const logged: string[] = [];

  const get = (path: string, headers: OutgoingHttpHeaders = {}): Promise<Got> =>
    ask(door, base + path, { headers: { token, ...headers } });
  const post = (path: string, body: unknown): Promise<Got> =>
    ask(door, base + path, { method: 'POST', headers: { token, ...legacy }, body });

  beforeAll(async () => {
    const log = pino({ level: 'info' }, { write: text => void logged.push(text) });
    service = await startService({ TRUSTED_PROXIES: 'loopback', BASE_PATH: base }, undefined, log);
    door = await doors[proxy]([service.url], place);
    const credentials = { username: 'admin', password: demoPassword('admin') };
    const { status, json } = await ask(door, `${base}/auth/login`, {
      method: 'POST',
      headers: { ...legacy, 'X-Forwarded-For': '203.0.113.66' },
      body: credentials,
    });
    if (status !== 200) throw new Error(`no login: ${status}`);
    token = json.token as string;
  });
  afterAll(async () => {
    await door?.stop();
    await service?.stop();
  });

  it('accepts the header names of old clients at a login, and knows the address of the client', async () => {
    const { status, json, headers } = await get('/permissoes/autenticacoes?orderByCriadoEm=desc');
    expect(status).toBe(200);
    expect(json.data[0].endereco).toBe(CLIENT);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(logged.join('')).not.toContain('X-Forwarded-For');
  });

  it.runIf(base === '')(
    'passes on the largest file, and leaves it to the service to refuse a larger one',
    async () => {
      const file = (bytes: number) => ({
        id_tabela_origem: 1,
        nome_tabela_origem: 'nota_fiscal',
        nome: 'laudo.pdf',
        tipo_mime: 'application/pdf',
        conteudo: Buffer.alloc(bytes, 'x').toString('base64'),
      });
      const path = '/arquivosdigitais/arquivos-digitais';
      const created = await post(path, file(FILE));
      expect(created.status, created.text).toBe(201);
      const bytes = await ask(door, created.headers.location!, {
        headers: { token, ...legacy, accept: 'application/octet-stream' },
      });
      expect([bytes.status, bytes.text.length]).toEqual([200, FILE]);
      // On a busy machine the connection may be closed while the client still sends.
      await eventually(async () => {
        const refused = await post(path, file(FILE + 1));
        expect([refused.status, refused.json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      });
    },
  );

  it('passes on a URL and a header as long as the service takes them, and leaves it to the service to refuse longer ones', async () => {
    for (const length of [9_000, 15_700]) {
      const long = 'x'.repeat(length);
      expect((await get(`${icons}?nome=${long}`)).status).toBe(200);
      expect((await get(icons, { 'x-long': long })).status).toBe(200);
    }
    const long = 'x'.repeat(17_000);
    for (const refused of [await get(`${icons}?nome=${long}`), await get(icons, { 'x-long': long })])
      expect([refused.status, refused.json?.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('passes on an export as it is', async () => {
    const path = '/almoxarifadoquimicos/materiais?export=true';
    const direct = await (await service.as('admin')).get(path);
    const { status, text, headers } = await get(path);
    // fetch removes the byte order mark.
    expect([status, text]).toEqual([200, `\uFEFF${direct.body}`]);
    expect(headers['content-disposition']).toContain('.csv');
  });

  it('returns links that work', async () => {
    const query = '{ download(caminho: "/almoxarifadoquimicos/materiais?export=true") { url } }';
    const { json } = await post('/graphql', { query });
    const { url } = json.data.download as { url: string };
    const created = await post(icons, { nome: 'Ícone' });
    expect(created.status, created.text).toBe(201);
    const { location } = created.headers;
    const index = await get('/');
    const docs = await get('/docs');
    const linked = [index, docs].flatMap(({ text }) =>
      [...text.matchAll(/\b(?:href|src)="(\/[^"]*)"/g)].map(([, path]) => path!),
    );
    const problem = await get(`${icons}/999999`);
    expect(linked.length).toBeGreaterThan(8);
    for (const path of [url, location!, ...linked, problem.json.type]) {
      expect(path.startsWith(`${base}/`)).toBe(true);
      const accept = 'text/html';
      const found = await ask(door, path, { headers: path === location ? { accept, token } : { accept } });
      expect([path, found.status]).toEqual([path, 200]);
    }
    const { servers, paths } = (await get('/openapi.json')).json;
    expect(servers).toEqual([{ url: base || '/' }]);
    const [{ url: server }] = servers;
    expect(paths[icons]).toBeDefined();
    expect((await ask(door, server.replace(/\/$/, '') + icons, { headers: { token } })).status).toBe(200);
    expect((await get('/docs/start.js')).text).toContain(`"${base}/docs/openapi.json"`);
    expect((await get('/graphiql')).text).toContain(`${base}/graphql`);
  });
});

/** The handshake of RFC 6455, section 1.3. */
const HANDSHAKE = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
const SWITCHED = [
  'HTTP/1.1 101 Switching Protocols',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
];

/** Replaces the service behind a proxy: it answers one request, step by step. */
async function startUpstream() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe.skipIf(!hasDoors()).each(['nginx', 'HAProxy'] as const)('%s', proxy => {
  it('buffers neither an upload nor an answer, and forwards an upgraded connection', async () => {
    const { server, url } = await startUpstream();
    // Monitors of the proxy ask for it.
    const arrived = Promise.withResolvers<IncomingMessage>();
    let finish!: () => void;
    server.on('request', (req, res) => {
      if (req.url === '/readyz') {
        res.end('{}');
        return;
      }
      arrived.resolve(req);
      req.once('data', () => res.write('first'));
      finish = () => void res.end('last');
    });
    server.on('upgrade', (_req, socket) => {
      socket.write(`${SWITCHED.join('\r\n')}\r\n\r\n`);
      socket.on('data', data => socket.write(data));
    });
    const door = await doors[proxy]([url], 'a site of its own');
    onTestFinished(() => door.stop());

    const asked = open(door, '/upload', { method: 'POST', headers: { 'content-length': '8' } });
    asked.write('half');
    await arrived.promise;
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(String(first)).toBe('first');
    asked.end('half');
    finish();
    const [last] = (await once(answer, 'data')) as [Buffer];
    expect(String(last)).toBe('last');

    const headers = { connection: 'Upgrade', upgrade: 'websocket', ...HANDSHAKE };
    const upgrading = open(door, '/graphql', { headers });
    upgrading.end();
    const [, socket] = await once(upgrading, 'upgrade');
    socket.write('echo');
    expect(String((await once(socket, 'data'))[0])).toBe('echo');
    socket.destroy();
  });
});

describe.skipIf(!hasDoors()).each(everywhere)('of two nodes behind %s, at %s', (proxy, place, base) => {
  /** A node that says which writes it got. `answers`: whether it answers them, or breaks the connection instead. */
  async function node(answers: boolean): Promise<{ url: string; got: string[] }> {
    const got: string[] = [];
    const server = createServer((req, res) => {
      let body = '';
      req.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      req.on('end', () => {
        if (req.method !== 'GET') got.push(`${req.url}${body}`);
        if (req.method === 'GET' || answers) res.end('{"status":"ready"}');
        else req.socket.resetAndDestroy();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
  }

  it.each(['PUT', 'DELETE', 'POST'])('only one gets a %s, also if it never answers', async method => {
    const [dying, living] = [await node(false), await node(true)];
    const door = await doors[proxy]([dying.url, living.url], place);
    onTestFinished(() => door.stop());
    const sent: string[] = [];
    const done: string[] = [];
    await eventually(async () => {
      const path = `${base}/${sent.length}`;
      const body = method === 'DELETE' ? undefined : 'body';
      sent.push(path + (body ? JSON.stringify(body) : ''));
      const { status } = await askOnce(door, path, { method, body });
      if (status === 200) done.push(sent.at(-1)!);
      else expect(status).toBe(502);
      expect([dying.got.length > 0, done.length > 0]).toEqual([true, true]);
    });
    expect([...dying.got, ...living.got].toSorted()).toEqual(sent.toSorted());
    expect(living.got).toEqual(done);
  });

  // A proxy that has just failed to reach a node leaves it out for a while. So both methods that nginx treats apart are also
  // the first request.
  it.each([
    ['PUT', 'DELETE'],
    ['DELETE', 'PUT'],
  ])(
    'one gets all requests if the other one accepts no connection, the first of them %s',
    async (first, second) => {
      const { url, got } = await node(true);
      const closed = createServer().listen(0, '127.0.0.1');
      await once(closed, 'listening');
      const nobody = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
      closed.close();
      const door = await doors[proxy]([nobody, url], place);
      onTestFinished(() => door.stop());
      const send = async (...methods: string[]) => {
        for (const method of methods) {
          const sent = { method, body: 'x'.repeat(100_000) };
          expect([method, (await ask(door, `${base}/write`, sent)).status]).toEqual([method, 200]);
        }
      };
      await send(first, second, 'POST');
      // Longer than nginx leaves the node out.
      await sleep(2_100);
      await send(first, second);
      expect(got).toHaveLength(5);
    },
  );
});

describe('X-Forwarded-For from a source that is not trusted', () => {
  it('is logged once for each source', async () => {
    const logged: string[] = [];
    const log = pino({ level: 'warn' }, { write: text => void logged.push(text) });
    const service = await startService({ TRUSTED_PROXIES: '10.0.0.0/8' }, undefined, log);
    onTestFinished(() => service.stop());
    const forwarded = service.anyone.with({ 'x-forwarded-for': '203.0.113.7' });
    for (let i = 0; i < 3; i++) await forwarded.get('/healthz');
    await service.anyone.get('/healthz');
    const lines = logged.map(text => JSON.parse(text) as Record<string, unknown>);
    expect(lines.map(({ source, msg }) => [source, msg])).toEqual([
      ['127.0.0.1', 'X-Forwarded-For is ignored: TRUSTED_PROXIES does not list its sender'],
    ]);
  });
});

describe('the units for systemd', () => {
  const folder = join(project, 'deploy/systemd');
  const ANALYZE = '/usr/bin/systemd-analyze';

  it('set only settings that exist, and wait longer than the service for its end', async () => {
    for (const name of await readdir(folder)) {
      const unit = await readFile(join(folder, name), 'utf8');
      for (const [, pair] of unit.matchAll(/^Environment=(.*)$/gm))
        for (const setting of Object.keys(parseEnv(pair!)))
          expect([...settingNames, 'NODE_ENV']).toContain(setting);
    }
    const service = await readFile(join(folder, 'sii@.service'), 'utf8');
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(service)!;
    expect(Number(seconds)).toBeGreaterThan(readConfig({}).SHUTDOWN_SECONDS);
  });

  it.skipIf(!needs('systemd-analyze', existsSync(ANALYZE)))('are such as systemd reads them', async () => {
    const copies = await temporaryFolder();
    onTestFinished(() => rm(copies, { recursive: true }));
    const names = await readdir(folder);
    for (const name of names) {
      const unit = await readFile(join(folder, name), 'utf8');
      // The program is not installed here, and systemd looks for it.
      await writeFile(join(copies, name), unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    }
    for (const name of names) {
      const path = join(copies, name.replace('@', '@1'));
      const said = verify(ANALYZE, path);
      expect(said.split('\n').filter(line => line.includes(copies) || line.includes('sii'))).toEqual([]);
    }
  });
});

/** The messages of systemd about a unit; empty if there are none. */
function verify(program: string, path: string): string {
  const { stdout, stderr } = spawnSync(program, ['verify', '--man=no', path], { encoding: 'utf8' });
  return stdout + stderr;
}
