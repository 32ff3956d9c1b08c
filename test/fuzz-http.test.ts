import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PATIENCE_MS } from './support/eventually.ts';
import { fuzzing } from './support/fuzzing.ts';
import { problemsOfGraphQL, problemsOfRest, Watch } from './support/fuzz-watch.ts';

vi.setConfig({ testTimeout: 3_600_000 });

let watch: Watch;
beforeAll(async () => {
  watch = await Watch.start();
});
afterAll(() => watch.stop());

const place = '/almoxarifadoquimicos/icones-risco';
const body = JSON.stringify({ nome: 'Chama', criado_por: 1, alterado_por: 1 });

/** A request that creates a record, as the bytes of a connection; `lines` are headers beside the usual ones. */
async function creation(lines: string, sent: string): Promise<string> {
  const headers = { host: 'x', ...(await watch.headers()), 'content-type': 'application/json' };
  const usual = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${place} HTTP/1.1\r\n${usual.join('')}${lines}\r\n${sent}`;
}

const CUT_OFF = 'that is cut off';

/** What the service answers to these bytes, until it closes the connection or is silent for so many milliseconds. */
function exchange(bytes: Buffer, silence: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(watch.service.url).port), '127.0.0.1');
    const answer: Buffer[] = [];
    socket.on('data', chunk => answer.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(answer).toString()));
    // Half a request waits for its other half, which never comes.
    socket.setTimeout(silence, () => socket.end());
    socket.write(bytes);
  });
}

const statuses = (answer: string): number[] =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(match => Number(match[1]));

/** Every answer is a success, or a client error that is not an HTML page. */
function expectPolite(answer: string, bytes: string): void {
  const message = `${JSON.stringify(bytes)}\n${answer}`;
  expect(
    statuses(answer).filter(status => status >= 500),
    message,
  ).toEqual([]);
  expect(answer, message).not.toMatch(/<html|<!doctype|node:internal| at .+\.[jt]s/i);
}

const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const chunkedLine = 'Transfer-Encoding: chunked\r\n';
const length = `Content-Length: ${body.length}\r\n`;
/**
 * A second request, hidden in the body of a first one. Only a server that reads the length differently would see it.
 */
const hidden = `DELETE ${place}/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

describe('a body', () => {
  it.each([
    ['with its length', length, body, 201],
    ['in chunks', chunkedLine, chunked, 201],
    [
      'in chunks with extensions and a trailer',
      chunkedLine,
      `1;a=b\r\n{\r\n${(body.length - 1).toString(16)}\r\n${body.slice(1)}\r\n0\r\nX: y\r\n\r\n`,
      201,
    ],
    ['with both, one of which lies', `${chunkedLine}Content-Length: 4\r\n`, chunked, 400],
    ['with two lengths', `${length}Content-Length: 4\r\n`, body, 400],
    ['with a signed length', `Content-Length: +${body.length}\r\n`, body, 400],
    ['with a negative length', 'Content-Length: -1\r\n', body, 400],
    ['with a length beyond any number', 'Content-Length: 99999999999999999999\r\n', body, 400],
    ['that is too large', 'Content-Length: 1000001\r\n', body.padEnd(1_000_001), 413],
    [CUT_OFF, 'Content-Length: 1000\r\n', body, 400],
    ['in chunks of negative size', chunkedLine, `-1\r\n${body}\r\n0\r\n\r\n`, 400],
    ['in chunks of too many digits', chunkedLine, `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`, 400],
    ['in chunks that are then compressed', 'Transfer-Encoding: chunked, gzip\r\n', chunked, 400],
    ['in no chunks', 'Transfer-Encoding: identity\r\n', body, 400],
    ['in chunks by a name with a space', `Transfer-Encoding : chunked\r\n`, chunked, 400],
    ['in chunks by an odd name', 'Transfer-Encoding: xchunked\r\n', chunked, 400],
    ['after a folded header', ` x\r\n${length}`, body, 400],
    ['after a header with NUL', `X: a\0b\r\n${length}`, body, 400],
    ['after too many bytes of headers', `X: ${'x'.repeat(20_000)}\r\n${length}`, body, 400],
  ])('%s is read or refused, and no second request is hidden in it', async (name, lines, sent, status) => {
    const count = async (): Promise<unknown> =>
      (await watch.service.sql('select count(*)::int from icone_risco'))[0]![0];
    const before = (await count()) as number;
    const bytes = (await creation(lines, sent)) + hidden;
    const answer = await exchange(Buffer.from(bytes), name === CUT_OFF ? 500 : PATIENCE_MS);
    expectPolite(answer, bytes);
    expect(statuses(answer)[0]).toBe(status);
    expect(await count()).toBe(before + (status === 201 ? 1 : 0));
    if (status === 400) expect(answer).toContain('application/problem+json');
  });
});

describe('a compressed body', () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000, ' '), { level: 9 });
  const text = Buffer.from(body);
  const compressed: [name: string, encoding: string, body: Buffer, status: number][] = [
    ['by gzip', 'gzip', gzipSync(text), 201],
    ['by deflate', 'deflate', deflateSync(text), 201],
    ['by Brotli', 'br', brotliCompressSync(text), 201],
    ['that grows beyond the limit', 'gzip', bomb, 413],
    ['twice', 'gzip, gzip', gzipSync(gzipSync(text)), 415],
    ['by what nobody knows', 'zstd2', text, 415],
    ['and cut off', 'gzip', gzipSync(text).subarray(0, -12), 400],
    ['that is not', 'gzip', text, 400],
    ['by Brotli that is not', 'br', text, 400],
  ];

  it.each(compressed)('%s is read or refused', async (_name, encoding, sent, status) => {
    const type = { 'content-type': 'application/json', 'content-encoding': encoding };
    const headers = { ...(await watch.headers()), ...type };
    const wire = { method: 'POST', target: place, headers, body: sent };
    expect((await watch.expectHarmless(wire, problemsOfRest)).status).toBe(status);
    const onGraphQL = { ...wire, target: '/graphql' };
    expect((await watch.expectHarmless(onGraphQL, problemsOfGraphQL)).status).toBe(
      status === 201 ? 400 : status,
    );
  });
});

it('whatever bytes arrive on a connection, the service answers properly and goes on', async () => {
  const valid = [await creation(length, body), await creation(chunkedLine, chunked), hidden];
  const snippet = fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    '\0',
    ' ',
    ':',
    '\t',
    '\x7f',
    'é',
    ';',
    '0',
    '-',
    'HTTP/9.9',
    'Host: y\r\n',
    chunkedLine,
    length,
    hidden,
  );
  const change = fc.record({
    at: fc.nat(700),
    drop: fc.nat(6),
    put: fc.oneof(fc.constant(''), snippet, fc.string({ unit: 'binary', maxLength: 4 })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...valid),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (start, changes) => {
        const bytes = changes.reduce(
          (so, { at, drop, put }) => so.slice(0, at) + put + so.slice(at + drop),
          start,
        );
        expectPolite(await exchange(Buffer.from(bytes, 'latin1'), 20), bytes);
        expect(watch.complaints()).toEqual([]);
      },
    ),
    fuzzing(200),
  );
  expect((await watch.service.anyone.get('/healthz')).status).toBe(200);
});
