import { afterEach, describe, expect, it } from 'vitest';
import { expectBalanced } from './support/ledger.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import { makeBatch, move, moved, paths } from './support/stock.ts';

const service = useService();
const almoxarife = () => service().as('almoxarife');
const nobody = 2_000_000;

afterEach(() => expectBalanced(service()));

describe('the body that registers movements', () => {
  it.each([[{}], [{ movimentacoes: [] }], [{ movimentacoes: null }], [{ movimentacoes: {} }]])(
    'must have at least one movement: %j',
    async body => {
      const refused = await (await almoxarife()).post(paths.movements, body);
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused)).toEqual(['movimentacoes']);
    },
  );

  it('gets all broken fields of all movements reported at once, by path', async () => {
    const refused = await move(
      service(),
      {},
      {
        id_lote: nobody,
        id_tipo_movimentacao: 3,
        id_local_destino_fim: nobody,
        id_local_destino_arm: nobody,
        quantidade: 0,
        observacao: 'x'.repeat(501),
        finalidade: 9,
        fl_estorno: 'X',
        id_nota_fiscal: nobody,
      },
      {
        id_lote: null,
        lote: { id_material: nobody, cod_lote: 'x'.repeat(51), data_venc: '2026-02-30' },
        id_tipo_movimentacao: 9,
        quantidade: 'x',
        fl_estorno: null,
      },
    );
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused).toSorted()).toEqual(
      [
        ...['fl_estorno', 'id_lote', 'id_tipo_movimentacao', 'quantidade'].map(
          name => `movimentacoes[0].${name}`,
        ),
        ...[
          'fl_estorno',
          'id_local_destino_arm',
          'id_local_destino_fim',
          'id_local_origem_fim',
          'id_lote',
        ].map(name => `movimentacoes[1].${name}`),
        ...['finalidade', 'id_nota_fiscal', 'observacao', 'quantidade'].map(
          name => `movimentacoes[1].${name}`,
        ),
        ...[
          'fl_estorno',
          'id_tipo_movimentacao',
          'lote.cod_lote',
          'lote.data_venc',
          'lote.id_fabricante',
          'lote.id_material',
          'quantidade',
        ].map(name => `movimentacoes[2].${name}`),
      ].toSorted(),
    );
  });

  it('has a purpose from 1 to 5, also when a pending movement is changed, and in GraphQL', async () => {
    const batch = await makeBatch(service(), { controlado: true });
    const client = await almoxarife();
    const { body } = await client.get(`${paths.movements}?idLote=${batch.id}`);
    const [entry] = body.data;
    for (const finalidade of [0, 6]) {
      const refused = await client.put(`${paths.movements}/${entry.id}`, { ...entry, finalidade });
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused)).toEqual(['finalidade']);
    }
    expect((await client.put(`${paths.movements}/${entry.id}`, { ...entry, finalidade: 5 })).status).toBe(
      200,
    );
    const out = {
      idLote: batch.id,
      idTipoMovimentacao: 4,
      idLocalOrigemFim: batch.id_local,
      flEstorno: false,
    };
    const { errors } = await client.graphql(
      'mutation ($input: MovimentacoesInput!) { criarMovimentacoesEstoque(input: $input) { data { id } } }',
      {
        input: {
          movimentacoes: [
            { ...out, quantidade: 1 },
            { ...out, quantidade: 0, finalidade: 9 },
          ],
        },
      },
    );
    const found = errors![0]!.extensions['errors'] as { field: string }[];
    expect(found.map(({ field }) => field).toSorted()).toEqual([
      'movimentacoes[1].finalidade',
      'movimentacoes[1].quantidade',
    ]);
  });

  it.each([
    [1, ['id_local_destino_fim']],
    [2, ['id_local_destino_fim']],
    [3, ['id_local_origem_fim', 'id_local_destino_fim']],
    [4, ['id_local_origem_fim']],
    [5, ['id_local_origem_fim']],
  ])('needs the places of its kind: %i', async (id_tipo_movimentacao, places) => {
    const { id } = await makeBatch(service());
    const movement = { id_lote: id, id_tipo_movimentacao, quantidade: 1, fl_estorno: 'N' };
    for (const fl_estorno of ['N', 'S']) {
      const refused = await move(service(), { ...movement, fl_estorno });
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused)).toEqual(places.map(name => `movimentacoes[0].${name}`));
    }
  });

  it.each([0, -1, 1.5, 2_147_483_648, null])('refuses the quantity %j', async quantidade => {
    const { id, id_local } = await makeBatch(service());
    const refused = await move(service(), {
      id_lote: id,
      id_tipo_movimentacao: 2,
      id_local_destino_fim: id_local,
      quantidade,
      fl_estorno: 'N',
    });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused)).toEqual(['movimentacoes[0].quantidade']);
  });

  it('must have a batch or say which one to create', async () => {
    const { id_local } = await makeBatch(service());
    const movement = {
      id_tipo_movimentacao: 2,
      id_local_destino_fim: id_local,
      quantidade: 1,
      fl_estorno: 'N',
    };
    for (const id_lote of [null, undefined]) {
      const refused = await move(service(), { ...movement, id_lote });
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused)).toEqual(['movimentacoes[0].id_lote']);
    }
  });
});

