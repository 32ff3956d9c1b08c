import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { startService, type TestService } from './support/service.ts';
import { transports } from './support/subscriptions.ts';

/** What the service logged as errors. */
const written: string[] = [];
const log = pino({ level: 'error' }, { write: text => void written.push(text) });

let service: TestService;
let admin: Client;
beforeAll(async () => {
  service = await startService({}, undefined, log);
  admin = (await service.as('admin')).with({ 'accept-language': 'en' });
});
afterAll(() => service.stop());

const brokenIn = async (query: string, variables: object, client = admin) => {
  const { status, body } = await client.post('/graphql', { query, variables });
  expect(status).toBe(400);
  expect(body.data).toBeUndefined();
  expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  return body.errors[0].extensions.errors as { field: string; message: string }[];
};

const fieldsIn = async (query: string, variables: object) =>
  (await brokenIn(query, variables)).map(({ field }) => field);

describe('a variable that is null, although its place needs a value,', () => {
  const Null = 'must not be null';
  it.each<[query: string, variables: object, field: string, message: string]>([
    ['query ($i: Int = 1) { material(id: $i) { id } }', { i: null }, 'id', Null],
    [
      'query ($s: String = "a") { materiais(filter: { titulo: { in: [$s] } }) { total } }',
      { s: null },
      'filter.titulo.in[0]',
      Null,
    ],
    [
      'query ($f: MaterialFilter = { id: { eq: 1 } }) { materiais(filter: { and: [$f] }) { total } }',
      { f: null },
      'filter.and[0]',
      Null,
    ],
    [
      'query ($b: MaterialGroupBy = { titulo: true }) { materiais { groups(by: [$b]) { count } } }',
      { b: null },
      'by[0]',
      Null,
    ],
    ['query ($x: Boolean = true) { materiais { total @include(if: $x) } }', { x: null }, 'if', Null],
    [
      'query ($n: String = "Lote") { materiais { total } __type(name: $n) { name } }',
      { n: null },
      'name',
      Null,
    ],
    [
      'mutation ($q: Int = 1) { criarMovimentacoesEstoque(input: { movimentacoes: [{ quantidade: $q, flEstorno: false, idTipoMovimentacao: 2 }] }) { total } }',
      { q: null },
      'movimentacoes[0].quantidade',
      Null,
    ],
    [
      'query ($o: Ordem) { materiais(orderBy: [{ titulo: $o }]) { total } }',
      { o: null },
      'orderBy[0].titulo',
      Null,
    ],
    [
      'query ($o: Ordem) { materiais(orderBy: [{ titulo: $o }]) { total } }',
      {},
      'orderBy[0].titulo',
      'is required',
    ],
    [
      'query ($o: Ordem) { materiais { data { ...M } } } fragment M on Material { lotes(orderBy: { id: $o }) { total } }',
      {},
      'orderBy.id',
      'is required',
    ],
  ])('is a broken field: %s with %j', async (query, variables, field, message) => {
    expect(await brokenIn(query, variables)).toEqual([{ field, message }]);
  });

  it('is reported in the language of the client, and is no error of the service', async () => {
    const query = 'query ($i: Int = 1) { material(id: $i) { id } }';
    const portuguese = admin.with({ 'accept-language': 'pt' });
    expect(await brokenIn(query, { i: null }, portuguese)).toEqual([
      { field: 'id', message: 'não pode ser nulo' },
    ]);
    expect(written).toEqual([]);
  });

  it('is no error where it is not used, or where a default or nothing stands for it', async () => {
    const answered = async (query: string, variables: Record<string, unknown>) =>
      expect((await admin.graphql(query, variables)).errors).toBeUndefined();
    const skipped =
      'query ($i: Int = 1, $on: Boolean = false) { materiais { total } ...F @include(if: $on) }';
    await answered(`${skipped} fragment F on Query { material(id: $i) { id } }`, { i: null });
    await answered('query ($i: Int = 1) { material(id: $i) { id } }', {});
    await answered('query ($n: Int) { materiais(itemsPerPage: $n) { total } }', { n: null });
    await answered('query ($s: String) { materiais(filter: { titulo: { contains: $s } }) { total } }', {});
  });

  it.each(Object.entries(transports))('refuses a subscription over %s', async (_, subscribe) => {
    const query = 'subscription ($t: String = "lote") { mudancas(tabelas: [$t]) { cursor } }';
    const { value } = await subscribe(admin, { t: null } as {}, query).next();
    expect(value.errors).toMatchObject([
      { extensions: { code: 'BAD_REQUEST', errors: [{ field: 'tabelas[0]', message: Null }] } },
    ]);
    expect(written).toEqual([]);
  });
});

