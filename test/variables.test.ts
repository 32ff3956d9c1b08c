import { describe, expect, it } from 'vitest';
import { brokenRules } from '../src/request/validation.ts';
import { MovimentacaoInput } from '../src/resolvers/almoxarifado/movimentacao-input.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { costOf } from './support/cpu.ts';
import { useService } from './support/service.ts';

const service = useService();

const list = (length: number) => Array.from({ length }, () => '');
const members = (length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [`m${i}`, '']));

const files = 'query ($v: [Int!]) { arquivosDigitais(idsDosArquivos: $v) { total } }';
const material = 'mutation ($v: MaterialInput!) { criarMaterial(input: $v) { id } }';
const login = 'mutation ($v: LoginInput!) { entrar(input: $v) { token } }';
const huge: [what: string, query: string, v: unknown][] = [
  ['300,000 broken items of a list', files, list(300_000)],
  ['70,000 unknown members of an input', material, members(70_000)],
];
/** Reading the body itself costs one unit. Before the limit, a thousand broken values cost one unit more. */
const ENOUGH = 25;

const post = (client: Client, query: string, v: unknown) =>
  send(client, '/graphql', { query, variables: { v } });

/** The answer, and what it cost (`costOf`). `SHOW_CPU=1` prints that. */
function send(client: Client, path: string, json: unknown) {
  const request = {
    method: 'POST',
    body: JSON.stringify(json),
    headers: { 'content-type': 'application/json' },
  };
  return costOf(() => client.raw(path, request), ENOUGH);
}

describe('variables from a caller without the permission', () => {
  it.each(huge)('are not read: %s', async (_, query, v) => {
    await post(service().anyone, query, 1);
    const { answer, cost } = await post(service().anyone, query, v);
    expect(answer.body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(cost).toBeLessThanOrEqual(ENOUGH);
  });
});

describe('variables from a caller with the permission', () => {
  it.each([...huge, ['70,000 unknown members of a login', login, members(70_000)] as const])(
    'are read up to the first broken ones: %s',
    async (_, query, v) => {
      const admin = (await service().as('admin')).with(systemHeaders);
      await post(admin, query, 1);
      const { answer, cost } = await post(admin, query, v);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
      expect(answer.body.errors[0].extensions.errors.length).toBeLessThanOrEqual(100);
      expect(cost).toBeLessThanOrEqual(ENOUGH);
    },
  );
});

describe('a caller who may call one of two fields', () => {
  it('gets the answer of that field', async () => {
    const query = '{ a: material(id: 1) { id } b: sessaoAtual { idPessoa } __typename }';
    const { data, errors } = await (await service().as('discente')).graphql(query);
    expect(data).toMatchObject({ a: null, b: { idPessoa: expect.any(Number) }, __typename: 'Query' });
    expect(errors).toMatchObject([{ path: ['a'], extensions: { code: 'FORBIDDEN' } }]);
  });

  it('gets neither an error nor an answer for a skipped field', async () => {
    const query =
      'query ($on: Boolean!) { a: material(id: 1) @include(if: $on) { id } ...F @skip(if: $on) } fragment F on Query { b: material(id: 2) { id } }';
    const { data, errors } = await service().anyone.graphql(query, { on: false });
    expect(data).toEqual({ b: null });
    expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'UNAUTHENTICATED' } }]);
  });
});

describe('a body over REST', () => {
  const path = '/almoxarifadoquimicos/movimentacoes-estoque';
  const bodies: [string, unknown][] = [
    ['300,000 items that are not objects', list(300_000)],
    ['100,000 items in which all is missing', Array.from({ length: 100_000 }, () => ({}))],
  ];

  it.each(bodies)('is not read from a caller without the permission: %s', async (_, movimentacoes) => {
    const { answer, cost } = await send(service().anyone, path, { movimentacoes });
    expect(answer.status).toBe(401);
    expect(cost).toBeLessThanOrEqual(ENOUGH);
  });

  it.each(bodies)('is read up to the first broken fields: %s', async (_, movimentacoes) => {
    const admin = await service().as('admin');
    await send(admin, path, {});
    const { answer, cost } = await send(admin, path, { movimentacoes });
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.errors.length).toBeLessThanOrEqual(100);
    expect(cost).toBeLessThanOrEqual(ENOUGH);
  });

  it('is checked up to the first broken rules', () => {
    let checked = 0;
    const items = Array.from({ length: 10_000 }, () =>
      Object.defineProperty(new MovimentacaoInput(), 'quantidade', {
        get: () => (checked++, 0),
        enumerable: true,
      }),
    );
    // Each of them breaks two rules: no quantity, and no batch.
    expect(brokenRules(items).length).toBe(100);
    expect(checked).toBeLessThan(1_000);
  });
});