describe('the movements', () => {
  it('are found by place, responsible or storage', async () => {
    const batch = await makeBatch(service());
    const other = await makeBatch(service());
    const [fim, arm] = [batch.id_local, other.id_local];
    const transfer = {
      id_lote: batch.id,
      id_tipo_movimentacao: 3,
      id_local_origem_fim: fim,
      id_local_destino_fim: fim,
      id_local_destino_arm: arm,
      quantidade: 9,
      fl_estorno: 'N',
    };
    const [out] = await moved(service(), transfer);
    const [back] = await moved(service(), {
      ...transfer,
      id_local_origem_arm: arm,
      id_local_destino_arm: fim,
    });
    const idsOf = async (query: string) =>
      (await (await almoxarife()).get(`${paths.movements}?idLote=${batch.id}&${query}`)).body.data.map(
        (found: any) => found.id,
      );
    expect(await idsOf(`idLocalDestino=${arm}`)).toEqual([out.id]);
    expect(await idsOf(`idLocalOrigem=${arm}`)).toEqual([back.id]);
    expect(await idsOf(`idLocalOrigem=${fim}`)).toEqual([out.id, back.id]);
    expect(await idsOf(`idLocalDestino=${fim}&idTipoMovimentacao=3`)).toEqual([out.id, back.id]);
  });

  it('are found by day, with slashes or hyphens, and by whether they are pending', async () => {
    const batch = await makeBatch(service(), { controlado: true });
    const free = await makeBatch(service());
    const [[slashes, hyphens]] = (await service().sql(
      `select to_char(day, 'YYYY/MM/DD'), to_char(day, 'YYYY-MM-DD')
       from (select criado_em at time zone 'America/Sao_Paulo' as day from movimentacao where id_lote = $1) m`,
      [batch.id],
    )) as [[string, string]];
    const count = async (lote: number, query: string) =>
      (await (await almoxarife()).get(`${paths.movements}?idLote=${lote}&${query}`)).body.total;
    for (const day of [slashes, hyphens]) expect(await count(batch.id, `criadoEm=${day}`)).toBe(1);
    expect(await count(batch.id, 'criadoEm=2001/01/01')).toBe(0);
    expect(await count(batch.id, 'dataVenc=2031/05/31')).toBe(1);
    expect([
      await count(batch.id, 'pendentesAprovacao=true'),
      await count(free.id, 'pendentesAprovacao=true'),
    ]).toEqual([1, 0]);
    expect([
      await count(batch.id, 'pendentesAprovacao=false'),
      await count(free.id, 'pendentesAprovacao=false'),
    ]).toEqual([1, 1]);
    expect([await count(batch.id, 'status=1'), await count(batch.id, 'status=2')]).toEqual([1, 0]);
  });
});
