import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemHeaders, type Client } from './support/client.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { startService, useService } from './support/service.ts';

const service = useService();
const materials = '/almoxarifadoquimicos/materiais';
const hazards = '/almoxarifadoquimicos/classificacoes-risco';
const authors = { criado_por: 1, alterado_por: 1 };
const material = { titulo: 'T', descricao: 'D', id_unidade_medida: 1, estado_fisico: 'L', ...authors };
const json = { 'content-type': 'application/json' };

const admin = (): Promise<Client> => service().as('admin');

/** The answer of a server to bytes on a bare connection. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service().url).port), '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', chunk => (answer += String(chunk)));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('an id', () => {
  it.each(['abc', '1.5', '1e0', '2147483648', '99999999999999999999', '%00', '%201', '1%2F2', '２', '1:2'])(
    'that is %s is a bad request',
    async id => {
      const answer = await (await admin()).get(`${materials}/${id}`);
      expectProblem(answer, 400, 'BAD_REQUEST');
      expect(fieldsOf(answer)).toEqual(['id']);
    },
  );

  it.each(['0', '-1', '2147483647', '%zz'])('that is %s belongs to no record', async id => {
    expectProblem(await (await admin()).get(`${materials}/${id}`), 404, 'NOT_FOUND');
  });

  it('is reported together with errors of the query, as a bad request', async () => {
    const answer = await (await admin()).put(`${materials}/x`, {});
    expectProblem(answer, 400, 'BAD_REQUEST');
    expect(fieldsOf(answer)).toEqual(expect.arrayContaining(['id', 'titulo']));
  });
});

describe('text in a path', () => {
  const origin = '/arquivosdigitais/arquivos-digitais/1:';

  it.each(['a%00b', '%00'])('that is %s is a bad request that names the parameter', async text => {
    const answer = await (await admin()).with(systemHeaders).delete(origin + text);
    expectProblem(answer, 400, 'BAD_REQUEST');
    expect(fieldsOf(answer)).toEqual(['nomeTabelaOrigem']);
  });
});

describe('a query', () => {
  const page = (query: string) => admin().then(client => client.get(`${materials}?${query}`));

  it.each([
    ['pagination=', 'pagination'],
    ['pagination=sim', 'pagination'],
    ['page=1&page=1', 'page'],
    ['page=0', 'page'],
    ['page=1e1', 'page'],
    ['itemsPerPage=1001', 'itemsPerPage'],
    ['orderByTitulo=up', 'orderByTitulo'],
    ['titulo=%00', 'titulo'],
  ])('%s is refused by name', async (query, field) => {
    const answer = await page(query);
    expectProblem(answer, 400, 'BAD_REQUEST');
    expect(fieldsOf(answer)).toEqual([field]);
  });

  it.each([
    ['titulo=%zz', ['titulo']],
    ['titulo=50%', ['titulo']],
    ['x=%ff&page=1&x=%fe', ['x']],
    ['titulo=%ED%A0%80&Nome=%FF', ['titulo', 'Nome']],
    ['t%C3%ADtulo=%E9', ['título']],
    ['t%EDtulo=x', ['t%EDtulo']],
    ['titulo[]=%E9', ['titulo']],
  ])('%s is refused by name, because it is not in UTF-8', async (query, fields) => {
    const answer = await page(query);
    expectProblem(answer, 400, 'BAD_REQUEST');
    const message = 'não está codificado em UTF-8 com %';
    expect(answer.body.errors).toEqual(fields.map(field => ({ field, message })));
  });

  it.each([
    ['pagination=TRUE', 'pagination=1'],
    ['pagination=True&page=&itemsPerPage=&titulo=', 'pagination=true'],
    ['pagination=true&a=b?c&x=1&x=2&__proto__=1&titulo[x]=zzz', 'pagination=true'],
    ['pagination=true&orderByTitulo=DESC', 'pagination=true&orderByTitulo=Desc'],
    ['pagination=true&titulo=%C3%A1cido+ac%65', 'pagination=true&titulo=acido%20ace'],
    ['pagination=0&itemsPerPage=1', ''],
  ])('%s means what %s does', async (given, meant) => {
    const answer = await page(given);
    expect(answer.status).toBe(200);
    expect(answer.body.data).not.toHaveLength(0);
    expect(answer.body).toEqual((await page(meant)).body);
  });

  it('may have a question mark in a value', async () => {
    await (await admin()).post(materials, { ...material, titulo: 'b?c=d&e' });
    expect((await page('titulo=b?c=d%26e')).body).toMatchObject({ total: 1, data: [{ titulo: 'b?c=d&e' }] });
  });
});

describe('a path', () => {
  it.each([
    '/nada',
    '/%zz',
    '/docs/nada',
    `/${hazards}/1`,
    `${hazards}//1`,
    '/docs/..%2f..%2fpackage.json',
    '/graphql/x',
  ])('%s does not exist', async path => {
    expectProblem(
      await (await admin()).raw(path, { method: 'POST', body: '{}', headers: json }),
      404,
      'NOT_FOUND',
    );
  });

  it.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])('of a webhook does not exist for %s', async method => {
    const client = await admin();
    expectProblem(await client.raw('/webhook', { method }), 404, 'NOT_FOUND');
    expectProblem(await client.raw('/webhook/1', { method }), 404, 'NOT_FOUND');
  });

  it('may end in a slash', async () => {
    const client = await admin();
    expect((await client.get(`${hazards}/1/`)).body).toEqual((await client.get(`${hazards}/1`)).body);
  });

  it.each([
    [materials, 'PATCH', 'GET, POST, HEAD, OPTIONS'],
    [materials, 'DELETE', 'GET, POST, HEAD, OPTIONS'],
    [`${materials}/1`, 'POST', 'GET, PUT, DELETE, HEAD, OPTIONS'],
    ['/auth/login', 'GET', 'POST, OPTIONS'],
  ])('%s answers %s with the methods that it allows', async (path, method, allow) => {
    const answer = await (await admin()).raw(path, { method });
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('answers HEAD like GET, without a body', async () => {
    const client = await admin();
    const { status, headers } = await fetch(`${client.url}${hazards}/1`, {
      method: 'HEAD',
      headers: client.headers,
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe((await client.get(`${hazards}/1`)).headers.get('content-type'));
    const refused = await fetch(`${client.url}${hazards}/x`, { method: 'HEAD', headers: client.headers });
    expect([refused.status, await refused.text()]).toEqual([400, '']);
  });

  it('that is not an address of a record is answered on a raw connection, too', async () => {
    const answer = await exchange('GET //x/%2e%2e HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 404 .*problem\+json/s);
  });
});

describe('every answer', () => {
  it.each([
    [undefined, 'Não encontrado'],
    ['en', 'Not found'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'Não encontrado'],
    ['fr, en;q=0.5, pt;q=0.4', 'Not found'],
  ])('speaks the language of %s', async (language, title) => {
    const client = (await admin()).with(language ? { 'accept-language': language } : {});
    expect((await client.get(`${materials}/2000000`)).body.title).toBe(title);
  });
});

describe('a database that refuses', () => {
  it('is an internal error without details', async () => {
    const broken = await startService();
    try {
      const client = await broken.as('admin');
      await broken.sql('alter table material rename column fispq to gone');
      const answer = await client.get(`${materials}/1`);
      expectProblem(answer, 500, 'INTERNAL');
      expect(JSON.stringify(answer.body)).not.toMatch(/fispq|material/);
      expectProblem(await client.post(materials, material), 500, 'INTERNAL');
      const { errors } = await client.graphql('{ material(id: 1) { fispq } }');
      expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
      expect(errors![0]!.message).not.toMatch(/fispq|select/);
    } finally {
      await broken.stop();
    }
  });
});