describe('literals', () => {
  it.each<[arguments_: string, ...errors: [field: string, message: RegExp][]]>([
    ['filter: { peso: { lt: "x" } }', ['filter.peso', /known field/]],
    ['filter: { titulo: { eq: 1 } }', ['filter.titulo.eq', /a string/]],
    ['filter: { titulo: 1 }', ['filter.titulo', /an object/]],
    [
      'filter: { or: [{ id: { eq: 1 } }, { id: { in: [1, "dois"] } }] }',
      ['filter.or[1].id.in[1]', /integer/],
    ],
    [
      'filter: { lotes: { some: { dataVenc: { gte: "ontem" } } } }',
      ['filter.lotes.some.dataVenc.gte', /a date/],
    ],
    ['filter: { and: [null] }', ['filter.and[0]', /null/]],
    ['filter: { estadoFisico: { in: [VAPOR] } }', ['filter.estadoFisico.in[0]', /one of/]],
    ['orderBy: [{ titulo: up }]', ['orderBy[0].titulo', /one of/]],
    ['orderBy: [{ titulo: asc, id: asc }]', ['orderBy[0]', /exactly one/]],
    ['itemsPerPage: "dez", filter: 1', ['itemsPerPage', /integer/], ['filter', /an object/]],
  ])('that are wrong are named by their path: %s', async (given, ...expected) => {
    const admin = (await service().as('admin')).with({ 'accept-language': 'en' });
    const query = `{ materiais(${given}) { total } }`;
    const { body, status } = await admin.post('/graphql', { query });
    expect(status).toBe(400);
    const errors = body.errors.flatMap(({ extensions }: any) => extensions.errors);
    expect(body.errors.map(({ extensions }: any) => extensions.code)).toEqual(
      expected.map(() => 'BAD_REQUEST'),
    );
    expect(errors.map(({ field }: any) => field)).toEqual(expected.map(([field]) => field));
    for (const [i, [, message]] of expected.entries()) expect(errors[i].message).toMatch(message);
  });

  it('in an input are named as its rules name them, and those of linked pages by their argument', async () => {
    const admin = await service().as('admin');
    const fields = async (query: string) =>
      (await admin.graphql(query)).errors!.flatMap(({ extensions }) =>
        extensions.errors!.map(({ field }) => field),
      );
    const input = 'mutation { criarTipoEmpresa(input: { descricao: 2, obrigaCnpj: 1 }) { id } }';
    expect(await fields(input)).toEqual(['descricao', 'obrigaCnpj']);
    expect(await fields('{ materiais { data { lotes(filter: { id: { eq: "1" } }) { total } } } }')).toEqual([
      'filter.id.eq',
    ]);
    expect(await fields('query ($x: String) { materiais(filter: { id: { eq: $x } }) { total } }')).toEqual([
      'filter.id.eq',
    ]);
  });

  const many = (text: string) => Array.from({ length: 1_200 }, (_, i) => text.replaceAll('#', String(i)));

  it.each([
    ['broken items', `{ arquivosDigitais(idsDosArquivos: [${many('""').join()}]) { total } }`],
    ['unknown members', `mutation { criarMaterial(input: {${many('titulos#: 1').join()}}) { id } }`],
    ['unknown fields', `{ materiais { data { ${many('titulos#').join(' ')} } } }`],
    ['unknown fields of the root', `{ ${many('material#').join(' ')} }`],
  ])('are limited by their tokens: %s', async (_, query) => {
    const { answer, cost } = await post(service().anyone, query, undefined);
    expect(answer.status).toBe(400);
    expect(cost).toBeLessThanOrEqual(ENOUGH);
  });
});
