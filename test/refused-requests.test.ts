import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const path = '/almoxarifadoquimicos/materiais';

/** What the service sends for these bytes until it closes the connection. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(service().url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', piece => (text += piece));
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

/** The only answer on a connection that is then closed. */
async function only(bytes: string): Promise<Answer> {
  const text = await exchange(bytes);
  expect(text.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  const [head, body] = text.split('\r\n\r\n');
  const [line, ...lines] = head!.split('\r\n');
  const headers = new Headers(lines.map(one => one.split(/: (.*)/).slice(0, 2) as [string, string]));
  return { status: Number(line!.split(' ')[1]), headers, body: JSON.parse(body || 'null') };
}

/** It has the headers of every answer, and ends the connection. */
function expectGuarded({ headers }: Answer): void {
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(Date.parse(headers.get('date')!)).not.toBeNaN();
  expect(headers.get('connection')).toBe('close');
}

const closing = 'Connection: close\r\n';
const chunked = 'Host: x\r\nTransfer-Encoding: chunked\r\n';

describe('a request that is refused before it is read', () => {
  it.each([
    ['that names no host', `GET ${path} HTTP/1.1\r\n\r\n`],
    ['that names no host, to a page', `GET /docs HTTP/1.1\r\n\r\n`],
    ['that names no host, and has a body', `POST ${path} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}`],
    ['that names two hosts', `GET /healthz HTTP/1.1\r\nHost: a\r\nHOST: b\r\n\r\n`],
    ['of a method that does not exist', `FOO ${path} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['to another server', `CONNECT db:5432 HTTP/1.1\r\nHost: db:5432\r\n\r\n`],
    ['with too many headers', `GET ${path} HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['that is none', 'anything\r\n\r\n'],
  ])('gets a problem with the headers of every answer: one %s', async (_which, bytes) => {
    const answer = await only(bytes);
    expectProblem(answer, 400, 'BAD_REQUEST');
    expectGuarded(answer);
  });

  it('in the middle of its body gets one, too', async () => {
    const type = 'Content-Type: application/json\r\n';
    expectProblem(await only(`POST /auth/login HTTP/1.1\r\n${chunked}${type}\r\nzz\r\n`), 400, 'BAD_REQUEST');
  });

  it('behind one that is still being answered does not take the place of its answer', async () => {
    const { status, headers, body } = await only('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\nanything\r\n\r\n');
    expect([status, body.status, headers.get('connection')]).toEqual([200, 'ready', 'close']);
  });

  it('is told what is missing, in its language', async () => {
    const { body } = await only(`GET ${path} HTTP/1.1\r\nAccept-Language: en\r\n\r\n`);
    expect(body.detail).toBe('An HTTP/1.1 request has exactly one Host header.');
  });
});

const offerOf = (key: string, version = 13): string =>
  `Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: ${version}\r\nSec-WebSocket-Key: ${key}\r\n`;
const REQUEST = '0b0b1a2c-9c4e-4f0e-8d7a-3f5f6e7d8c9b';
const KEY = `${'A'.repeat(22)}==`;

describe('a WebSocket that is refused', () => {
  it.each([
    ['where there is none', `GET /nothing HTTP/1.1\r\n${offerOf(KEY)}`, 404, 'NOT_FOUND'],
    [
      'of a page of others',
      `GET /graphql HTTP/1.1\r\n${offerOf(KEY)}Origin: https://y\r\n`,
      403,
      'FORBIDDEN',
    ],
    ['without a sound key', `GET /graphql HTTP/1.1\r\n${offerOf('A')}`, 400, 'BAD_REQUEST'],
    ['of another version', `GET /graphql HTTP/1.1\r\n${offerOf(KEY, 7)}`, 400, 'BAD_REQUEST'],
    ['by POST', `POST /graphql HTTP/1.1\r\n${offerOf(KEY)}`, 400, 'BAD_REQUEST'],
  ])('gets a problem with the headers of every answer: one %s', async (_which, head, status, code) => {
    const answer = await only(`${head}Accept-Language: en\r\nX-Request-Id: ${REQUEST}\r\n\r\n`);
    expectProblem(answer, status, code);
    expect(answer.headers.get('content-language')).toBe('en');
    expect(answer.headers.get('x-request-id')).toBe(REQUEST);
    expectGuarded(answer);
    expect(answer.headers.get('sec-websocket-version')).toBe(status === 400 ? '13' : null);
  });

  it('is no connection any more, whether its client closes it or not', async () => {
    const port = Number(new URL(service().url).port);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const ended = once(socket.resume(), 'end');
    socket.write(`GET /nothing HTTP/1.1\r\n${offerOf(KEY)}\r\n`);
    await ended;
    // The system refuses what is sent to a connection that is gone.
    const gone = new Promise<NodeJS.ErrnoException>(resolve => void socket.on('error', resolve));
    const sending = setInterval(() => socket.write('x'), 20);
    onTestFinished(() => {
      clearInterval(sending);
      socket.destroy();
    });
    expect((await gone).code).toMatch(/^(ECONNRESET|EPIPE)$/);
  });
});

describe('a request that needs nothing of this is answered as usual', () => {
  it.each([
    ['of HTTP/1.0, which knows no hosts', 'HTTP/1.0', ''],
    ['that expects what nobody knows', 'HTTP/1.1', 'Host: x\r\nExpect: much\r\n'],
    [
      'that offers HTTP/2, as the HTTP client of Java does',
      'HTTP/1.1',
      'Host: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n',
    ],
  ])('one %s', async (_which, version, lines) => {
    const close = lines.includes('close') ? '' : closing;
    const { status, body } = await only(`GET /healthz ${version}\r\n${lines}${close}\r\n`);
    expect([status, body]).toEqual([200, { status: 'ok' }]);
  });
});
