import { afterEach, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { expectBalanced } from './support/ledger.ts';
import { makeMaterial, makePlace } from './support/make.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import {
  batchBody,
  created,
  makeBatch,
  makeInvoice,
  movementsOf,
  paths,
  stockAt,
  type Body,
} from './support/stock.ts';

/** What the rules of movements forbid is also forbidden to writes of batches, invoices and materials. */

const service = useService();
const { approvals, batches, invoices, movements } = paths;
const MATERIALS = '/almoxarifadoquimicos/materiais';
const as = (user: string): Promise<Client> => service().as(user);
const decide = async (id: number, user = 'admin', headers: Record<string, string> = {}) =>
  (await as(user)).with(headers).post(approvals, { id_movimentacao: id });
const reject = async (id: number) =>
  (await as('admin')).post(`${approvals}?rejeitar=true`, { id_movimentacao: id });

afterEach(() => expectBalanced(service()));

/** A batch of a controlled material that `user` registered, and its entry, which waits. */
async function waitingBatch(user: string): Promise<{ batch: Body; entry: Body }> {
  const body = await batchBody(service(), { controlado: true });
  const batch = created(await (await as(user)).post(batches, body));
  const [entry] = await movementsOf(service(), batch.id);
  return { batch, entry };
}
const anotherMaterial = async (controlado = true): Promise<number> =>
  (await makeMaterial(service(), { controlado })).id;

describe('another material of a batch whose entry waits', () => {
  const byBatch = async (user: string, { id, id_fabricante }: Body) =>
    (await as(user)).put(`${batches}/${id}`, { id_fabricante, id_material: await anotherMaterial() });

  it('is a change of the entry: who makes it does not approve it', async () => {
    const { batch, entry } = await waitingBatch('tecnico');
    const material = batch.id_material as number;
    const changed = await byBatch('almoxarife', batch);
    expect(changed.status).toBe(200);
    expectProblem(await decide(entry.id, 'almoxarife'), 403, 'FORBIDDEN');
    const { data } = (await (await as('admin')).get(approvals)).body;
    const request = (data as Body[]).find(one => one.id_movimentacao === entry.id);
    expect(request.alteracoes).toMatchObject([
      { campo: 'id_material', antes: String(material), depois: String(changed.body.id_material) },
    ]);
    expect((await decide(entry.id)).status).toBe(200);
  });

  it('is also one by an invoice', async () => {
    const lotes = [await batchBody(service(), { controlado: true })];
    const nota = await makeInvoice(service(), { lotes });
    const item = { ...nota.lotes[0], id_material: await anotherMaterial() };
    const { criado_por: _c, alterado_por: _a, ...body } = nota;
    const put = await (await as('admin')).put(`${invoices}/${nota.id}`, { ...body, lotes: [item] });
    expect(put.status).toBe(200);
    const [entry] = await movementsOf(service(), item.id);
    expectProblem(await decide(entry.id), 403, 'FORBIDDEN');
  });

  it('makes an approver look again who has seen the old one', async () => {
    const { batch, entry } = await waitingBatch('tecnico');
    const { headers } = await (await as('admin')).get(`${movements}/${entry.id}`);
    const seen = { 'if-match': headers.get('etag')! };
    expect((await byBatch('tecnico', batch)).status).toBe(200);
    expectProblem(await decide(entry.id, 'admin', seen), 412, 'PRECONDITION_FAILED');
  });

  it('is left to who registered it, or manages movements', async () => {
    const { batch } = await waitingBatch('almoxarife');
    expectProblem(await byBatch('tecnico', batch), 403, 'FORBIDDEN');
    expect((await byBatch('admin', batch)).status).toBe(200);
  });
});

describe('a batch whose entry was decided', () => {
  it.each([
    ['approved', decide],
    ['rejected', reject],
  ])('keeps its material: %s', async (_, how) => {
    const { batch, entry } = await waitingBatch('tecnico');
    expect((await how(entry.id)).status).toBe(200);
    const body = { id_fabricante: batch.id_fabricante, id_material: await anotherMaterial() };
    const refused = await (await as('almoxarife')).put(`${batches}/${batch.id}`, body);
    expectProblem(refused, 409, 'CONFLICT');
    expect(refused.body.detail).toMatch(/foi decidida com este material/);
  });

  it('keeps the unit of its material, unless level 3 changes it, also when it was rejected', async () => {
    const { batch, entry } = await waitingBatch('tecnico');
    expect((await reject(entry.id)).status).toBe(200);
    const path = `${MATERIALS}/${batch.id_material}`;
    const { body } = await (await as('admin')).get(path);
    const other = { ...body, id_unidade_medida: body.id_unidade_medida === 1 ? 2 : 1 };
    expectProblem(await (await as('tecnico')).put(path, other), 403, 'FORBIDDEN');
    expect((await (await as('almoxarife')).put(path, other)).status).toBe(200);
  });
});

