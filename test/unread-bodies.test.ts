import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { systemHeaders } from './support/client.ts';
import { useService } from './support/service.ts';

const service = useService({ FILES_MAX_BYTES: '100000' });
const WHOLE = 200_000_000;
/** Most bytes that the buffers of both sides may hold, in addition to the bytes read. */
const MOST_SENT = 40_000_000;

interface Sent {
  answer: string;
  bytes: number;
}

/** Sends the head of a request, and an endless body in pieces, until the service closes the connection. */
async function send(
  path: string,
  headers: Record<string, string>,
  pieces: { first?: string | Buffer; next: Buffer; chunked?: boolean },
): Promise<Sent> {
  const { hostname, port } = new URL(service().url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', data => (answer += String(data))).on('error', () => undefined);
  const closed = new Promise(resolve => socket.once('close', resolve));
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const chunked = pieces.chunked ?? true;
  const framing = chunked ? 'transfer-encoding: chunked' : `content-length: ${WHOLE}`;
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}${framing}\r\n\r\n`);
  const write = (piece: string | Buffer): boolean => {
    const bytes = Buffer.from(piece as string);
    if (!chunked) return socket.write(bytes);
    socket.write(`${bytes.length.toString(16)}\r\n`);
    socket.write(bytes);
    return socket.write('\r\n');
  };
  if (pieces.first) write(pieces.first);
  const more = (): void => {
    while (socket.writable && socket.bytesWritten < WHOLE && write(pieces.next));
  };
  socket.on('drain', more);
  more();
  await closed;
  return { answer, bytes: socket.bytesWritten };
}

const letters = Buffer.alloc(65_536, 'x');
const json = { 'content-type': 'application/json' };
const asSystem = { ...json, ...systemHeaders };
const materials = '/almoxarifadoquimicos/materiais';
const file = { id_tabela_origem: 1, nome_tabela_origem: 'x', nome: 'x.bin', tipo_mime: 'text/plain' };
const beginning = `${JSON.stringify(file).slice(0, -1)},"conteudo":"`;

describe('a body of 200 MB', () => {
  it.each<[string, string, Record<string, string>, Parameters<typeof send>[2]]>([
    ['to a REST path', materials, json, { first: '"', next: letters }],
    ['that says its length', materials, json, { next: letters, chunked: false }],
    ['to GraphQL', '/graphql', json, { first: '"', next: letters }],
    ['of a login', '/auth/login', asSystem, { first: '"', next: letters }],
    [
      'packed, which does not pack well',
      materials,
      { ...json, 'content-encoding': 'gzip' },
      { first: gzipSync(randomBytes(100_000)).subarray(0, 90_000), next: letters },
    ],
    [
      'packed, to GraphQL',
      '/graphql',
      { ...json, 'content-encoding': 'gzip' },
      { first: gzipSync(Buffer.alloc(5_000_000)).subarray(0, -20), next: letters },
    ],
    ['with a file', '/arquivosdigitais/arquivos-digitais', asSystem, { first: beginning, next: letters }],
    [
      'with other fields beside a file',
      '/arquivosdigitais/arquivos-digitais',
      asSystem,
      { first: '{"nome":"', next: letters },
    ],
  ])('%s is answered 413 at the limit, and is not read to its end', async (_, path, headers, pieces) => {
    const { token } = (await service().as('admin')).headers;
    const { answer, bytes } = await send(path, { ...headers, token: token! }, pieces);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).toContain('PAYLOAD_TOO_LARGE');
    expect(bytes).toBeLessThan(MOST_SENT);
  });

  it.each([
    ['of a form in parts', materials, { 'content-type': 'multipart/form-data; boundary=x' }, 415],
    ['to a path that there is not', '/nowhere', json, 404],
    ['to a page', '/docs', json, 405],
  ])('%s is refused without being read to its end', async (_, path, headers, status) => {
    const { token } = (await service().as('admin')).headers;
    const { answer, bytes } = await send(path, { ...headers, token: token! }, { next: letters });
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(bytes).toBeLessThan(MOST_SENT);
  });

  it('from a caller without the permission is refused without being read to its end', async () => {
    const { answer, bytes } = await send(materials, json, { next: letters });
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(bytes).toBeLessThan(MOST_SENT);
  });
});

it('a client that sends a little too much before it reads still gets its answer', async () => {
  const admin = await service().as('admin');
  const answer = await admin.raw(materials, { method: 'POST', body: 'x'.repeat(2_000_000), headers: json });
  expect(answer.status).toBe(413);
});
