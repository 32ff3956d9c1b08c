import { describe, expect, it } from 'vitest';
import { useFreeBatch } from './support/movement-scenes.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import { batchBody, makeInvoice, move, moved, paths, stockAt } from './support/stock.ts';

const service = useService();
const scene = useFreeBatch(service);
const { from, into, transfer, stock } = scene;
const almoxarife = () => service().as('almoxarife');

describe('a movement', () => {
  it.each([
    ['an entry', () => into(30, 1), [100, 30]],
    ['an entry without invoice', () => into(30), [100, 30]],
    ['a transfer', () => transfer(30), [70, 30]],
    ['a consumption', () => from(30), [70, null]],
    ['a disposal', () => from(30, 5), [70, null]],
  ])(
    'that is %s changes stock at once, and the same body sent again as a reversal undoes it',
    async (_, body, after) => {
      const [made] = await moved(service(), body());
      expect(made).toMatchObject({
        ...body(),
        id_status_movimentacao: 2,
        observacao: null,
        id_nota_fiscal: null,
      });
      expect(made.data).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(await stock()).toEqual(after);
      await moved(service(), { ...body(), fl_estorno: 'S' });
      expect(await stock()).toEqual([100, after[1] === null ? null : 0]);
    },
  );

  it('that is a reversal needs the stock that it takes', async () => {
    await moved(service(), transfer(30), { ...from(1), id_local_origem_fim: scene.there });
    for (const undone of [transfer(30), into(30)]) {
      const refused = await move(service(), { ...undone, fl_estorno: 'S' });
      expectProblem(refused, 409, 'INSUFFICIENT_STOCK');
      expect(fieldsOf(refused)).toEqual(['movimentacoes[0].quantidade']);
    }
    expect(await stock()).toEqual([70, 29]);
  });

  it('has the responsible location as storage location by default, on both sides', async () => {
    const [made] = await moved(service(), transfer(1));
    expect(made).toMatchObject({ id_local_origem_arm: scene.here, id_local_destino_arm: scene.there });
    const [other] = await moved(service(), { ...transfer(2), id_local_destino_arm: scene.here });
    expect(other).toMatchObject({ id_local_destino_fim: scene.there, id_local_destino_arm: scene.here });
    expect(await stockAt(service(), scene.batch.id, scene.there, scene.here)).toBe(2);
  });

  it('may take a batch to another shelf of the same place, but not to where it is', async () => {
    const same = { ...transfer(1), id_local_destino_fim: scene.here };
    const refused = await move(service(), same);
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused)).toEqual(['movimentacoes[0].id_local_destino_fim']);
    await moved(service(), { ...same, id_local_destino_arm: scene.there });
    expect(await stockAt(service(), scene.batch.id, scene.here, scene.there)).toBe(1);
  });

  it('can be read on both faces under the names with which it was written', async () => {
    const nota = await makeInvoice(service());
    const written = {
      ...into(5, 1),
      id_local_destino_arm: scene.here,
      observacao: 'x'.repeat(500),
      id_nota_fiscal: nota.id,
    };
    const [made] = await moved(service(), written);
    const client = await almoxarife();
    const read = await client.get(`${paths.movements}/${made.id}`);
    expect(read.body).toEqual(made);
    expect(read.body).toMatchObject({
      ...written,
      lote: { id: scene.batch.id },
      tipo_movimentacao: { id: 1 },
      nota_fiscal: { id: nota.id },
    });
    const { data } = await client.graphql(
      `{ movimentacaoEstoque(id: ${made.id}) { idLote flEstorno idLocalDestinoArm statusMovimentacao { id } } }`,
    );
    expect(data.movimentacaoEstoque).toEqual({
      idLote: scene.batch.id,
      flEstorno: false,
      idLocalDestinoArm: scene.here,
      statusMovimentacao: { id: 2 },
    });
    expectProblem(await client.get(`${paths.movements}/2000000`), 404, 'NOT_FOUND');
    expectProblem(await client.get(`${paths.movements}/x`), 400, 'BAD_REQUEST');
  });

  it('with a null batch and `lote` creates the batch with it', async () => {
    const { id_material, id_fabricante } = await batchBody(service());
    const lote = { id_material, id_fabricante, cod_lote: 'N-1', data_venc: '2030-01-31' };
    const [made] = await moved(service(), {
      ...into(8),
      id_lote: null,
      lote,
      id_local_destino_arm: scene.here,
    });
    expect(made.lote).toMatchObject({
      ...lote,
      quantidade: 8,
      id_local: scene.there,
      id_local_destino: scene.here,
    });
    expect(made.id_lote).not.toBe(scene.batch.id);
    expect(await stockAt(service(), made.id_lote, scene.there, scene.here)).toBe(8);
    expect((await (await almoxarife()).delete(`${paths.batches}/${made.id_lote}`)).status).toBe(200);
  });

  it.each([
    ['leaves', () => ({ ...from(1), fl_estorno: 'N' })],
    ['moves on', () => ({ ...from(1), ...into(1), id_tipo_movimentacao: 3, fl_estorno: 'N' })],
    ['is put back', () => ({ ...from(1), fl_estorno: 'S' })],
    ['is taken back', () => ({ ...into(1), fl_estorno: 'S' })],
  ])('of a new batch, which %s before it ever came, is refused', async (_, movement) => {
    for (const controlado of [false, true]) {
      const { id_material, id_fabricante } = await batchBody(service(), { controlado });
      const refused = await move(service(), {
        ...movement(),
        id_lote: null,
        lote: { id_material, id_fabricante },
      });
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused)).toEqual(['movimentacoes[0].lote']);
      expect(await service().sql('select 1 from lote where id_material = $1', [id_material])).toEqual([]);
    }
  });
});