describe('deleting a batch with its entry', () => {
  const remove = async (user: string, { id }: Body) => (await as(user)).delete(`${batches}/${id}`);

  it('is left to who registered it, or manages movements, while the entry waits', async () => {
    const { batch } = await waitingBatch('almoxarife');
    expectProblem(await remove('tecnico', batch), 403, 'FORBIDDEN');
    const own = await waitingBatch('tecnico');
    expect((await remove('tecnico', own.batch)).status).toBe(200);
    expect((await remove('admin', batch)).status).toBe(200);
  });

  it('needs level 3 on movements once the entry was approved', async () => {
    const { batch, entry } = await waitingBatch('tecnico');
    expect((await decide(entry.id)).status).toBe(200);
    expectProblem(await remove('tecnico', batch), 403, 'FORBIDDEN');
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(100);
    expect((await remove('almoxarife', batch)).status).toBe(200);
  });

  it('takes stock out of a restricted location only for its managers and level 3', async () => {
    const batch = await makeBatch(service());
    await service().sql(`update local set restrito = 'S' where id = $1`, [batch.id_local]);
    const refused = await remove('tecnico', batch);
    expectProblem(refused, 403, 'FORBIDDEN');
    expect(refused.body.detail).toMatch(/retira estoque de/);
    expect((await remove('almoxarife', batch)).status).toBe(200);
  });
});

describe('moving a pending entry to another batch', () => {
  it('leaves that batch as it is, also if the body still has the first one', async () => {
    const { batch, entry } = await waitingBatch('tecnico');
    const { id_material } = batch;
    const other = created(
      await (await as('tecnico')).post(batches, await batchBody(service(), { id_material })),
    );
    const there = (await makePlace(service())).id;
    const body = {
      id_lote: other.id,
      id_local_destino_fim: there,
      quantidade: 7,
      fl_estorno: 'N',
      lote: batch,
    };
    const changed = await (await as('tecnico')).put(`${movements}/${entry.id}`, body);
    expect(changed.body).toMatchObject({ id_lote: other.id, quantidade: 7 });
    const { quantidade, id_local, cod_lote, data_venc } = other;
    expect((await (await as('tecnico')).get(`${batches}/${other.id}`)).body).toMatchObject({
      quantidade,
      id_local,
      cod_lote,
      data_venc,
    });
  });
});

describe('a material that has movements', () => {
  const change = async (user: string, { id }: Body, given: object) => {
    const { body } = await (await as(user)).get(`${MATERIALS}/${id}`);
    // The specification demands the author.
    return (await as(user)).put(`${MATERIALS}/${id}`, { ...body, alterado_por: 1, ...given });
  };
  const another = async (table: string, than: number) =>
    (await service().sql(`select id from ${table} where id <> $1 order by id desc limit 1`, [than]))[0]![0];

  it('keeps unit and control for people without level 3, so that nothing leaves without approval', async () => {
    const { batch, entry } = await waitingBatch('tecnico');
    expect((await decide(entry.id)).status).toBe(200);
    const material = { id: batch.id_material };
    const { body: before } = await (await as('tecnico')).get(`${MATERIALS}/${material.id}`);
    const given = [
      { id_tipo_controle: null },
      { id_tipo_controle: await another('tipo_controle', before.id_tipo_controle) },
      { id_unidade_medida: await another('unidade_medida', before.id_unidade_medida) },
    ];
    for (const one of given) {
      const refused = await change('tecnico', material, one);
      expectProblem(refused, 403, 'FORBIDDEN');
      expect(refused.body.detail).toMatch(/nível 3 em materiais/);
    }
    expect((await change('tecnico', material, { descricao: 'Outra' })).status).toBe(200);
    for (const one of given) expect((await change('almoxarife', material, one)).status).toBe(200);
  });

  it('can be brought under a control by everybody who may change it, as can one without movements', async () => {
    const free = await makeBatch(service(), { id_material: (await makeMaterial(service())).id });
    const [type] = (await service().sql('select id from tipo_controle where exige_aprovacao limit 1'))[0]!;
    const controlled = await change('tecnico', { id: free.id_material }, { id_tipo_controle: type });
    expect(controlled.status).toBe(200);
    const unused = await makeMaterial(service(), { controlado: true });
    expect((await change('tecnico', unused, { id_tipo_controle: null })).status).toBe(200);
  });
});
