import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import { build, eventually, useProcesses } from './support/process.ts';
import { sql } from './support/sql.ts';

const { npm, service } = useProcesses();
const inOrder = { code: 0, signal: null };
const atOnce = { code: 1, signal: null };

let database: Awaited<ReturnType<typeof cloneDatabase>>;

/** So many rows, and so wide, that an export of them does not fit into the buffers between service and client. */
const EXPORTED = 4_000;
const fill = `insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
  select 'Lote de teste', repeat('descrição ', 400), 'L', 1 from generate_series(1, ${EXPORTED})`;

beforeAll(async () => {
  await build();
  database = await cloneDatabase();
  await sql(database.url, fill);
});
afterAll(() => database.drop());

/** A running service, and an export of which the client has read only the first rows. */
async function withExport(environment: NodeJS.ProcessEnv = {}) {
  const run = service({ DATABASE_URL: database.url, ...environment });
  const admin = await (await run.client()).login('admin');
  return { run, url: admin.url, download: await startExport(admin) };
}

async function startExport({ url, headers }: Client): Promise<IncomingMessage> {
  const path = '/almoxarifadoquimicos/materiais?export=true&titulo=lote+de+teste';
  const sent = request(url + path, { headers, agent: new Agent({ keepAlive: true }) }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  // From now on the answer shows what fails.
  sent.on('error', () => undefined);
  return response;
}

async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  return socket;
}

/** Resolves when nobody listens any more. Connections made until then are left open and silent. */
const refused = (url: string): Promise<void> =>
  eventually(async () => expect(await openSocket(url).catch(error => error.code)).toBe('ECONNREFUSED'));

test('SIGTERM lets the requests in flight finish, accepts no new ones, and keeps no idle connection', async () => {
  const { run, url, download } = await withExport();
  await openSocket(url);
  const idle = await openSocket(url);
  idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(idle, 'data');
  // As a proxy keeps it for a next request.
  const kept = await openSocket(url);
  kept.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(kept, 'data');
  const asking = await openSocket(url);
  asking.write('GET /readyz HTTP/1.1\r\nHost: x\r\n');
  // When this is answered, the earlier bytes on another connection have been read, too.
  await fetch(`${url}/healthz`);

  const exit = run.stop();
  const idleClosed = once(idle, 'close');
  await refused(url);
  kept.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
  asking.write('\r\n');
  expect(await text(kept)).toMatch(/^HTTP\/1.1 503 [^]*^connection: close\r$/im);
  const answer = await text(asking);
  expect(answer).toMatch(/^HTTP\/1.1 503 /);
  expect(answer).toMatch(/^connection: close\r$/im);
  expect(answer).toContain('{"status":"stopping","database":"ok","storage":"ok"}');

  await idleClosed;

  const lines = (await text(download)).trim().split('\r\n');
  expect(lines).toHaveLength(EXPORTED + 1);
  expect(await exit).toEqual(inOrder);
});

test('a request that does not finish within SHUTDOWN_SECONDS is cut off, with exit code 1', async () => {
  const { run, download } = await withExport({ SHUTDOWN_SECONDS: '3' });
  expect(await run.stop()).toEqual(atOnce);
  expect(run.stderr).toContain('not stopped after 3 s: forced exit');
  expect(run.stderr).toContain('raise SHUTDOWN_SECONDS above STATEMENT_TIMEOUT_MS + 5 s');
  await expect(text(download)).rejects.toThrow('aborted');
});

test('a silent database delays neither requests, nor an export, nor the end', async () => {
  const { proxy, url: DATABASE_URL } = await FaultProxy.before(database.url);
  const { run, url, download } = await withExport({ DATABASE_URL, STATEMENT_TIMEOUT_MS: '500' });
  const { token } = (await new Client(url).login('admin')).headers;
  try {
    proxy.begin({ kind: 'stall' });
    const [reading, probing] = [await openSocket(url), await openSocket(url)];
    reading.write(`GET /almoxarifadoquimicos/materiais/1 HTTP/1.1\r\nHost: x\r\ntoken: ${token}\r\n\r\n`);
    probing.write('GET /readyz HTTP/1.1\r\nHost: x\r\n');
    await fetch(`${url}/healthz`);
    const exit = run.stop();
    await refused(url);
    // A request that arrives so late is waited for as well, longer than an idle connection.
    probing.write('\r\n');
    expect(await text(reading)).toMatch(/^HTTP\/1.1 503 /);
    expect(await text(probing)).toContain('"status":"stopping","database":"away"');
    await expect(text(download)).rejects.toThrow('aborted');
    expect(await exit).toEqual(inOrder);
    expect(run.stderr).not.toContain('cut off');
  } finally {
    await proxy.stop();
  }
});

test('a second signal cuts off open requests, unless the same Ctrl-C arrived twice', async () => {
  const { run, url } = await withExport();
  run.child.kill('SIGINT');
  run.child.kill('SIGINT');
  await refused(url);
  await eventually(() => {
    run.child.kill('SIGINT');
    if (run.child.exitCode === null) throw new Error('still stopping');
  });
  expect(await run.exited).toEqual(atOnce);
  expect(run.stderr).toContain('SIGINT again: forced exit');
});

/** Without compiling again. */
const compiled = '--ignore-scripts';
test.each([
  ['SIGTERM to npm', ['--', '--pretty'], 'INFO: ', (npm: number) => process.kill(npm, 'SIGTERM')],
  ['Ctrl-C in the terminal', [compiled], '"pid":', (npm: number) => process.kill(-npm, 'SIGINT')],
  [
    'SIGTERM to the service',
    [compiled],
    '"pid":',
    (_: number, log: string) => process.kill(pidIn(log), 'SIGTERM'),
  ],
])('a service started by npm start ends in order on %s', async (_name, args, line, send) => {
  const run = npm(['start', ...args], { DATABASE_URL: database.url });
  const { url } = await run.client();
  await fetch(`${url}/healthz`);
  await run.logged(line);
  send(run.pid, run.stderr);
  expect(await run.exited).toEqual(inOrder);
  expect(run.stderr).toMatch(/SIG(TERM|INT): stopping/);
  await refused(url);
});

const pidIn = (log: string): number => Number(/"pid":(\d+)/.exec(log)![1]);

test('a request is logged soon after its answer, and the last ones when the process ends', async () => {
  const run = service({ DATABASE_URL: database.url });
  const url = await run.ready();
  const ask = (id: string) => fetch(`${url}/nowhere`, { headers: { 'x-request-id': id } });
  await ask('an-early-request');
  await run.logged('an-early-request');
  await ask('the-last-request');
  await run.stop();
  expect(run.stderr).toContain('the-last-request');
});

test('an error that nobody caught is logged, and ends the service in the same order with code 1', async () => {
  const bug = encodeURIComponent('process.on("SIGUSR2", () => { throw new Error("a bug"); })');
  const { run, download } = await withExport({ NODE_OPTIONS: `--import=data:text/javascript,${bug}` });
  run.child.kill('SIGUSR2');
  await run.logged('a bug');
  expect((await text(download)).trim().split('\r\n')).toHaveLength(EXPORTED + 1);
  expect(await run.exited).toEqual({ code: 1, signal: null });
  expect(run.stderr).not.toContain('cut off');
});
