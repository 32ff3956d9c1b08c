import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { makeSystem } from './support/api-keys.ts';
import { startService, useService, type TestService } from './support/service.ts';
import { readThrough } from './support/statements.ts';

const service = useService();
const materials = '/almoxarifadoquimicos/materiais';
const MANY = 3_000;
let admin: Client;
let off: TestService;

beforeAll(async () => {
  admin = (await service().as('admin')).with(systemHeaders);
  off = await startService({ COMPRESSION: 'false' }, service());
  await service().sql(
    `insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
     select 'Reagente ' || lpad(n::text, 6, '0'), 'às vezes', 'S', 1 from generate_series(1, $1::int) n`,
    [MANY],
  );
});
afterAll(() => off.stop());

interface Asked {
  at?: TestService;
  method?: string;
  /** Undefined: the header is not sent. */
  encoding?: string | undefined;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The answer as it is sent. `fetch` would undo the encoding. */
async function open(path: string, asked: Asked = {}): Promise<IncomingMessage> {
  const { at = service(), method = 'GET', encoding, body } = asked;
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const coded = encoding === undefined ? {} : { 'accept-encoding': encoding };
  const headers = { ...admin.headers, ...json, ...coded, ...asked.headers };
  const sent = request(at.url + path, { method, headers });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

async function send(path: string, asked: Asked = {}): Promise<Received> {
  const response = await open(path, asked);
  return { status: response.statusCode!, headers: response.headers, bytes: await buffer(response) };
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
const page = `${materials}?pagination=true&itemsPerPage=100`;

describe('a long text', () => {
  it.each([
    ['a page', page],
    ['a list in parts', `${materials}?titulo=reagente`],
    ['a csv', `${materials}?export=true&titulo=reagente`],
    ['the document of the paths', '/openapi.json'],
    ['a script of a page', '/docs/swagger-ui-bundle.js'],
    ['the schema', '/schema.graphql'],
    ['the index', '/'],
  ])('is sent compressed to a client that asks for it: %s', async (_what, path) => {
    const plain = await send(path);
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [encoding, decode] of Object.entries(decoders)) {
      const { status, headers, bytes } = await send(path, { encoding });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        vary: expect.stringContaining('Accept-Encoding'),
        'content-type': plain.headers['content-type'],
      });
      expect(headers['content-length']).toBeUndefined();
      expect(bytes.length).toBeLessThan(plain.bytes.length * 0.7);
      expect(decode(bytes).equals(plain.bytes)).toBe(true);
    }
  });

  it('is compressed in answers of GraphQL, and in errors', async () => {
    const query = '{ materiais(itemsPerPage: 100) { data { titulo descricao } } }';
    const asked = { method: 'POST', body: { query } };
    const answer = await send('/graphql', { ...asked, encoding: 'gzip' });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(answer.bytes).equals((await send('/graphql', asked)).bytes)).toBe(true);
    const movimentacoes = Array.from({ length: 50 }, () => ({}));
    const path = '/almoxarifadoquimicos/movimentacoes-estoque';
    const refused = await send(path, { method: 'POST', body: { movimentacoes }, encoding: 'gzip' });
    expect([refused.status, refused.headers['content-encoding']]).toEqual([422, 'gzip']);
  });

