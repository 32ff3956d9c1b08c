import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { systemHeaders, type Answer } from './support/client.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

const service = useService();
const materials = '/almoxarifadoquimicos/materiais';
const authors = { criado_por: 1, alterado_por: 1 };
const material = { titulo: 'T', descricao: 'D', id_unidade_medida: 1, estado_fisico: 'L', ...authors };
const json = { 'content-type': 'application/json' };

async function send(body: string | Buffer, headers: Record<string, string> = json): Promise<Answer> {
  const admin = await service().as('admin');
  return admin.raw(materials, { method: 'POST', body: body as string, headers });
}

describe('a body', () => {
  it.each<[string, string | Buffer, Record<string, string>, number, string]>([
    ['malformed', '{"titulo":', json, 400, 'BAD_REQUEST'],
    [
      'in Latin-1',
      JSON.stringify(material),
      { 'content-type': 'application/json; charset=latin1' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'of a form',
      'titulo=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['of text', JSON.stringify(material), { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['of no known type', JSON.stringify(material), { 'content-type': 'x' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'that only says it is gzip',
      JSON.stringify(material),
      { ...json, 'content-encoding': 'gzip' },
      400,
      'BAD_REQUEST',
    ],
    [
      'in an unknown encoding',
      JSON.stringify(material),
      { ...json, 'content-encoding': 'x' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['over the limit', 'x'.repeat(20_000_000), json, 413, 'PAYLOAD_TOO_LARGE'],
    [
      'that unpacks over the limit',
      gzipSync('x'.repeat(20_000_000)),
      { ...json, 'content-encoding': 'gzip' },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['that is null', 'null', json, 422, 'VALIDATION_FAILED'],
    ['that is an array', '[{}]', json, 422, 'VALIDATION_FAILED'],
    ['that is a string', '"x"', json, 422, 'VALIDATION_FAILED'],
    ['that is empty', '', json, 422, 'VALIDATION_FAILED'],
    [
      'with deep nesting in a field',
      `{"riscos":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      json,
      422,
      'VALIDATION_FAILED',
    ],
    [
      'that reaches for prototypes',
      '{"__proto__":{"titulo":"x"},"constructor":{"prototype":{"titulo":"x"}}}',
      json,
      422,
      'VALIDATION_FAILED',
    ],
  ])('%s is refused', async (_, body, headers, status, code) => {
    expectProblem(await send(body, headers), status, code);
  });

  it.each(['null', '[]', '5'])('that is %s is refused because it is not an object', async body => {
    expect((await send(body)).body.errors).toEqual([
      { field: '', message: expect.stringContaining('objeto') },
    ]);
  });

  it('over the limit is refused, even without a token, and the connection stays usable', async () => {
    const big = { method: 'POST', body: 'x'.repeat(5_000_000), headers: json };
    expectProblem(await service().anyone.raw(materials, big), 401, 'UNAUTHENTICATED');
    expectProblem(await service().anyone.get(materials), 401, 'UNAUTHENTICATED');
  });

  it.each<[string, string | Buffer, Record<string, string>]>([
    ['with a byte order mark', `\uFEFF${JSON.stringify(material)}`, json],
    ['packed', gzipSync(JSON.stringify(material)), { ...json, 'content-encoding': 'gzip' }],
    ['packed as x-gzip', gzipSync(JSON.stringify(material)), { ...json, 'content-encoding': 'X-GZip' }],
    ['that says it is not packed', JSON.stringify(material), { ...json, 'content-encoding': 'Identity' }],
    ['of a JSON subtype', JSON.stringify(material), { 'content-type': 'application/vnd.x+json' }],
    ['of no stated type', Buffer.from(JSON.stringify(material)), {}],
    ['with fields nobody knows', JSON.stringify({ ...material, id: 1, x: [[[]]] }), json],
    ['with numbers in strings', JSON.stringify({ ...material, id_unidade_medida: '1' }), json],
    ['with a field given twice', `{"titulo":"S",${JSON.stringify(material).slice(1)}`, json],
  ])('%s is accepted', async (_, body, headers) => {
    expect(await send(body, headers)).toMatchObject({
      status: 201,
      body: { titulo: 'T', id_unidade_medida: 1 },
    });
  });

  it('has all its broken fields reported at once: form, rule and reference', async () => {
    const riscos = [
      { id_classificacao_risco: 1 },
      { id_classificacao_risco: 'x' },
      { id_classificacao_risco: 99_999 },
      5,
      null,
    ];
    const answer = await send(
      JSON.stringify({
        titulo: '',
        descricao: [7],
        id_unidade_medida: 99_999,
        estado_fisico: 'Z',
        criado_por: null,
        riscos,
      }),
    );
    expectProblem(answer, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(answer).toSorted()).toEqual([
      'alterado_por',
      'criado_por',
      'descricao',
      'estado_fisico',
      'id_unidade_medida',
      'riscos[1].id_classificacao_risco',
      'riscos[2].id_classificacao_risco',
      'riscos[3]',
      'riscos[4]',
      'titulo',
    ]);
  });

  it.each([
    ['NUL', 'a\\u0000b'],
    ['half a surrogate pair', 'a\\ud800'],
    ['a megabyte', 'x'.repeat(990_000)],
  ])('with %s in a text names the field', async (_, text) => {
    const answer = await send(JSON.stringify(material).replace('"D"', `"${text}"`));
    expectProblem(answer, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(answer)).toEqual(['descricao']);
  });

  it.each([' 1', '1.0', '1e0', '0x1', 1.5, 2_147_483_648, true, ''])(
    'with %j as a reference is refused',
    async value => {
      const answer = await send(JSON.stringify({ ...material, id_unidade_medida: value }));
      expectProblem(answer, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(answer)).toEqual(['id_unidade_medida']);
    },
  );
});

describe('every door for JSON', () => {
  const file = { id_tabela_origem: 1001, nome_tabela_origem: 'nota_fiscal', tipo_mime: 'text/plain' };
  const login = { username: 'docente', password: demoPassword('docente') };
  const input = '{ titulo: "T", descricao: "é", idUnidadeMedida: 1, estadoFisico: LIQUIDO }';
  const doors: [string, string, object, number][] = [
    ['a record', materials, { ...material, descricao: 'é' }, 201],
    ['a login', '/auth/login', { ...login, x: 'é' }, 200],
    [
      'a file',
      '/arquivosdigitais/arquivos-digitais',
      { ...file, nome: 'é.txt', conteudo: Buffer.from('x').toString('base64') },
      201,
    ],
    ['GraphQL', '/graphql', { query: `mutation { criarMaterial(input: ${input}) { id } }` }, 200],
  ];
  const post = async (path: string, body: Buffer, type = 'application/json') =>
    (await service().as('admin'))
      .with(systemHeaders)
      .raw(path, { method: 'POST', body: body as unknown as string, headers: { 'content-type': type } });

  it.each(doors)('refuses %s whose bytes are not UTF-8', async (_, path, body) => {
    for (const bytes of ['\xe9', '\xc3', '\xc0\xaf', '\xed\xa0\x80']) {
      const [before, after] = JSON.stringify(body).split('é') as [string, string];
      const answer = await post(path, Buffer.from(`${before}${bytes}${after}`, 'latin1'));
      const detail = 'O corpo deve estar em UTF-8.';
      expect(answer.status).toBe(400);
      if (path !== '/graphql') expect(answer.body).toMatchObject({ code: 'BAD_REQUEST', detail });
      else
        expect(answer.body.errors).toMatchObject([{ message: detail, extensions: { code: 'BAD_REQUEST' } }]);
    }
  });

  it.each(doors)('takes %s in UTF-8, whatever it is called', async (_, path, body, status) => {
    const bytes = Buffer.from(JSON.stringify(body));
    for (const charset of ['utf-8', 'UTF8', '"utf8"', 'us-ascii ; x=y']) {
      const answer = await post(path, bytes, `application/json;charset=${charset}`);
      expect([charset, answer.status, answer.body.errors]).toEqual([charset, status, undefined]);
    }
  });

  it.each(doors)('refuses %s that is said to be in another charset', async (_, path, body) => {
    const bytes = Buffer.from(JSON.stringify(body));
    for (const charset of ['latin1', 'utf-16', 'utf-7', 'utf-8x', 'us-asciix', 'utf-8; charset=latin1'])
      expect([charset, (await post(path, bytes, `application/json; charset=${charset}`)).status]).toEqual([
        charset,
        415,
      ]);
  });
});
