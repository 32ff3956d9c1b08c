import { buildSchema, getOperationAST, parse } from 'graphql';
import { expect, it } from 'vitest';
import { mostRecords } from '../src/graphql/page-sizes.ts';

const paging = 'pagination: Boolean = true, page: Int = 1, itemsPerPage: Int = 10';
const schema = buildSchema(`
  type Query { lotes(${paging}): Pagina!, todos(pagination: Boolean = false, itemsPerPage: Int = 10): Pagina!, lote: Lote }
  type Pagina { data: [Lote!]!, total: Int! }
  type Lote { id: Int!, estoques(${paging}): Pagina!, itens: [Lote!]! }
`);

function most(text: string, given: Record<string, unknown> = {}): number {
  const document = parse(text);
  return mostRecords({ schema, document, operation: getOperationAST(document)!, given }, 1_000);
}

const nested = '{ data { estoques(itemsPerPage: 20) { data { id } } } }';

it.each<[string, string, Record<string, unknown>, number]>([
  ['a page of the usual size', '{ lotes { data { id } } }', {}, 10],
  ['a page of a size', '{ lotes(itemsPerPage: 7) { data { id } } }', {}, 7],
  ['pages side by side', '{ a: lotes(itemsPerPage: 7) { total } b: lotes { total } }', {}, 17],
  ['pages in a page', `{ lotes(itemsPerPage: 5) ${nested} }`, {}, 5 + 5 * 20],
  ['pages in a list without pages', `{ lote { itens { estoques { total } } } }`, {}, 10],
  ['a page in a fragment', `{ lotes { ...F } } fragment F on Pagina ${nested}`, {}, 10 + 10 * 20],
  ['a whole list', `{ lotes(pagination: false) ${nested} }`, {}, 20],
  ['a list that is whole unless paged', '{ todos { total } }', {}, 0],
  ['the same, paged', '{ todos(pagination: true) { total } }', {}, 10],
  ['a variable', 'query ($n: Int) { lotes(itemsPerPage: $n) { total } }', { n: 40 }, 40],
  ['its default', 'query ($n: Int = 30) { lotes(itemsPerPage: $n) { total } }', {}, 30],
  ['a variable that is absent', 'query ($n: Int) { lotes(itemsPerPage: $n) { total } }', {}, 10],
  [
    'an absent variable whose default is no page',
    'query ($p: Boolean = false) { lotes(pagination: $p) { total } }',
    {},
    0,
  ],
  ['the same, paged', 'query ($p: Boolean = false) { lotes(pagination: $p) { total } }', { p: true }, 10],
  ['a page that is skipped', '{ lotes @skip(if: true) { total } lote { id } }', {}, 0],
  ['a page that is not skipped', '{ lotes @skip(if: false) { total } }', {}, 10],
  [
    'a page in a fragment that is left out',
    '{ ...F @include(if: false) } fragment F on Query { lotes { total } }',
    {},
    0,
  ],
  ['a page that a variable skips', 'query ($s: Boolean!) { lotes @skip(if: $s) { total } }', { s: true }, 0],
  [
    'a page that the default of a variable leaves out',
    'query ($i: Boolean = false) { lotes { data { ... @include(if: $i) { estoques { total } } } } }',
    {},
    10,
  ],
  ['a size that is refused', '{ lotes(itemsPerPage: 99999) { total } }', {}, 1_000],
])('the records of %s are counted', (_, text, given, expected) => {
  expect(most(text, given)).toBe(expected);
});

it('the records of a document are counted again when a variable skips others', () => {
  const document = parse('query ($s: Boolean!) { lotes @skip(if: $s) { total } }');
  const count = (s: boolean): number =>
    mostRecords({ schema, document, operation: getOperationAST(document)!, given: { s } }, 1_000);
  expect([count(true), count(false), count(true)]).toEqual([0, 10, 0]);
});

it('the records of a document are counted again when a variable has another value', () => {
  const document = parse(
    'query ($n: Int, $all: Boolean) { lotes(itemsPerPage: $n, pagination: $all) { total } }',
  );
  const count = (given: Record<string, unknown>): number =>
    mostRecords({ schema, document, operation: getOperationAST(document)!, given }, 1_000);
  expect([count({ n: 3 }), count({ n: 40 }), count({ n: 40, all: false }), count({ n: 5 })]).toEqual([
    3, 40, 0, 5,
  ]);
});
