import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathAsked } from '../src/text/path-asked.ts';
import { Client } from './support/client.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService();
let below: TestService;
beforeAll(async () => {
  below = await startService({ BASE_PATH: '/sii' }, service());
});
afterAll(() => below.stop());

const materials = '/almoxarifadoquimicos/materiais';

/** The status that a server answers to a request line, for which `fetch` has no room. */
async function statusOf({ url }: TestService, line: string, headers: Record<string, string> = {}) {
  const all = { host: 'x', connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`),
    );
    let got = '';
    socket.on('data', chunk => (got += String(chunk)));
    socket.on('end', () => resolve(got));
    socket.on('error', reject);
  });
  return Number(answer.split(' ')[1]);
}

describe('a request line with a whole address', () => {
  it.each([
    ['http://any.example/healthz', 200],
    ['HTTP://any.example:8080/healthz?x=1', 200],
    ['https://any.example', 200],
    [`http://any.example${materials}/1`, 200],
    [`http://any.example${materials}?itemsPerPage=x`, 400],
    ['http://any.example/docs/start.js', 200],
    ['http://any.example/graphql?query={__typename}', 200],
    ['http://any.example/nowhere', 404],
  ])('means its path: GET %s is %i', async (target, status) => {
    const { token } = (await service().as('admin')).headers as { token: string };
    expect(await statusOf(service(), `GET ${target}`, { token })).toBe(status);
    expect(await statusOf(below, `GET ${target}`, { token })).toBe(status);
    const prefixed = target.replace('.example', '.example/sii').replace('/sii:8080', ':8080/sii');
    expect(await statusOf(below, `GET ${prefixed}`, { token })).toBe(status);
  });

  it('opens a WebSocket', async () => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'x',
    };
    // The key is wrong, so that the connection ends. Another path is 404.
    for (const target of ['/graphql', 'http://any.example/graphql', '/gr%61phql?x'])
      expect(await statusOf(service(), `GET ${target}`, headers)).toBe(400);
  });

  it.each(['ftp://any.example/healthz', '*'])('%s is none of a path of this service', async target => {
    expect(await statusOf(service(), `GET ${target}`)).toBe(404);
  });
});

describe('a path', () => {
  it.each([
    [materials, 200],
    [`${materials}/1`, 200],
    ['/healthz', 200],
    ['/docs', 200],
    ['/docs/session.js', 200],
    ['/openapi.json', 200],
    ['/schema.graphql', 200],
    ['/graphql?query={__typename}', 200],
    ['/nowhere', 404],
  ])('%s is the same with letters in percent-encoding: %i', async (path, status) => {
    const { headers } = await service().as('admin');
    const encoded = path.replace(
      /[\w.](?=[\w.]*(?:\?|$))/,
      letter => `%${letter.charCodeAt(0).toString(16)}`,
    );
    expect(encoded).not.toBe(path);
    expect((await new Client(service().url, headers).get(encoded)).status).toBe(status);
    expect((await new Client(below.url, headers).get(`/s%69i${encoded}`)).status).toBe(status);
  });

  it('is signed in any spelling', async () => {
    const { headers } = await below.as('admin');
    const client = new Client(below.url, headers);
    const caminho = `/s%69i${materials.replace('ma', 'm%61')}?export=true&titulo=%61`;
    const { data } = await client.graphql(
      'query ($caminho: String!) { download(caminho: $caminho) { url } }',
      {
        caminho,
      },
    );
    expect((await below.anyone.get(data.download.url)).status).toBe(200);
  });
});

it.each([
  ['/a?x=http://b/%61', '/a?x=http://b/%61'],
  ['//a/b', '//a/b'],
  ['/a#b?c', '/a'],
  ['/a?b#c', '/a?b'],
  ['/%7e%2D%2e%5F%30%5a', '/~-._0Z'],
  ['/%2f%3A%40%5b%60%7b%25', '/%2f%3A%40%5b%60%7b%25'],
  ['/%C3%A1%61', '/%C3%A1a'],
  // Decoding what is no encoding could make one of it.
  ['/%%34%31', '/%%341'],
  ['/%4%31', '/%4%31'],
  ['/%2541', '/%2541'],
  ['http://b', '/'],
  ['http://b?c', '/?c'],
  ['*', '/*'],
  ['ftp://b/c', '/ftp://b/c'],
])('%s asks for %s', (target, path) => {
  expect(pathAsked(target)).toBe(path);
  expect(pathAsked(path)).toBe(path);
});
