import { once } from 'node:events';
import { createServer, get, request, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { buffer, json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endStalled } from '../src/http/pace.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { build, useProcesses } from './support/process.ts';

const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

async function open(url: string, start: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.add(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (start) socket.write(start);
  return socket;
}

describe('a running service', () => {
  const { service } = useProcesses();
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  beforeAll(async () => {
    await build();
    database = await cloneDatabase();
  });
  afterAll(() => database.drop());

  const files = '/arquivosdigitais/arquivos-digitais';

  /** Sends a file of this many bytes at a megabyte per second. */
  async function upload({ url, headers }: Client, bytes: number): Promise<number> {
    const file = { id_tabela_origem: 1, nome_tabela_origem: 'x', nome: 'x.bin', tipo_mime: 'text/plain' };
    const conteudo = Buffer.alloc(bytes, 'x').toString('base64');
    const body = Buffer.from(JSON.stringify({ ...file, criado_por: 1, alterado_por: 1, conteudo }));
    const sent = request(url + files, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    for (let at = 0; at < body.length; at += 50_000) {
      sent.write(body.subarray(at, at + 50_000));
      await sleep(50);
    }
    sent.end();
    const [response] = await answered;
    await json(response);
    return response.statusCode!;
  }

  it('serves others while hundreds of clients send headers and bodies slowly, or nothing, and ends in order', async () => {
    const run = service({ DATABASE_URL: database.url, DATABASE_POOL: '4', LOG_LEVEL: 'warn' });
    const admin = (await (await run.client()).login('admin')).with(systemHeaders);
    const headers = Object.entries(admin.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const body = `POST ${files} HTTP/1.1\r\nHost: x\r\n${headers.join('')}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"conteudo":"`;
    const starts = ['', 'GET /readyz HTTP/1.1\r\nHost: x\r\nX: ', body];
    const clients = await Promise.all(
      Array.from({ length: 500 }, (_, i) => open(admin.url, starts[i % starts.length]!)),
    );
    const trickle = setInterval(() => {
      for (const [i, client] of clients.entries()) if (i % starts.length > 0) client.write('A');
    }, 200);
    let uploaded: number | undefined;
    // Each person may send a limited number of files at a time. Those of the admin are in use.
    const other = (await (await run.client()).login('almoxarife')).with(systemHeaders);
    const [{ id_pessoa }] = (await other.get('/permissoes/autenticacoes')).body.data;
    const [{ id }] = (await admin.get('/permissoes/perfis?nome=Protocolo')).body.data;
    await admin.post('/permissoes/permissoes', { id_pessoa, id_perfil: id });
    const uploading = upload(other, 1_500_000).then(status => (uploaded = status));
    let served = 0;
    while (uploaded === undefined || served < 200) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => admin.get('/almoxarifadoquimicos/materiais/1')),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      served += answers.length;
    }
    expect(await uploading).toBe(201);
    expect((await admin.get('/readyz')).status).toBe(200);
    clearInterval(trickle);
    for (const [i, client] of clients.entries()) if (i % starts.length === 2) client.destroy();
    expect(await run.stop()).toEqual({ code: 0, signal: null });
  });
});

describe('an answer', () => {
  const LOOK_MS = 500;
  const server = createServer();
  let url: string;
  beforeAll(async () => {
    endStalled(server, { bytes: 1_000, everyMs: LOOK_MS });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const SIZE = 20_000_000;
  const answering = (listener: RequestListener): void => void server.once('request', listener);
  /** Sent like an export: in chunks, each when there is room. */
  const inPieces: RequestListener = (_req, res) => {
    const pieces = Array.from({ length: SIZE / 100_000 }, () => Buffer.alloc(100_000));
    pipeline(pieces, res).catch(() => undefined);
  };
  const whole: RequestListener = (_req, res) => void res.end(Buffer.alloc(SIZE));

  const start = async (): Promise<IncomingMessage> => {
    const [response] = (await once(get(url), 'response')) as [IncomingMessage];
    return response;
  };

  it.each([
    ['in pieces', inPieces],
    ['as a whole', whole],
  ])('%s that its client does not read is broken off', async (_name, listener) => {
    const closed = new Promise(resolve =>
      answering((req, res) => {
        res.once('close', resolve);
        listener(req, res);
      }),
    );
    const response = await start();
    await closed;
    await expect(buffer(response)).rejects.toThrow('aborted');
  });

  it('over WebSocket that its client does not read is broken off', async () => {
    const upgraded = once(server, 'upgrade') as Promise<[IncomingMessage, Socket]>;
    await open(url, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const [, stream] = await upgraded;
    stream.write(Buffer.alloc(SIZE));
    await once(stream, 'close');
    expect(stream.destroyed).toBe(true);
  });

  it.each([
    ['in pieces', inPieces],
    ['as a whole', whole],
  ])('%s that its client reads slowly but steadily is sent to its end', async (_name, listener) => {
    answering(listener);
    const response = await start();
    let size = 0;
    for await (const chunk of response) {
      size += (chunk as Buffer).length;
      await sleep(30);
    }
    expect(size).toBe(SIZE);
  });

  it('that its client reads in gulps, as the buffers of its system make it, is sent to its end', async () => {
    answering(inPieces);
    const response = await start();
    let size = 0;
    let pauses = 0;
    for await (const chunk of response) {
      size += (chunk as Buffer).length;
      if (size < (pauses * SIZE) / 5) continue;
      pauses++;
      await sleep(2 * LOOK_MS);
    }
    expect(size).toBe(SIZE);
  });

  it('that takes the service long is not mistaken for one that waits for its client', async () => {
    answering((_req, res) => {
      res.write('a');
      setTimeout(() => res.end('b'), 1_500);
    });
    expect(String(await buffer(await start()))).toBe('ab');
  });
});
