import { afterEach, describe, expect, it } from 'vitest';
import { expectBalanced } from './support/ledger.ts';
import { makeMaterial } from './support/make.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import { batchBody, makeBatch, makeInvoice, moved, movementsOf, paths, stockAt } from './support/stock.ts';

const service = useService();
const { batches } = paths;
const almoxarife = () => service().as('almoxarife');
const linksOf = (record: any): number[] => record.notas_fiscais.map((nota: any) => nota.id_nota_fiscal);

afterEach(() => expectBalanced(service()));

describe('changing a batch', () => {
  const required = ({ id_material, id_fabricante }: any) => ({ id_material, id_fabricante });
  const change = async (batch: any, body: object) =>
    (await almoxarife()).put(`${batches}/${batch.id}`, { ...required(batch), ...body });

  it('keeps fields that are left out, and clears fields that are null', async () => {
    const nota = await makeInvoice(service());
    const batch = await makeBatch(service(), { notas_fiscais: [{ id_nota_fiscal: nota.id }] });
    const kept = await change(batch, { motivo: 'Compra' });
    // The invoice has changed with its batch.
    const { notas_fiscais: _links, ...own } = batch;
    expect(kept.body).toMatchObject({ ...own, motivo: 'Compra', alterado_em: expect.any(String) });
    expect(linksOf(kept.body)).toEqual([nota.id]);
    const cleared = await change(batch, { cod_lote: null, data_venc: null, motivo: null });
    expect(cleared.body).toMatchObject({ cod_lote: null, data_venc: null, motivo: null });
    expect(linksOf(cleared.body)).toEqual([nota.id]);
  });

  it('takes quantity and place as they are, and refuses others instead of ignoring them', async () => {
    const batch = await makeBatch(service());
    const { quantidade, id_local, id_local_destino } = batch;
    const same = { quantidade, id_local: String(id_local), id_local_destino };
    for (const sent of [same, { quantidade: null, id_local: '' }])
      expect((await change(batch, sent)).status).toBe(200);
    const others = { quantidade: 5, id_local: id_local + 1, id_local_destino: id_local + 1 };
    const refused = await change(batch, { ...others, motivo: 'Compra' });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(refused.body.errors).toEqual(
      Object.keys(others).map(field => ({ field, message: 'muda só por movimentações' })),
    );
    expect((await (await almoxarife()).get(`${batches}/${batch.id}`)).body).toEqual({
      ...batch,
      alterado_em: expect.any(String),
    });
  });

  it('replaces its invoices by the given ones, and null removes them', async () => {
    const [one, two, three] = [
      await makeInvoice(service()),
      await makeInvoice(service()),
      await makeInvoice(service()),
    ];
    const batch = await makeBatch(service(), {
      notas_fiscais: [{ id_nota_fiscal: one.id }, { id_nota_fiscal: two.id }],
    });
    const given = [two.id, null, three.id].map(id => ({ id_nota_fiscal: id }));
    expect(linksOf((await change(batch, { notas_fiscais: given })).body)).toEqual([two.id, three.id]);
    expect(linksOf((await change(batch, { notas_fiscais: null })).body)).toEqual([]);
    expect(await movementsOf(service(), batch.id)).toHaveLength(1);
  });

  it('can give it another material only before it has moved', async () => {
    const batch = await makeBatch(service());
    const other = (await makeMaterial(service(), { controlado: false })).id;
    expect((await change(batch, { id_material: other })).body).toMatchObject({ id_material: other });
    await moved(service(), {
      id_lote: batch.id,
      id_tipo_movimentacao: 4,
      id_local_origem_fim: batch.id_local,
      quantidade: 1,
      fl_estorno: 'N',
    });
    const refused = await change(batch, { id_material: batch.id_material });
    expectProblem(refused, 409, 'CONFLICT');
    expect(fieldsOf(refused)).toEqual(['id_material']);
  });

  it.each([true, false])(
    'cannot change it between controlled and free materials (controlled: %s)',
    async controlado => {
      const batch = await makeBatch(service(), { controlado });
      const other = (await makeMaterial(service(), { controlado: !controlado })).id;
      expectProblem(await change(batch, { id_material: other }), 409, 'CONFLICT');
      expect((await (await almoxarife()).get(`${batches}/${batch.id}`)).body.id_material).toBe(
        batch.id_material,
      );
    },
  );

  it('reports all broken fields at once', async () => {
    const client = await almoxarife();
    const { id } = await makeBatch(service());
    expect(fieldsOf(await client.put(`${batches}/${id}`, {}))).toEqual(['id_material', 'id_fabricante']);
    const refused = await client.put(`${batches}/${id}`, {
      id_material: null,
      id_fabricante: 2_000_000,
      cod_lote: 'x'.repeat(51),
      data_venc: 'x',
      motivo: 'x'.repeat(501),
      notas_fiscais: [{ id_nota_fiscal: 'x' }],
    });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused).toSorted()).toEqual([
      'cod_lote',
      'data_venc',
      'id_fabricante',
      'id_material',
      'motivo',
      'notas_fiscais[0].id_nota_fiscal',
    ]);
    expectProblem(await client.put(`${batches}/2000000`, await batchBody(service())), 404, 'NOT_FOUND');
  });
});

