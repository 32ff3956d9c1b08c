import { describe, expect, it } from 'vitest';
import { makeMaterial, makePlace } from './support/make.ts';
import { useWaitingEntry } from './support/movement-scenes.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import { makeBatch, moved, movementsOf, paths, stockAt, type Body } from './support/stock.ts';

const service = useService();
const scene = useWaitingEntry(service);
const { approve } = scene;
const almoxarife = () => service().as('almoxarife');

const body = (given: object = {}) => ({
  id_lote: scene.batch.id,
  id_local_destino_fim: scene.batch.id_local,
  fl_estorno: 'N',
  ...given,
});
const change = async (given: object, id: number = scene.entry.id) =>
  (await almoxarife()).put(`${paths.movements}/${id}`, given);
const remove = async (id: number) => (await almoxarife()).delete(`${paths.movements}/${id}`);
const read = async (path: string): Promise<Body> => (await (await almoxarife()).get(path)).body;

describe('changing a pending movement', () => {
  it('changes what it will do, keeps fields that are left out and clears fields that are null', async () => {
    const there = (await makePlace(service())).id;
    const changed = await change(
      body({ id_local_destino_fim: there, quantidade: 40, observacao: 'Corrigida' }),
    );
    expect(changed).toMatchObject({
      status: 200,
      body: {
        id: scene.entry.id,
        quantidade: 40,
        observacao: 'Corrigida',
        id_local_destino_fim: there,
        id_local_destino_arm: there,
        id_status_movimentacao: 1,
      },
    });
    const cleared = await change(body({ id_local_destino_fim: there, observacao: null }));
    expect(cleared.body).toMatchObject({ quantidade: 40, observacao: null });
    await approve(scene.entry.id);
    expect(await stockAt(service(), scene.batch.id, there)).toBe(40);
    expect(await stockAt(service(), scene.batch.id, scene.batch.id_local)).toBeNull();
  });

  it('that is the entry of a batch changes the quantity and places of the batch', async () => {
    const [there, shelf] = [(await makePlace(service())).id, (await makePlace(service())).id];
    await change(body({ id_local_destino_fim: there, id_local_destino_arm: shelf, quantidade: 60 }));
    expect(await read(`${paths.batches}/${scene.batch.id}`)).toMatchObject({
      quantidade: 60,
      id_local: there,
      id_local_destino: shelf,
    });
  });

  it('makes the responsible location the storage location if that is null', async () => {
    const there = (await makePlace(service())).id;
    await change(body({ id_local_destino_arm: there }));
    expect((await change(body())).body.id_local_destino_arm).toBe(there);
    const cleared = await change(body({ id_local_destino_arm: null }));
    expect(cleared.body.id_local_destino_arm).toBe(scene.batch.id_local);
  });

  it('changes the batch with it by `lote`, within the rules of batches', async () => {
    const { id_material, id_fabricante } = scene.batch;
    const lote = { id_material, id_fabricante, cod_lote: 'K-2', data_venc: null };
    expect((await change(body({ lote }))).body.lote).toMatchObject({ id: scene.batch.id, ...lote });
    expect((await change(body({ lote: null }))).body.lote).toMatchObject(lote);
    const free = (await makeMaterial(service(), { controlado: false })).id;
    expectProblem(await change(body({ lote: { ...lote, id_material: free } })), 409, 'CONFLICT');
    expect((await read(`${paths.batches}/${scene.batch.id}`)).id_material).toBe(id_material);
  });

  it('is also a change of the batch by the same person', async () => {
    const admin = await service().as('admin');
    const changed = await admin.put(`${paths.movements}/${scene.entry.id}`, body({ quantidade: 60 }));
    expect(changed.body.alterado_por).not.toBe(scene.batch.alterado_por);
    const { criado_por, alterado_por } = await read(`${paths.batches}/${scene.batch.id}`);
    expect([criado_por, alterado_por]).toEqual([scene.batch.criado_por, changed.body.alterado_por]);
  });

  it('reports all broken fields at once', async () => {
    expect(fieldsOf(await change({})).toSorted()).toEqual(['fl_estorno', 'id_lote']);
    const nobody = 2_000_000;
    const refused = await change({
      id_lote: nobody,
      id_local_origem_fim: nobody,
      id_local_origem_arm: nobody,
      id_local_destino_fim: 'x',
      id_local_destino_arm: nobody,
      quantidade: 0,
      observacao: 'x'.repeat(501),
      fl_estorno: 'X',
      lote: { id_material: nobody, cod_lote: 'x'.repeat(51), data_venc: '2026-13-01' },
    });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused).toSorted()).toEqual([
      'fl_estorno',
      'id_local_destino_arm',
      'id_local_destino_fim',
      'id_local_origem_arm',
      'id_local_origem_fim',
      'id_lote',
      'lote.cod_lote',
      'lote.data_venc',
      'lote.id_fabricante',
      'lote.id_material',
      'observacao',
      'quantidade',
    ]);
    for (const id_local_destino_fim of [undefined, null])
      expect(fieldsOf(await change(body({ id_local_destino_fim })))).toEqual(['id_local_destino_fim']);
  });

  it('may give it another batch, where it waits and then arrives', async () => {
    const other = await makeBatch(service(), { controlado: true });
    const [waiting] = await moved(service(), { ...body(), id_tipo_movimentacao: 2, quantidade: 7 });
    const changed = await change(body({ id_lote: other.id }), waiting.id);
    expect(changed.body).toMatchObject({ id_lote: other.id, quantidade: 7, id_status_movimentacao: 1 });
    await approve(waiting.id);
    expect(await stockAt(service(), other.id, scene.batch.id_local)).toBe(7);
    expect((await read(`${paths.batches}/${other.id}`)).quantidade).toBe(100);
  });
});

