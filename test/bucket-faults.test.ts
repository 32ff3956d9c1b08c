import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it } from 'vitest';
import { requestTexts } from '../src/request/messages.ts';
import { files, useBucket } from './support/bucket.ts';
import { systemHeaders } from './support/client.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import { expectProblem } from './support/problem.ts';
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
