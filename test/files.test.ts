import { randomBytes, createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeDemoFiles } from '../src/demo/documents.ts';
import { systemHeaders, type Answer, type Client } from './support/client.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { eventually } from './support/process.ts';
import { startService, type TestService } from './support/service.ts';
import { storages, type TestStorage } from './support/storages.ts';

const files = '/arquivosdigitais/arquivos-digitais';
const MAX = 300_000;
const bytes = 'application/octet-stream';
const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

describe.each(storages)('digital files %s', (_, start) => {
  let place: TestStorage;
  let service: TestService;
  let admin: Client;
  let rows = 1000;

  beforeAll(async () => {
    place = await start();
    service = await startService({
      ...place.environment,
      FILES_MAX_BYTES: String(MAX),
      MAX_BODY_BYTES: '20000',
    });
    await storeDemoFiles(service.services);
    admin = (await service.as('admin')).with(systemHeaders);
  });
  afterAll(async () => {
    await service.stop();
    await place.stop();
  });

  const bodyOf = (content: Buffer, given: object = {}) => ({
    id_tabela_origem: ++rows,
    nome_tabela_origem: 'nota_fiscal',
    nome: 'laudo.pdf',
    tipo_mime: 'application/pdf',
    conteudo: content.toString('base64'),
    ...given,
  });
  const send = (content: Buffer, given: object = {}): Promise<Answer> =>
    admin.post(files, bodyOf(content, given));
  async function made(content: Buffer, given: object = {}) {
    const answer = await send(content, given);
    expect(answer).toMatchObject({ status: 201 });
    return answer.body as { id: number; id_tabela_origem: number; sha256: string };
  }
  const raw = (body: string, headers: Record<string, string> = {}): Promise<Answer> =>
    admin.raw(files, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

  /** The bytes of an answer that arrived. */
  async function download(
    id: number,
  ): Promise<{ response: IncomingMessage; content: Buffer; whole: boolean }> {
    const request = httpGet(`${admin.url}${files}/${id}`, { headers: { ...admin.headers, accept: bytes } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of response) chunks.push(chunk as Buffer);
    } catch {
      // The connection was reset.
    }
    return { response, content: Buffer.concat(chunks), whole: response.complete };
  }

  /** An error is not the file: a client must not store it under the file's tag, nor compare it with its digest. */
  const expectNoneOfFile = ({ headers }: Answer): void =>
    expect([headers.get('etag'), headers.get('repr-digest'), headers.get('accept-ranges')]).toEqual([
      null,
      null,
      null,
    ]);

  async function nothingLeftOver(): Promise<void> {
    await eventually(async () => expect(await readdir(place.incoming)).toEqual([]));
  }

  it('are answered as information when they are created, and are read back byte by byte', async () => {
    const content = randomBytes(MAX);
    const created = await send(content, { nome: 'análise: ½.pdf' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      nome: 'análise: ½.pdf',
      tipo_mime: 'application/pdf',
      tamanho: MAX,
      sha256: sha256(content),
      criado_por: 1,
    });
    expect(created.body).not.toHaveProperty('conteudo');
    const path = created.headers.get('location')!;
    expect(path).toBe(`${files}/${created.body.id}`);
    const { status, body } = await admin.get(path);
    expect(status).toBe(200);
    expect(Buffer.from(body.conteudo, 'base64').equals(content)).toBe(true);
    const { response, content: sent, whole } = await download(created.body.id);
    expect({ whole, same: sent.equals(content) }).toEqual({ whole: true, same: true });
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      etag: `"${created.body.sha256}"`,
      'repr-digest': `sha-256=:${createHash('sha256').update(content).digest('base64')}:`,
      'accept-ranges': 'bytes',
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-length': String(MAX),
      'content-disposition':
        'attachment; filename="analise: _.pdf"; filename*=UTF-8\'\'an%C3%A1lise%3A%20%C2%BD.pdf',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store, no-transform',
    });
    await nothingLeftOver();
  });

  it('are shown by a browser on request, if it runs nothing of them', async () => {
    const pdf = await made(randomBytes(1000));
    const shown = await admin.raw(`${files}/${pdf.id}?inline=true`, {});
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="laudo.pdf"',
      'content-security-policy': "frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    for (const [tipo_mime, disposition] of [
      ['image/png', 'inline'],
      ['IMAGE/PNG', 'inline'],
      ['text/html', 'attachment'],
      ['image/svg+xml', 'attachment'],
      ['application/xhtml+xml', 'attachment'],
    ] as const) {
      const { id } = await made(Buffer.from('<script>alert(1)</script>'), { nome: 'a', tipo_mime });
      const { headers } = await admin.raw(`${files}/${id}?inline=true`, {});
      expect(headers.get('content-type')).toBe(tipo_mime);
      expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`));
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none';.* sandbox;/);
    }
    const capitals = await made(randomBytes(10), { tipo_mime: 'Application/PDF' });
    const { headers } = await admin.raw(`${files}/${capitals.id}?inline=true`, {});
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
  });

  it('that are texts are shown as UTF-8 if all of their bytes are, in every range and to HEAD', async () => {
    // Longer than one chunk of a content, with characters that chunks may cut.
    const text = Buffer.from(`a${'ç'.repeat(45_000)}`);
    for (const [content, tipo_mime, type] of [
      [text, 'text/plain', 'text/plain; charset=utf-8'],
      [text, 'Text/Plain', 'Text/Plain; charset=utf-8'],
      [Buffer.from('ação', 'latin1'), 'text/plain', 'text/plain'],
      [Buffer.concat([text, Buffer.from([0xc3])]), 'text/plain', 'text/plain'],
    ] as const) {
      const { id } = await made(content, { nome: 'a', tipo_mime });
      const ask = (query: string, init: RequestInit = {}) =>
        fetch(`${admin.url}${files}/${id}${query}`, {
          ...init,
          headers: { ...admin.headers, accept: bytes, ...init.headers },
        });
      const whole = await ask('?inline=true');
      expect(whole.headers.get('content-disposition')).toMatch(/^inline;/);
      expect(whole.headers.get('content-type')).toBe(type);
      expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true);
      for (const init of [{ method: 'HEAD' }, { headers: { range: 'bytes=1-2' } }]) {
        const answer = await ask('?inline=true', init);
        expect(answer.headers.get('content-type')).toBe(type);
        await answer.arrayBuffer();
      }
      const saved = await ask('');
      expect(saved.headers.get('content-type')).toBe(tipo_mime);
      await saved.arrayBuffer();
    }
  });

  it('are sent in ranges, which together are the file; an error has none of its tags', async () => {
    const content = randomBytes(100_000);
    const { id, sha256: digest } = await made(content);
    /** Requests a download with `Range` and further headers. */
    const ranged = async (range: string, more: Record<string, string> = {}) => {
      const url = `${admin.url}${files}/${id}`;
      const response = await fetch(url, { headers: { ...admin.headers, accept: bytes, range, ...more } });
      const sent = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: response.headers, sent };
    };
    const tag = `"${digest}"`;
    const first = await ranged('bytes=0-39999');
    const rest = await ranged('bytes=40000-', { 'if-range': tag });
    // A suffix that is longer than the file, as readers of ZIP and PDF files ask for it, is the whole file.
    const all = await ranged(`bytes=-${content.length + 1}`);
    expect(all.headers.get('content-range')).toBe(`bytes 0-${content.length - 1}/${content.length}`);
    const last = await ranged('bytes=-1');
    expect([first.status, rest.status, last.status]).toEqual([206, 206, 206]);
    expect(first.headers.get('content-range')).toBe('bytes 0-39999/100000');
    expect(first.headers.get('content-length')).toBe('40000');
    expect([first.headers.get('etag'), rest.headers.get('etag')]).toEqual([tag, tag]);
    expect(Buffer.concat([first.sent, rest.sent]).equals(content)).toBe(true);
    expect(last.sent.equals(content.subarray(-1))).toBe(true);
    // The whole file, if the client has a part of a different content, or does not ask for a single range.
    for (const [range, more] of [
      ['bytes=40000-', { 'if-range': '"other"' }],
      ['bytes=40000-', { 'if-range': `W/${tag}` }],
      ['bytes=40000-', { 'if-range': 'Sat, 21 Nov 2026 10:00:00 GMT' }],
      ['bytes=0-1,50-60', {}],
      ['lines=1-2', {}],
      ['bytes=x', {}],
    ] as const) {
      const { status, headers, sent } = await ranged(range, more);
      expect([status, headers.get('content-range'), sent.equals(content)], range).toEqual([200, null, true]);
    }
    const outside = await admin.with({ accept: bytes, range: 'bytes=100000-' }).get(`${files}/${id}`);
    expectProblem(outside, 416, 'RANGE_NOT_SATISFIABLE');
    expect(outside.headers.get('content-range')).toBe('bytes */100000');
    expectNoneOfFile(outside);
    const known = await ranged('bytes=0-1', { 'if-none-match': `"x", ${tag}`, 'cache-control': 'no-cache' });
    expect([known.status, known.sent.length, known.headers.get('etag')]).toEqual([304, 0, tag]);
    await place.shorten(digest);
    const damaged = await admin.with({ accept: bytes, range: 'bytes=0-9' }).get(`${files}/${id}`);
    expectProblem(damaged, 500, 'INTERNAL');
    expectNoneOfFile(damaged);
  });

  it('are streamed only to a client that prefers it, and HEAD reads none', async () => {
    const { id, sha256: kept } = await made(randomBytes(1000));
    for (const accept of ['*/*', 'application/json', `${bytes};q=0.5, application/json`])
      expect((await admin.with({ accept }).get(`${files}/${id}`)).body.conteudo).toBeTypeOf('string');
    await place.damage(kept);
    const head = await admin.with({ accept: bytes }).raw(`${files}/${id}`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe('1000');
    expect(head.headers.get('content-disposition')).toBe('attachment; filename="laudo.pdf"');
    const absent = await admin.with({ accept: bytes }).get(`${files}/2000000`);
    expectProblem(absent, 404, 'NOT_FOUND');
  });

  it('that are damaged are never served as good', async () => {
    const large = await made(randomBytes(MAX));
    const small = await made(randomBytes(10));
    const short = await made(randomBytes(5000));
    const lost = await made(randomBytes(5000));
    await place.damage(large.sha256);
    await place.damage(small.sha256);
    await place.shorten(short.sha256);
    await place.lose(lost.sha256);
    const broken = await download(large.id);
    expect(broken.whole).toBe(false);
    expect(broken.content.length).toBeLessThan(MAX);
    for (const { id } of [small, short, lost]) {
      expectProblem(await admin.with({ accept: bytes }).get(`${files}/${id}`), 500, 'INTERNAL');
    }
    const ids = [large, small, short, lost].map(file => file.id);
    for (const id of ids) expectProblem(await admin.get(`${files}/${id}`), 500, 'INTERNAL');
    const checked = await admin.get(`${files}?verificarArquivos=true&idsDosArquivos=${ids.join(',')}`);
    expect(checked.body.data.map((file: { existe: boolean }) => file.existe)).toEqual(ids.map(() => false));
    const { data, errors } = await admin.graphql(
      `{ arquivoDigital(id: ${large.id}) { conteudo } other: arquivoDigital(id: 1) { nome } }`,
    );
    expect(data).toEqual({ arquivoDigital: null, other: { nome: expect.any(String) } });
    expect(errors![0]!.extensions.code).toBe('INTERNAL');
  });

  it('are listed by origin and by ids: with contents, without them, and checked', async () => {
    const [a, b] = [
      await made(Buffer.from('a')),
      await made(Buffer.from('b'), { nome_tabela_origem: 'lote' }),
    ];
    const ids = async (query: string): Promise<number[]> =>
      (await admin.get(`${files}?${query}`)).body.data.map((file: { id: number }) => file.id);
    expect(await ids(`idTabelaOrigem=${a.id_tabela_origem}`)).toEqual([a.id]);
    expect(await ids(`idTabelaOrigem=${a.id_tabela_origem}&nomeTabelaOrigem=lote`)).toEqual([]);
    expect(await ids(`nomeTabelaOrigem=lote`)).toEqual([b.id]);
    expect(await ids(`idsDosArquivos=${b.id}&idsDosArquivos=${a.id}`)).toEqual([a.id, b.id]);
    expect(await ids(`idsDosArquivos=${a.id},${b.id},2000000`)).toEqual([a.id, b.id]);
    expect(await ids(`idsDosArquivos=&idTabelaOrigem=${a.id_tabela_origem}`)).toEqual([a.id]);
    const shown = async (query: string): Promise<object> =>
      (await admin.get(`${files}?idsDosArquivos=${a.id}&${query}`)).body.data[0];
    expect(await shown('')).toMatchObject({ conteudo: 'YQ==' });
    expect(await shown('')).not.toHaveProperty('existe');
    expect(Object.keys(await shown('apenasInformacao=1'))).not.toContain('conteudo');
    expect(await shown('verificarArquivos=TRUE')).toMatchObject({ existe: true });
    expect(await shown('verificarArquivos=true')).not.toHaveProperty('conteudo');
    expect(await shown('apenasInformacao=true&verificarArquivos=true')).toMatchObject({ existe: true });
    for (const query of ['idsDosArquivos=x', 'apenasInformacao=maybe', 'idTabelaOrigem=x'])
      expectProblem(await admin.get(`${files}?${query}`), 400, 'BAD_REQUEST');
  });

  it('are not listed with their contents if these together exceed the largest file', async () => {
    const origin = { id_tabela_origem: ++rows };
    for (let i = 0; i < 2; i++) await made(randomBytes(MAX / 2 + 1), origin);
    const query = `idTabelaOrigem=${origin.id_tabela_origem}`;
    const refused = await admin.get(`${files}?${query}`);
    expectProblem(refused, 422, 'RESULT_TOO_LARGE');
    expect(refused.body.detail).toContain('apenasInformacao');
    expect((await admin.get(`${files}?${query}&apenasInformacao=true`)).body.total).toBe(2);
    expect((await admin.get(`${files}?${query}&verificarArquivos=true`)).body.total).toBe(2);
  });

  it('are removed with their row, but a content stays while another file has it', async () => {
    const content = randomBytes(100);
    const first = await made(content);
    const origin = { id_tabela_origem: first.id_tabela_origem };
    const second = await made(randomBytes(100), origin);
    const other = await made(content, { ...origin, nome_tabela_origem: 'a:b/ç' });
    const removed = await admin.delete(`${files}/${origin.id_tabela_origem}:nota_fiscal`);
    expect(removed.status).toBe(200);
    expect(removed.body).toMatchObject({ total: 2, data: [{ id: first.id }, { id: second.id }] });
    expect(removed.body.data[0]).not.toHaveProperty('conteudo');
    expectProblem(await admin.get(`${files}/${first.id}`), 404, 'NOT_FOUND');
    expectProblem(await admin.delete(`${files}/${origin.id_tabela_origem}:nota_fiscal`), 404, 'NOT_FOUND');
    expect((await download(other.id)).content.equals(content)).toBe(true);
    const name = encodeURIComponent('a:b/ç');
    expect((await admin.delete(`${files}/${origin.id_tabela_origem}%3A${name}`)).body.total).toBe(1);
    expectProblem(await admin.delete(`${files}/x:nota_fiscal`), 400, 'BAD_REQUEST');
  });

  it('need the key of the calling system, the token and the level, on both faces', async () => {
    const token = await service.as('admin');
    const calls: [string, string, string][] = [
      ['GET', files, '{ arquivosDigitais { total } }'],
      ['GET', `${files}/1`, '{ arquivoDigital(id: 1) { id } }'],
      [
        'DELETE',
        `${files}/1:x`,
        'mutation { excluirArquivosDigitais(idTabelaOrigem: 1, nomeTabelaOrigem: "x") { total } }',
      ],
    ];
    const docente = (await service.as('docente')).with(systemHeaders);
    for (const [method, path, query] of calls) {
      expectProblem(await token.send(method, path), 401, 'UNAUTHENTICATED');
      expect((await token.graphql(query)).errors![0]!.extensions.code).toBe('UNAUTHENTICATED');
      expectProblem(await service.anyone.with(systemHeaders).send(method, path), 401, 'UNAUTHENTICATED');
      expectProblem(await docente.send(method, path), 403, 'FORBIDDEN');
      expect((await docente.graphql(query)).errors![0]!.extensions.code).toBe('FORBIDDEN');
    }
    expectProblem(await token.post(files, bodyOf(Buffer.from('x'))), 401, 'UNAUTHENTICATED');
    const old = token.with({ App_name: 'SII', Api_key: 'sii-demo-key' });
    expect((await old.get(`${files}/1`)).status).toBe(200);
  });

  it('have all their broken fields reported at once', async () => {
    const refused = await admin.post(files, {
      id_tabela_origem: 'x',
      nome: 'n'.repeat(256),
      tipo_mime: 'pdf',
      conteudo: 'a b',
    });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused).toSorted()).toEqual([
      'conteudo',
      'id_tabela_origem',
      'nome',
      'nome_tabela_origem',
      'tipo_mime',
    ]);
  });

  it.each<[string, unknown]>([
    ['absent', undefined],
    ['null', null],
    ['a number', 5],
    ['a list', ['YQ==']],
    ['empty', ''],
    ['of white space', ' '],
    ['without padding', 'YQ'],
    ['for URLs', '-_-_'],
    ['of bits too many', 'YR=='],
    ['with more after its end', 'YQ==YQ=='],
    ['true', true],
    ['a data URI that is not base64', 'data:text/plain,YQ=='],
    ['a reference', `sha256:${'0'.repeat(64)}`],
    ['with a NUL', 'YW\0h'],
    ['with letters', 'ááá='],
  ])('with a content that is %s are refused', async (_name, conteudo) => {
    const refused = await admin.post(files, bodyOf(Buffer.from('x'), { conteudo }));
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused)).toEqual(['conteudo']);
    await nothingLeftOver();
  });

  it.each([
    'x',
    'text/',
    '/plain',
    'text/plain; charset=utf-8',
    'text/pl ain',
    '../x/y',
    `a/${'b'.repeat(128)}`,
  ])('of the media type %s are refused', async tipo_mime => {
    expect(fieldsOf(await send(Buffer.from('x'), { tipo_mime }))).toEqual(['tipo_mime']);
  });

  it.each([
    ['broken into lines', (base64: string) => base64.replace(/.{1,76}/g, '$&\r\n')],
    ['a data: URI', (base64: string) => `data:application/pdf;base64,${base64}`],
  ])('are taken from base64 that is %s', async (_name, write) => {
    const content = randomBytes(100_000);
    const answer = await admin.post(files, bodyOf(content, { conteudo: write(content.toString('base64')) }));
    expect(answer).toMatchObject({ status: 201, body: { sha256: sha256(content), tamanho: content.length } });
  });

  it.each<[string, (json: string) => string]>([
    ['escaped slashes', json => json.replaceAll('/', '\\/')],
    ['escapes by number', json => json.replaceAll('+', '\\u002b').replaceAll('/', '\\u002F')],
    ['an escaped name', json => json.replace('"conteudo"', '"conte\\u0075do"')],
    ['the content first', json => json.replace(/^\{(.*),("conteudo":"[^"]*")\}$/, '{$2,$1}')],
    ['white space', json => json.replaceAll('":', '" :\n\t').replaceAll(',"', ' , "')],
    [
      'other fields of that name further down',
      json => `{"x":{"conteudo":"?"},"y":["conteudo","?"],${json.slice(1)}`,
    ],
    ['a byte order mark', json => `\uFEFF${json}`],
  ])('are taken from a body with %s', async (_name, change) => {
    const content = Buffer.from('fbff?>~'.repeat(50), 'latin1');
    const answer = await raw(change(JSON.stringify(bodyOf(content))));
    expect(answer).toMatchObject({ status: 201, body: { sha256: sha256(content), tamanho: content.length } });
  });

  it.each(['identity', 'Identity', ''])(
    'are taken from a body with Content-Encoding: "%s"',
    async encoding => {
      const body = JSON.stringify(bodyOf(Buffer.from('x')));
      expect(await raw(body, { 'content-encoding': encoding })).toMatchObject({ status: 201 });
    },
  );

  it.each<[string, string, Record<string, string>, number, string]>([
    ['that ends in the content', '{"conteudo":"YQ==', {}, 400, 'BAD_REQUEST'],
    ['that is malformed', '{"conteudo":"YQ==",}', {}, 400, 'BAD_REQUEST'],
    ['that is an array', '[{"conteudo":"YQ=="}]', {}, 422, 'VALIDATION_FAILED'],
    ['that is empty', '', {}, 422, 'VALIDATION_FAILED'],
    ['with two contents', '{"conteudo":"YQ==","conteudo":"Yg=="}', {}, 422, 'VALIDATION_FAILED'],
    [
      'of a form',
      'conteudo=YQ==',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'in Latin-1',
      '{}',
      { 'content-type': 'application/json; charset=latin1' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['that is packed', '{}', { 'content-encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['of other fields over the limit', `{"nome":"${'x'.repeat(20_000)}"}`, {}, 413, 'PAYLOAD_TOO_LARGE'],
    [
      'of a content over the limit',
      JSON.stringify({ conteudo: 'A'.repeat(4 * MAX) }),
      {},
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ])('are not taken from a body %s', async (_name, body, headers, status, code) => {
    expectProblem(await raw(body, headers), status, code);
    await nothingLeftOver();
  });

  it('have their own limit: other operations keep theirs', async () => {
    const big = { titulo: 'x'.repeat(20_000) };
    expectProblem(await admin.post('/almoxarifadoquimicos/materiais', big), 413, 'PAYLOAD_TOO_LARGE');
    const query = 'mutation ($i: ArquivoDigitalInput!) { enviarArquivoDigital(input: $i) { id } }';
    expect(
      (await admin.post('/graphql', { query, variables: { i: { conteudo: 'A'.repeat(20_000) } } })).status,
    ).toBe(413);
  });

  it('are the same over GraphQL, with contents only where they are selected', async () => {
    const input = { idTabelaOrigem: ++rows, nomeTabelaOrigem: 'lote', nome: 'a.txt', tipoMime: 'text/plain' };
    const create =
      'mutation ($i: ArquivoDigitalInput!) { enviarArquivoDigital(input: $i) { id sha256 conteudo } }';
    const { data } = await admin.graphql(create, { i: { ...input, conteudo: 'YQ==' } });
    const { id, sha256: kept, conteudo } = data.enviarArquivoDigital;
    expect(conteudo).toBeNull();
    const read = await admin.graphql(
      `{ arquivosDigitais(idsDosArquivos: [${id}]) { data { conteudo existe } } arquivoDigital(id: ${id}) { conteudo } }`,
    );
    expect(read.data).toEqual({
      arquivosDigitais: { data: [{ conteudo: 'YQ==', existe: true }] },
      arquivoDigital: { conteudo: 'YQ==' },
    });
    await place.lose(kept);
    expect((await admin.graphql(`{ arquivoDigital(id: ${id}) { nome } }`)).data.arquivoDigital.nome).toBe(
      'a.txt',
    );
    for (const wrong of ['a b', '', kept, `sha256:${kept}`]) {
      const { errors } = await admin.graphql(create, { i: { ...input, conteudo: wrong } });
      if (wrong === kept) expect(errors).toBeUndefined();
      else
        expect(errors![0]!.extensions).toMatchObject({
          code: 'VALIDATION_FAILED',
          errors: [{ field: 'conteudo' }],
        });
    }
    const gone = await admin.graphql(
      `mutation { excluirArquivosDigitais(idTabelaOrigem: ${input.idTabelaOrigem}, nomeTabelaOrigem: "lote") { total summary { count } groups(by: [{ nome: true }]) { key { nome } count } data { nome conteudo } } }`,
    );
    expect(gone.data.excluirArquivosDigitais).toEqual({
      total: 2,
      summary: { count: 2 },
      groups: [{ key: { nome: 'a.txt' }, count: 2 }],
      data: [
        { nome: 'a.txt', conteudo: null },
        { nome: 'a.txt', conteudo: null },
      ],
    });
  });

  it('sent again with their key are stored once; another content with the same key is refused', async () => {
    const body = bodyOf(Buffer.from('once'));
    const once = admin.with({ 'idempotency-key': 'files-1' });
    const [first, again] = [await once.post(files, body), await once.post(files, body)];
    expect(again.body).toEqual(first.body);
    expect((await admin.get(`${files}?idTabelaOrigem=${body.id_tabela_origem}`)).body.total).toBe(1);
    expectProblem(await once.post(files, { ...body, conteudo: 'YQ==' }), 422, 'VALIDATION_FAILED');
    await nothingLeftOver();
  });

  it('are unavailable while the storage is away, and leave no record without its bytes', async () => {
    const { id, id_tabela_origem } = await made(randomBytes(100));
    const count = async (): Promise<unknown> =>
      (await service.sql('select count(*)::int as c0 from arquivo_digital'))[0]![0];
    const before = await count();
    await place.leave();
    try {
      const refused = [
        await send(randomBytes(100)),
        await admin.get(`${files}/${id}`),
        await admin.with({ accept: bytes }).get(`${files}/${id}`),
        await admin.get(`${files}?verificarArquivos=true&idTabelaOrigem=${id_tabela_origem}`),
      ];
      for (const answer of refused) {
        expectProblem(answer, 503, 'UNAVAILABLE');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(await count()).toBe(before);
      const information = await admin.get(
        `${files}?apenasInformacao=true&idTabelaOrigem=${id_tabela_origem}`,
      );
      expect(information.body.total).toBe(1);
      const ready = await admin.get('/readyz');
      expect(ready).toMatchObject({
        status: 200,
        body: { status: 'ready', database: 'ok', storage: 'away' },
      });
    } finally {
      await place.comeBack();
    }
    expect((await admin.get(`${files}/${id}`)).status).toBe(200);
    expect((await admin.get('/readyz')).body.storage).toBe('ok');
    await nothingLeftOver();
  });
});