describe('deleting a pending movement', () => {
  it('takes its approval request with it', async () => {
    expect(await remove(scene.entry.id)).toMatchObject({
      status: 200,
      body: { id: scene.entry.id, quantidade: 100 },
    });
    expectProblem(await approve(scene.entry.id), 422, 'VALIDATION_FAILED');
    expect(
      await service().sql('select 1 from solicitacao_aprovacao where id_movimentacao = $1', [scene.entry.id]),
    ).toEqual([]);
    expect(await movementsOf(service(), scene.batch.id)).toEqual([]);
    expectProblem(await remove(scene.entry.id), 404, 'NOT_FOUND');
  });
});

describe('a movement that was decided', () => {
  it.each([
    ['approved', ''],
    ['rejected', '?rejeitar=true'],
  ])('as %s is neither changed nor deleted', async (_, query) => {
    await (await service().as('admin')).post(paths.approvals + query, { id_movimentacao: scene.entry.id });
    const stood = await read(`${paths.movements}/${scene.entry.id}`);
    expectProblem(await change(body({ quantidade: 1 })), 409, 'INVALID_STATE');
    expectProblem(await remove(scene.entry.id), 409, 'INVALID_STATE');
    expect(await read(`${paths.movements}/${scene.entry.id}`)).toEqual(stood);
  });

  it('or needed no decision is neither changed nor deleted', async () => {
    const free = await makeBatch(service());
    const [effective] = await movementsOf(service(), free.id);
    expectProblem(await change({ ...body(), id_lote: free.id }, effective.id), 409, 'INVALID_STATE');
    expectProblem(await remove(effective.id), 409, 'INVALID_STATE');
  });

  it.each([
    ['update movimentacao set quantidade = quantidade + 1 where id = $1', 'SI001'],
    ['update movimentacao set id_status_movimentacao = 1 where id = $1', 'SI001'],
    ['delete from movimentacao where id = $1', 'SI001'],
    ['with m as (select $1::int) update movimentacao set observacao = null', 'SI001'],
  ])('is defended by the database itself: %s', async (statement, code) => {
    await approve(scene.entry.id);
    await expect(service().sql(statement, [scene.entry.id])).rejects.toMatchObject({ code });
  });

  it('is protected by the database itself against truncation, and stock against falling below zero', async () => {
    await expect(service().sql('truncate movimentacao cascade')).rejects.toMatchObject({ code: '42501' });
    await approve(scene.entry.id);
    await expect(
      service().sql('update estoque set quantidade = -1 where id_lote = $1', [scene.batch.id]),
    ).rejects.toMatchObject({ code: '23514' });
  });
});