describe('deleting a batch', () => {
  const remove = async (id: number) => (await almoxarife()).delete(`${batches}/${id}`);
  const decide = async (batch: any, query = '') => {
    const [entry] = await movementsOf(service(), batch.id);
    return (await service().as('admin')).post(`${paths.approvals}${query}`, { id_movimentacao: entry.id });
  };

  it('also deletes its own entry and its stock, and answers the batch as it was', async () => {
    const batch = await makeBatch(service());
    expect(await remove(batch.id)).toMatchObject({ status: 200, body: batch });
    expectProblem(await (await almoxarife()).get(`${batches}/${batch.id}`), 404, 'NOT_FOUND');
    expect(await movementsOf(service(), batch.id)).toEqual([]);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBeNull();
    expectProblem(await remove(batch.id), 404, 'NOT_FOUND');
  });

  it.each([
    ['waits', async () => {}],
    ['was approved', (batch: any) => decide(batch)],
  ])('works also when its entry %s', async (_, settle) => {
    const batch = await makeBatch(service(), { controlado: true });
    await settle(batch);
    expect((await remove(batch.id)).status).toBe(200);
    expect(
      await service().sql(
        'select 1 from solicitacao_aprovacao s left join movimentacao m on m.id = s.id_movimentacao where m.id is null',
      ),
    ).toEqual([]);
  });

  it('is refused when its entry was rejected, so that the decision stays', async () => {
    const batch = await makeBatch(service(), { controlado: true });
    expect((await decide(batch, '?rejeitar=true')).status).toBe(200);
    const refused = await remove(batch.id);
    expectProblem(refused, 409, 'INVALID_STATE');
    expect(refused.body.detail).toMatch(/foi rejeitada[^]*registre outro lote/);
    const { errors } = await (
      await service().as('admin')
    ).graphql(`mutation { excluirLote(id: ${batch.id}) { id } }`);
    expect(errors![0]!.extensions.code).toBe('INVALID_STATE');
    expect(await movementsOf(service(), batch.id)).toMatchObject([{ id_status_movimentacao: 3 }]);
    expect(
      await service().sql(
        `select 1 from solicitacao_aprovacao s join movimentacao m on m.id = s.id_movimentacao where m.id_lote = $1 and s.situacao = 'R'`,
        [batch.id],
      ),
    ).toHaveLength(1);
  });

  it('is refused after any other movement, even one that was undone', async () => {
    const batch = await makeBatch(service());
    const consumption = {
      id_lote: batch.id,
      id_tipo_movimentacao: 4,
      id_local_origem_fim: batch.id_local,
      quantidade: 1,
    };
    await moved(service(), { ...consumption, fl_estorno: 'N' });
    expectProblem(await remove(batch.id), 409, 'REFERENCED');
    await moved(service(), { ...consumption, fl_estorno: 'S' });
    expectProblem(await remove(batch.id), 409, 'REFERENCED');
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(100);
  });
});