describe('a broken variable', () => {
  const day = { dataVenc: { gte: 'ontem' } };
  const text = { codLote: { eq: 1 } };

  it('is named by the place where it is used', async () => {
    expect(
      await fieldsIn('query ($f: MaterialFilter) { materiais(filter: $f) { total } }', {
        f: { lotes: { some: day } },
      }),
    ).toEqual(['filter.lotes.some.dataVenc.gte']);
    expect(
      await fieldsIn(
        'query ($l: LoteFilter, $n: Int) { materiais(filter: { lotes: { some: $l } }, page: $n) { total } }',
        { l: day, n: '1' },
      ),
    ).toEqual(['filter.lotes.some.dataVenc.gte', 'page']);
    expect(
      await fieldsIn('query ($f: [Int!]) { materiais(filter: { id: { in: $f } }) { total } }', {
        f: [1, ''],
      }),
    ).toEqual(['filter.id.in[1]']);
  });

  it('is named by itself when it has several places, or when another one has the same', async () => {
    const twice =
      'query ($l: LoteFilter) { materiais(filter: { lotes: { some: $l } }) { data { lotes(filter: $l) { total } } } }';
    expect(await fieldsIn(twice, { l: day })).toEqual(['l.dataVenc.gte']);
    const two =
      'query ($a: LoteFilter, $b: LoteFilter) { a: lotes(filter: $a) { total } b: lotes(filter: $b) { total } }';
    expect(await fieldsIn(two, { a: text, b: text })).toEqual(['a.codLote.eq', 'b.codLote.eq']);
  });

  it('is named relative to the input only when there is a single one', async () => {
    const one = 'mutation ($i: TipoEmpresaInput!) { criarTipoEmpresa(input: $i) { id } }';
    expect(await fieldsIn(one, { i: { descricao: 2, obrigaCnpj: true } })).toEqual(['descricao']);
    expect(await fieldsIn(one, { i: null })).toEqual(['input']);
    const two =
      'mutation ($a: TipoEmpresaInput!, $b: TipoEmpresaInput!) { a: criarTipoEmpresa(input: $a) { id } b: criarTipoEmpresa(input: $b) { id } }';
    expect(await fieldsIn(two, { a: { obrigaCnpj: 'x' }, b: { descricao: 2 } })).toEqual([
      'a.obrigaCnpj',
      'b.descricao',
    ]);
  });
});

describe('a cursor that is no text', () => {
  const noCursors = ['5', 'true', '{ a: 1 }', '["a"]'];

  it.each(noCursors)('is a broken field as a literal: %s', async cursor => {
    const field = { field: 'after', message: 'must be a string' };
    expect(await brokenIn(`{ mudancas(after: ${cursor}) { mais } }`, {})).toEqual([field]);
    expect(await brokenIn(`{ materiais(after: ${cursor}) { total } }`, {})).toEqual([field]);
    expect(written).toEqual([]);
  });

  it.each([[5], [true], [{ a: 1 }], [['a']]])('is a broken field as a variable: %j', async cursor => {
    const field = { field: 'after', message: 'must be a string' };
    const mudancas = 'query ($a: Cursor) { mudancas(after: $a) { mais } }';
    expect(await brokenIn(mudancas, { a: cursor })).toEqual([field]);
    const lotes = 'query ($a: Cursor) { materiais { data { lotes(after: $a) { total } } } }';
    expect(await brokenIn(lotes, { a: cursor })).toEqual([field]);
    expect(written).toEqual([]);
  });

  it.each(Object.entries(transports))('begins no subscription over %s', async (_, subscribe) => {
    const byDefault = 'subscription ($a: Cursor = 5) { mudancas(after: $a) { cursor } }';
    const literal = 'subscription { mudancas(after: { a: 1 }) { cursor } }';
    const given = 'subscription ($a: Cursor) { mudancas(after: $a) { cursor } }';
    for (const [query, variables] of [[byDefault], [literal], [given, { a: 5 }]] as const) {
      const { value } = await subscribe(admin, variables as {}, query).next();
      expect(value.errors, query).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
    }
    expect(written).toEqual([]);
  });
});
