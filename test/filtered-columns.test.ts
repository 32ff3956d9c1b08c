import { randomUUID } from 'node:crypto';
import {
  getNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  getNullableType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { useService } from './support/service.ts';
import { makeBatch } from './support/stock.ts';

const service = useService();
const schema = await createSchema();

async function answered(usuario: string, query: string): Promise<any> {
  const { data, errors } = await (await service().as(usuario)).graphql(query);
  expect(errors, query).toBeUndefined();
  return data;
}

/** Fields of records that no filter has: docs/graphql.md, "Filters". `*` stands for any record. */
const EXCEPTIONS = new Set([
  '*.versao',
  '*.avisos',
  '*.download',
  '*.pdf',
  'ArquivoDigital.conteudo',
  'ArquivoDigital.existe',
  'Importacao.gravadas',
  'Importacao.iniciadaEm',
  'Importacao.lidas',
  'Webhook.filtro',
]);

describe('every column and link that a list shows', () => {
  it('is in its filter, except lists of values and the fields that the documentation names', () => {
    const missing = Object.values(schema.getTypeMap()).flatMap(type => {
      const filter = schema.getType(`${type.name}Filter`);
      if (!isObjectType(type) || !isInputObjectType(filter)) return [];
      return Object.values(type.getFields())
        .filter(({ name }) => !(name in filter.getFields()))
        .filter(field => !isListType(getNullableType(field.type)))
        .map(({ name }) => ({ type: type.name, name }))
        .filter(({ name }) => !EXCEPTIONS.has(`*.${name}`))
        .map(({ type: of, name }) => `${of}.${name}`)
        .filter(name => !EXCEPTIONS.has(name));
    });
    expect(missing).toEqual([]);
  });

  it('is in its order and its groups where it is in its filter, except in entries of a directory', () => {
    const missing = Object.values(schema.getTypeMap()).flatMap(type => {
      const [filter, order, by] = ['Filter', 'OrderBy', 'GroupBy'].map(of => schema.getType(type.name + of));
      if (type.name === 'UsuarioDiretorio' || !isObjectType(type)) return [];
      if (!isInputObjectType(filter) || !isInputObjectType(order)) return [];
      return Object.values(type.getFields())
        .filter(({ name }) => name in filter.getFields())
        .filter(field => !isListType(getNullableType(field.type)))
        .filter(
          field => isLeafType(getNamedType(field.type)) || !getNamedType(field.type).name.endsWith('Page'),
        )
        .filter(
          ({ name }) => !(name in order.getFields()) || (isInputObjectType(by) && !(name in by.getFields())),
        )
        .map(({ name }) => `${type.name}.${name}`);
    });
    expect(missing).toEqual([]);
  });
});

describe('a link along others', () => {
  it('is followed by filters, orders, groups and sums like a link', async () => {
    const { id, id_material: material } = await makeBatch(service());
    const { estoques } = await answered(
      'tecnico',
      `{ estoques(filter: { material: { id: { eq: ${material} } } }, orderBy: [{ material: { titulo: desc } }, { unidadeMedida: { sigla: asc } }]) {
          total data { lote { id } material { id } }
          groups(by: [{ material: { id: true } }, { unidadeMedida: { id: true } }], orderBy: [{ key: { material: { id: asc } } }]) {
            key { material { id } unidadeMedida { id } } count } } }`,
    );
    const [[unit]] = (await service().sql('select id_unidade_medida from material where id = $1', [
      material,
    ])) as [[number]];
    expect(estoques).toEqual({
      total: 1,
      data: [{ lote: { id }, material: { id: material } }],
      groups: [{ key: { material: { id: material }, unidadeMedida: { id: unit } }, count: 1 }],
    });
  });

  it('is read from its other end: a page for each material, with its own total, sums and cursor', async () => {
    const batches = [await makeBatch(service()), await makeBatch(service())];
    const ids = batches.map(({ id_material: material }) => material);
    const { materiais } = await answered(
      'tecnico',
      `{ materiais(filter: { id: { in: [${ids.join()}] }, estoques: { some: { quantidade: { gt: 0 } } } }, orderBy: [{ id: asc }]) { data { id
          estoques(itemsPerPage: 1, orderBy: [{ lote: { codLote: asc } }], filter: { localFim: { id: { isNull: false } } }) {
            total data { id material { id } } summary { count sum { quantidade } } }
          movimentacoes { total data { material { id } } } } } }`,
    );
    expect(materiais.data.map(({ id }: { id: number }) => id)).toEqual(ids.toSorted((a, b) => a - b));
    for (const { id, estoques, movimentacoes } of materiais.data) {
      expect(estoques).toMatchObject({ total: 1, data: [{ material: { id } }], summary: { count: 1 } });
      expect(movimentacoes).toEqual({ total: 1, data: [{ material: { id } }] });
    }
  });

  it('cannot be grouped by twice under two names', async () => {
    const { errors } = await (
      await service().as('tecnico')
    ).graphql(
      '{ estoques { groups(by: [{ material: { id: true } }, { lote: { material: { id: true } } }]) { count } } }',
    );
    expect(errors![0]!.extensions.errors![0]!.field).toBe('by[1].lote.material.id');
  });

  it('that leads to a column is filtered, ordered and grouped by like a column', async () => {
    const data = await answered(
      'admin',
      `{ responsaveisLaboratorio(filter: { nome: { isNull: false } }, orderBy: [{ nome: asc }], itemsPerPage: 100) {
          data { nome pessoa { nome } } groups(by: [{ nome: true }]) { key { nome } count } }
        perfisRecursoItem(filter: { idPerfil: { eq: 1 } }) { total data { idPerfil } groups(by: [{ idPerfil: true }]) { key { idPerfil } count } } }`,
    );
    const { data: managers, groups } = data.responsaveisLaboratorio;
    expect(managers.length).toBeGreaterThan(1);
    const names = managers.map(({ nome }: { nome: string }) => nome);
    expect(names).toEqual(names.toSorted(new Intl.Collator('pt-BR').compare));
    expect(new Set(groups.map(({ key }: any) => key.nome))).toEqual(new Set(names));
    const { total, data: items, groups: profiles } = data.perfisRecursoItem;
    expect(total).toBeGreaterThan(0);
    expect(items[0]).toEqual({ idPerfil: 1 });
    expect(profiles).toEqual([{ key: { idPerfil: 1 }, count: total }]);
  });
});

describe('the audit trail', () => {
  it('is grouped and filtered by what was done, and found by its id', async () => {
    const { trilhaAuditoria: page } = await answered(
      'admin',
      '{ trilhaAuditoria(filter: { operacao: { eq: INCLUSAO } }, itemsPerPage: 2) { total data { id operacao } groups(by: [{ operacao: true }]) { key { operacao } count } } }',
    );
    expect(page.groups).toEqual([{ key: { operacao: 'INCLUSAO' }, count: page.total }]);
    const [one, other] = page.data as [{ id: string }, { id: string }];
    const { id } = one;
    const found = await answered(
      'admin',
      `{ one: trilhaAuditoria(filter: { id: { eq: "${id}" } }) { data { id } }
         two: trilhaAuditoria(filter: { id: { in: ["${id}", "${other.id}"] } }) { total }
         none: trilhaAuditoria(filter: { id: { in: [] } }) { total } }`,
    );
    expect(found).toEqual({ one: { data: [{ id }] }, two: { total: 2 }, none: { total: 0 } });
  });

  it.each(['abc', '1.5', '-1', '', '9223372036854775808', '0x10'])(
    'names the field of an id that is none: %j',
    async id => {
      const { errors } = await (
        await service().as('admin')
      ).graphql('query ($id: [ID!]) { trilhaAuditoria(filter: { id: { in: $id } }) { total } }', {
        id: ['1', id],
      });
      expect(errors![0]!.extensions).toMatchObject({
        code: 'BAD_REQUEST',
        errors: [{ field: 'filter.id.in' }],
      });
    },
  );
});

it('figures are of columns under the names that records show', async () => {
  const { livroControlados: book } = await answered(
    'admin',
    `{ livroControlados(ano: 2026, itemsPerPage: 1000) { data { linha } summary { max { linha } }
        groups(by: [{ linha: true }], first: 1, orderBy: [{ max: { linha: desc } }]) { key { linha } max { linha } } } }`,
  );
  const linha = Math.max(...book.data.map((row: { linha: number }) => row.linha));
  expect(linha).toBeGreaterThan(0);
  expect(book.summary.max).toEqual({ linha });
  expect(book.groups).toEqual([{ key: { linha }, max: { linha } }]);
});

describe('deliveries of a webhook', () => {
  it('are found by the name of the message', async () => {
    const [[person]] = (await service().sql("select id from pessoa where usuario = 'admin'")) as [[number]];
    const [[webhook]] = (await service().sql(
      `insert into webhook (id_pessoa, url, eventos, situacao, motivo) values ($1, 'https://x.example', '[]', 'pausado', 'pedido') returning id`,
      [person],
    )) as [[number]];
    const [[id, mensagem]] = (await service().sql(
      `insert into entrega_webhook (id_webhook, evento, tabela, id_registro, mudanca, situacao) values ($1, 'lote.criado', 'lote', 1, '{}', 'omitida') returning id, mensagem`,
      [webhook],
    )) as [[number, string]];
    const data = await answered(
      'admin',
      `{ found: entregasWebhook(filter: { mensagem: { eq: "${mensagem.toUpperCase()}" } }) { data { id } }
         byId: entregasWebhook(filter: { id: { eq: ${id} } }) { data { mensagem } }
         none: entregasWebhook(filter: { mensagem: { eq: "${randomUUID()}" } }) { total } }`,
    );
    expect(data).toEqual({ found: { data: [{ id }] }, byId: { data: [{ mensagem }] }, none: { total: 0 } });
    const refused = await (
      await service().as('admin')
    ).graphql('{ entregasWebhook(filter: { mensagem: { eq: "no-uuid" } }) { total } }');
    expect(refused.errors![0]!.extensions.errors![0]!.field).toBe('filter.mensagem.eq');
  });
});
