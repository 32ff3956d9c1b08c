import { getNullableType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import type { GraphQLAnswer } from './support/client.ts';
import { useFreeBatch, useWaitingEntry } from './support/movement-scenes.ts';
import { useService } from './support/service.ts';
import { moved, movementsOf } from './support/stock.ts';

const service = useService();
const tecnico = () => service().as('tecnico');

/** Arguments of a to-many field, a linked page and groups that are of the right type, and yet broken. */
const broken: readonly [what: string, selection: string, field: string][] = [
  ['a filter', 'estornos(filter: { quantidade: { eq: null } }) { id }', 'filter.quantidade.eq'],
  ['a filter in a fragment', '...F', 'filter.id.ne'],
  [
    'a filter in a page of the record',
    'lote { movimentacoes { data { estornos(filter: { id: { lt: null } }) { id } } } }',
    'filter.id.lt',
  ],
  ['the filter of a linked page', 'alertas(filter: { id: { gt: null } }) { total }', 'filter.id.gt'],
  ['the size of a linked page', 'alertas(itemsPerPage: 0) { total }', 'itemsPerPage'],
  ['groups by nothing', 'alertas { groups(by: []) { count } }', 'by'],
  ['groups that show what they are not by', 'alertas { groups(by: [{ id: true }]) { key { mes } } }', 'by'],
  ['too many groups', 'alertas { groups(by: [{ id: true }], first: 0) { count } }', 'first'],
];

const FRAGMENT = 'fragment F on Movimentacao { estornadaPor(filter: { id: { ne: null } }) { id } }';

const refusals = ({ data, errors }: GraphQLAnswer) => ({
  data,
  errors: errors?.map(({ extensions: { code, errors: fields } }) => [
    code,
    fields?.map(({ field }) => field).join(),
  ]),
});
const BROKEN = (field: string) => ({ data: undefined, errors: [['BAD_REQUEST', field]] });

describe('a mutation whose answer is asked with a broken argument', () => {
  const scene = useFreeBatch(service);
  const { from, stock } = scene;
  /** Reverses one of a movement, and selects this of the answer. `...F` is a fragment with a broken filter. */
  const reverse = async (id: number, selection: string, on = true) =>
    (await tecnico()).graphql(
      `mutation ($id: Int!, $on: Boolean!) {
         estornarMovimentacao(id: $id, quantidade: 1) { id ... @include(if: $on) { ${selection} } }
       } ${selection === '...F' ? FRAGMENT : ''}`,
      { id, on },
    );

  it.each(broken)('changes nothing, and names the argument: %s', async (_, selection, field) => {
    const [exit] = await moved(service(), from(3));
    expect(refusals(await reverse(exit.id, selection))).toEqual(BROKEN(field));
    expect(await stock()).toEqual([97, null]);
    expect(await movementsOf(service(), scene.batch.id)).toHaveLength(2);
  });

  it('is done if the argument is left out of the answer', async () => {
    const [exit] = await moved(service(), from(3));
    const left = await reverse(exit.id, 'estornos(filter: { quantidade: { eq: null } }) { id }', false);
    expect(left.errors).toBeUndefined();
    expect(await stock()).toEqual([98, null]);
  });

  it('changes nothing if the argument is broken by a variable', async () => {
    const [exit] = await moved(service(), from(3));
    const query = `mutation ($id: Int!, $none: Int) {
      estornarMovimentacao(id: $id, quantidade: 1) { id estornos(filter: { quantidade: { eq: $none } }) { id } } }`;
    const answer = await (await tecnico()).graphql(query, { id: exit.id, none: null });
    expect(refusals(answer)).toEqual(BROKEN('filter.quantidade.eq'));
    expect(await stock()).toEqual([97, null]);
  });

  it('changes nothing of several mutations, the broken one being the last', async () => {
    const [exit] = await moved(service(), from(3));
    const answer = await (
      await tecnico()
    ).graphql(
      `mutation ($id: Int!) { a: estornarMovimentacao(id: $id, quantidade: 1) { id } b: estornarMovimentacao(id: $id, quantidade: 1) { estornos(filter: { id: { eq: null } }) { id } } }`,
      { id: exit.id },
    );
    expect(refusals(answer)).toEqual(BROKEN('filter.id.eq'));
    expect(await stock()).toEqual([97, null]);
  });

  it('registers no movements', async () => {
    const { batch, here } = scene;
    const answer = await (
      await tecnico()
    ).graphql(
      `mutation ($lote: Int!, $local: Int!) { criarMovimentacoesEstoque(input: { movimentacoes: [{ idLote: $lote, idTipoMovimentacao: 4, idLocalOrigemFim: $local, quantidade: 1, flEstorno: false }] }) { data { estornos(filter: { id: { eq: null } }) { id } } } }`,
      { lote: batch.id, local: here },
    );
    expect(refusals(answer)).toEqual(BROKEN('filter.id.eq'));
    expect(await stock()).toEqual([100, null]);
  });

  it('answers what was done if the caller may not read what the argument asks', async () => {
    const [exit] = await moved(service(), from(3));
    const answer = await reverse(
      exit.id,
      'estornos(filter: { estornada: { localOrigemFim: { responsaveisLaboratorio: { some: { pessoa: { trilhaAuditoria: { some: {} } } } } } } }) { id }',
    );
    expect(answer.data.estornarMovimentacao).toEqual({ id: expect.any(Number), estornos: null });
    expect(answer.errors).toMatchObject([
      { path: ['estornarMovimentacao', 'estornos'], extensions: { code: 'FORBIDDEN' } },
    ]);
    expect(await stock()).toEqual([98, null]);
  });
});

describe('a decision whose answer is asked with a broken argument', () => {
  const scene = useWaitingEntry(service);

  it.each(['aprovarMovimentacao', 'rejeitarMovimentacao'])('is not taken: %s', async decide => {
    const answer = await (
      await service().as('admin')
    ).graphql(
      `mutation ($id: Int!) { ${decide}(idMovimentacao: $id) { situacao alteracoes(filter: { id: { eq: null } }) { id } } }`,
      { id: scene.entry.id },
    );
    expect(refusals(answer)).toEqual(BROKEN('filter.id.eq'));
    const [row] = await service().sql(
      'select situacao from solicitacao_aprovacao where id_movimentacao = $1',
      [scene.entry.id],
    );
    expect(row).toEqual(['P']);
  });
});

it('no field that is read after its record is non-null, so that its error never hides what was done', async () => {
  const roots = /^(Query|Mutation|Subscription|__.*)$/;
  const later = Object.values((await createSchema()).getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !roots.test(name))
    .flatMap(type =>
      Object.values(type.getFields())
        .filter(({ args, extensions }) => args.length > 0 || extensions['readsLater'])
        .map(field => ({ name: `${type.name}.${field.name}`, type: field.type })),
    );
  expect(later.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Movimentacao.estornos', 'Lote.movimentacoes', 'LotePage.summary']),
  );
  expect(later.filter(({ type }) => getNullableType(type) !== type).map(({ name }) => name)).toEqual([]);
});