  it('is sent in the coding that the client prefers, and as it is to one that takes none', async () => {
    const codingOf = async (encoding: string) => (await send(page, { encoding })).headers['content-encoding'];
    expect(await codingOf('gzip, deflate, br')).toBe('br');
    expect(await codingOf('gzip;q=1, br;q=0.5')).toBe('gzip');
    for (const none of ['', 'identity', 'gzip;q=0, br;q=0', 'zstd'])
      expect(await codingOf(none)).toBeUndefined();
    const { headers } = await send(page, { at: off, encoding: 'br, gzip' });
    expect([headers['content-encoding'], headers.etag]).toEqual([undefined, expect.stringMatching(/^"/)]);
  });

  it('has a weak tag when it is compressed, which is known in both forms', async () => {
    const strong = (await send(page)).headers.etag!;
    const weak = (await send(page, { encoding: 'gzip' })).headers.etag!;
    expect(weak).toBe(`W/${strong}`);
    for (const tag of [strong, weak])
      for (const encoding of [undefined, 'gzip'])
        expect((await send(page, { encoding, headers: { 'if-none-match': tag } })).status).toBe(304);
  });

  it('has no length in an answer to HEAD that GET would not send', async () => {
    const plain = await send(page, { method: 'HEAD' });
    const full = await send(page);
    expect(plain.headers['content-length']).toBe(String(full.bytes.length));
    const { headers, bytes } = await send(page, { method: 'HEAD', encoding: 'gzip' });
    expect([headers['content-length'], headers.etag, bytes.length]).toEqual([
      undefined,
      `W/${full.headers.etag}`,
      0,
    ]);
  });
});

describe('a list in parts', () => {
  it('reaches a client that asks for gzip part by part', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>(resolve => (release = resolve));
    let parts = 0;
    const restore = readThrough(service(), async (read, ...asked) => {
      if (/ from "material" t .*t\."id" = any\(\$\d\)/.test(asked[0]) && (parts += 1) > 3) await held;
      return read(...asked);
    });
    try {
      const response = await open(`${materials}?titulo=reagente&orderByTitulo=asc`, { encoding: 'gzip' });
      const texts = response.pipe(createGunzip()).setEncoding('utf8');
      let text = '';
      for await (const chunk of texts) {
        text += chunk as string;
        // A later part waits until the whole of an earlier one is here.
        if (text.includes('Reagente 000100')) release();
      }
      expect(parts).toBeGreaterThan(10);
      expect(JSON.parse(text).total).toBe(MANY);
    } finally {
      release();
      restore();
    }
  });

  it('that the client does not read to its end leaks nothing', async () => {
    const warnings: unknown[] = [];
    const warned = (warning: unknown) => warnings.push(warning);
    process.on('warning', warned);
    const whole = `${materials}?titulo=reagente`;
    const response = await open(whole, { encoding: 'br' });
    response.destroy();
    // Its turn is given back: all other requests are served, and nothing of it waits for an event.
    for (let i = 0; i < 3; i++) expect((await send(whole, { encoding: 'gzip' })).status).toBe(200);
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });
});

describe('never compressed', () => {
  const codings = async (path: string, asked: Asked = {}) => {
    const { status, headers, bytes } = await send(path, { ...asked, encoding: 'br, gzip' });
    return [status, headers['content-encoding'], headers['content-length'] === String(bytes.length)];
  };

  it.each([
    ['a short answer', '/healthz'],
    ['a spreadsheet in xlsx', `${materials}?export=true&formatoPlanilha=xlsx&titulo=reagente`],
    ['a PDF', '/academico/planos-ensino/gerar-pdf/1'],
  ])('is %s', async (_what, path) => {
    expect((await codings(path)).slice(0, 2)).toEqual([200, undefined]);
  });

  it('is a part of a file of a page', async () => {
    const headers = { range: 'bytes=0-4999' };
    expect(await codings('/docs/swagger-ui-bundle.js', { headers })).toEqual([206, undefined, true]);
  });

  it('is what holds a secret: a login, a key', async () => {
    const long = 'x'.repeat(1_500);
    const login = { username: 'admin', password: demoPassword('admin') };
    const headers = { appversion: '1' };
    const entered = await codings('/auth/login', { method: 'POST', body: login, headers });
    expect(entered[1]).toBeUndefined();
    const entrar = {
      query: `mutation ($input: LoginInput!) { ${'a'.repeat(1_100)}: entrar(input: $input) { token } }`,
      variables: { input: login },
    };
    expect(await codings('/graphql', { method: 'POST', body: entrar, headers })).toEqual([
      200,
      undefined,
      true,
    ]);
    const { id } = await makeSystem(service());
    const key = {
      query: `mutation { ${long}: emitirChaveApi(idSistema: ${id}) { chave } }`,
    };
    expect(await codings('/graphql', { method: 'POST', body: key })).toEqual([200, undefined, true]);
  });
});
