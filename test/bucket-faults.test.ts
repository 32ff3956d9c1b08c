import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { requestTexts } from '../src/request/messages.ts';
import { endIfSilent } from '../src/storage/bucket-answers.ts';
import { everything, makeCaller } from './support/administration.ts';
import { files, useBucket } from './support/bucket.ts';
import { systemHeaders } from './support/client.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import { expectProblem } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { startService } from './support/service.ts';

let proxy: FaultProxy;
const bucket = useBucket(
  async bucketUrl => {
    const through = await FaultProxy.before(bucketUrl);
    proxy = through.proxy;
    return { url: through.url, stop: () => proxy.stop() };
  },
  { STATEMENT_TIMEOUT_MS: '500' },
);

const send = (invoice: number) => bucket.send(invoice, randomBytes(1000));

it('a bucket that stops answering delays only requests that need it, and these only up to the limit of a request', async () => {
  const { id } = (await send(9001)).body;
  proxy.begin({ kind: 'stall' });
  const probes = Array.from({ length: 30 }, () => bucket.service.anyone.get('/readyz'));
  const needing = [
    send(9002),
    bucket.admin.get(`${files}/${id}`),
    bucket.admin.get(`${files}?verificarArquivos=true&idTabelaOrigem=9001`),
  ];
  for (const probe of await Promise.all(probes))
    expect(probe).toMatchObject({ status: 200, body: { status: 'ready', storage: 'away' } });
  expect((await bucket.admin.get('/almoxarifadoquimicos/materiais/1')).status).toBe(200);
  for (const answer of await Promise.all(needing)) {
    expectProblem(answer, 503, 'UNAVAILABLE');
    expect(answer.body.detail).toBe(requestTexts.tookTooLong.pt);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  proxy.end();
  expect((await bucket.admin.get(`${files}/${id}`)).status).toBe(200);
  expect((await send(9003)).status).toBe(201);
  // A request that was aborted has no effect afterwards.
  const rows = 'select count(*)::int from arquivo_digital where id_tabela_origem = any($1)';
  expect(await bucket.service.sql(rows, [[9001, 9002, 9003]])).toEqual([[2]]);
  expect((await bucket.service.anyone.get('/readyz')).body.storage).toBe('ok');
});

it('an endless error answer of a bucket is cut off, and not buffered in memory', async () => {
  const { id } = (await send(9004)).body;
  const sockets = new Set<Socket>();
  const flood = createServer((_req, res) => {
    sockets.add(res.socket!);
    res.writeHead(500, { 'content-type': 'application/xml' });
    const more = (): void => {
      while (!res.destroyed && res.write(Buffer.alloc(65_536, 'x')));
    };
    res.on('drain', more);
    more();
  }).listen(0, '127.0.0.1');
  await once(flood, 'listening');
  const endpoint = `http://127.0.0.1:${(flood.address() as AddressInfo).port}`;
  const beside = await startService(
    { ...bucket.storage.environment, FILES_S3_ENDPOINT: endpoint },
    bucket.service,
  );
  try {
    const client = (await beside.as('admin')).with(systemHeaders);
    expectProblem(await client.get(`${files}/${id}`), 503, 'UNAVAILABLE');
    expect(sockets.size).toBeGreaterThan(0);
    // Including the buffers of both sides.
    for (const { bytesWritten } of sockets) expect(bytesWritten).toBeLessThan(40_000_000);
  } finally {
    await beside.stop();
    flood.closeAllConnections();
    flood.close();
  }
});

/** A content that the buffers between a bucket and a client do not hold. */
const LARGE = 20_000_000;
const SILENCE_MS = 1_000;

/** Begins to read a large content, on a service that waits for its bucket for a second. */
async function downloading(invoice: number) {
  const content = randomBytes(LARGE);
  const { id } = (await bucket.send(invoice, content)).body;
  const settings = {
    ...bucket.storage.environment,
    FILES_S3_ENDPOINT: bucket.url,
    FILES_S3_TIMEOUT_MS: String(SILENCE_MS),
  };
  const beside = await startService(settings, bucket.service);
  const { headers } = (await beside.as('admin')).with(systemHeaders);
  const request = get(`${beside.url}${files}/${id}`, {
    headers: { ...headers, accept: 'application/octet-stream' },
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return { content, answer, stop: () => beside.stop() };
}

it('a client that reads slower than the bucket sends gets the whole content', async () => {
  const { content, answer, stop } = await downloading(9005);
  try {
    const read: Buffer[] = [];
    let pauses = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      read.push(chunk);
      if (pauses++ < 3) await sleep(1.5 * SILENCE_MS);
    }
    expect(Buffer.concat(read).equals(content)).toBe(true);
  } finally {
    await stop();
  }
});

it('a bucket that falls silent in the middle of a content ends the answer, and the client sees that it is cut', async () => {
  const { answer, stop } = await downloading(9006);
  try {
    proxy.begin({ kind: 'stall' });
    await expect(answer.resume().toArray()).rejects.toThrow('aborted');
  } finally {
    proxy.end();
    await stop();
  }
});

it('a reader who makes room just before it is looked whether the bucket is silent gets the whole content', async () => {
  const server = createServer((_req, res) => void res.end(randomBytes(LARGE))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [body] = (await once(get({ port: (server.address() as AddressInfo).port }), 'response')) as [
    IncomingMessage,
  ];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    endIfSilent(body, SILENCE_MS);
    await once(body, 'readable');
    vi.advanceTimersByTime(SILENCE_MS);
    await eventually(() => expect(body.readableLength).toBeGreaterThanOrEqual(body.readableHighWaterMark));
    vi.advanceTimersByTime(2 * SILENCE_MS);
    const first = body.read() as Buffer;
    vi.advanceTimersByTime(SILENCE_MS);
    expect(first.length + Buffer.concat(await body.toArray()).length).toBe(LARGE);
  } finally {
    vi.useRealTimers();
    server.close();
  }
});

it('people who read contents slowly leave connections to the bucket for the others', async () => {
  const { id } = (await bucket.send(9007, randomBytes(LARGE))).body;
  const { id: other } = (await bucket.send(9008, randomBytes(1000))).body;
  const people = await Promise.all(Array.from({ length: 6 }, () => makeCaller(bucket.service, everything)));
  const reading = people.slice(0, 5).flatMap(({ client }) =>
    Array.from({ length: 10 }, () =>
      get(`${client.url}${files}/${id}`, {
        headers: { ...client.with(systemHeaders).headers, accept: 'application/octet-stream' },
      }).on('error', () => undefined),
    ),
  );
  try {
    const answers = (await Promise.all(reading.map(one => once(one, 'response')))) as [IncomingMessage][];
    expect(answers.map(([{ statusCode }]) => statusCode)).toEqual(reading.map(() => 200));
    const next = people[5]!.client.with({ ...systemHeaders, accept: 'application/octet-stream' });
    expect((await next.get(`${files}/${other}`)).status).toBe(200);
  } finally {
    for (const one of reading) one.destroy();
  }
});
