import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Client } from './support/client.ts';
import { expectBalanced } from './support/ledger.ts';
import { makeMaterial } from './support/make.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { batchBody, created, makeInvoice, movementsOf, paths, stockAt, type Body } from './support/stock.ts';

/** Whether an entry was approved does not depend on the control that its material has today. */

const service = useService();
const { approvals, batches, invoices } = paths;
const MATERIALS = '/almoxarifadoquimicos/materiais';
const as = (user: string): Promise<Client> => service().as(user);
const newMaterial = async (controlado: boolean): Promise<number> =>
  (await makeMaterial(service(), { controlado })).id;

/** A type of control that requires approval. */
let control: number;
beforeAll(async () => {
  [[control]] = (await service().sql('select id from tipo_controle where exige_aprovacao limit 1')) as [
    [number],
  ];
});
afterEach(() => expectBalanced(service()));

/** Changes the control of a material. Some bodies that the specification demands have their author. */
async function setControl(id: number, id_tipo_controle: number | null): Promise<void> {
  const almoxarife = await as('almoxarife');
  const { body } = await almoxarife.get(`${MATERIALS}/${id}`);
  const changed = await almoxarife.put(`${MATERIALS}/${id}`, { ...body, alterado_por: 1, id_tipo_controle });
  expect(changed.status).toBe(200);
}
async function batchOf(controlado: boolean): Promise<{ batch: Body; entry: Body }> {
  const batch = created(
    await (await as('tecnico')).post(batches, await batchBody(service(), { controlado })),
  );
  const [entry] = await movementsOf(service(), batch.id);
  return { batch, entry };
}
const decide = async ({ id }: Body, query = ''): Promise<void> => {
  const { status } = await (await as('admin')).post(approvals + query, { id_movimentacao: id });
  expect(status).toBe(200);
};
const setMaterial = async ({ id, id_fabricante }: Body, id_material: number): Promise<Answer> =>
  (await as('tecnico')).put(`${batches}/${id}`, { id_fabricante, id_material });
const setMaterialOnGraph = async ({ id, id_fabricante }: Body, id_material: number) =>
  (await as('tecnico')).graphql(
    `mutation { atualizarLote(id: ${id}, input: { idFabricante: ${id_fabricante}, idMaterial: ${id_material} }) { id } }`,
  );
const remove = async (user: string, { id }: Body): Promise<Answer> =>
  (await as(user)).delete(`${batches}/${id}`);
const materialOf = async ({ id }: Body): Promise<number> =>
  (await (await as('tecnico')).get(`${batches}/${id}`)).body.id_material;
const requestsOf = ({ id }: Body) =>
  service().sql('select situacao from solicitacao_aprovacao where id_movimentacao = $1', [id]);

describe('an entry that was decided, of a material that needs no approval any more', () => {
  it.each([
    ['approved', ''],
    ['rejected', '?rejeitar=true'],
  ])('keeps its material by batch, on both faces: %s', async (_, query) => {
    const { batch, entry } = await batchOf(true);
    await decide(entry, query);
    await setControl(batch.id_material, null);
    for (const controlado of [false, true]) {
      const other = await newMaterial(controlado);
      const refused = await setMaterial(batch, other);
      expectProblem(refused, 409, 'CONFLICT');
      expect(refused.body.detail).toMatch(/foi decidida com este material/);
      const { errors } = await setMaterialOnGraph(batch, other);
      expect(errors![0]!.extensions).toMatchObject({ code: 'CONFLICT', errors: [{ field: 'idMaterial' }] });
    }
    expect(await materialOf(batch)).toBe(batch.id_material);
  });

  it('keeps its material by invoice', async () => {
    const lotes = [await batchBody(service(), { controlado: true })];
    const nota = await makeInvoice(service(), { lotes });
    const [item] = nota.lotes;
    const [entry] = await movementsOf(service(), item.id);
    await decide(entry);
    await setControl(item.id_material, null);
    const { criado_por: _c, alterado_por: _a, ...body } = nota;
    const other = { ...item, id_material: await newMaterial(false) };
    const refused = await (await as('tecnico')).put(`${invoices}/${nota.id}`, { ...body, lotes: [other] });
    expectProblem(refused, 409, 'CONFLICT');
    expect(refused.body.errors).toMatchObject([{ field: 'lotes[0].id_material' }]);
    expect(await materialOf(item)).toBe(item.id_material);
  });

  it('goes with its batch, and its approval with it, only by level 3 on movements', async () => {
    const { batch, entry } = await batchOf(true);
    await decide(entry);
    await setControl(batch.id_material, null);
    expectProblem(await remove('tecnico', batch), 403, 'FORBIDDEN');
    const { errors } = await (
      await as('tecnico')
    ).graphql(`mutation { excluirLote(id: ${batch.id}) { id } }`);
    expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
    expect(await requestsOf(entry)).toEqual([['A']]);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(100);
    expect((await remove('almoxarife', batch)).status).toBe(200);
  });
});

describe('an entry that waits, of a material that needs no approval any more', () => {
  it('goes on waiting, also with another material, and is decided like any other', async () => {
    const { batch, entry } = await batchOf(true);
    await setControl(batch.id_material, null);
    expect((await setMaterial(batch, await newMaterial(false))).status).toBe(200);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBeNull();
    expect(await requestsOf(entry)).toEqual([['P']]);
    await decide(entry);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(100);
  });
});

describe('an entry without approval, of a material that needs approval now', () => {
  it('gets no other material that needs approval, because nobody approved it, and the answer says so', async () => {
    const { batch } = await batchOf(false);
    await setControl(batch.id_material, control);
    const other = await newMaterial(true);
    const refused = await setMaterial(batch, other);
    expectProblem(refused, 409, 'CONFLICT');
    expect(refused.body.detail).toMatch(/não passou por aprovação/);
    const { errors } = await setMaterialOnGraph(batch, other);
    expect(errors![0]!.extensions).toMatchObject({ code: 'CONFLICT', errors: [{ field: 'idMaterial' }] });
    const free = await setMaterial(batch, await newMaterial(false));
    expectProblem(free, 409, 'CONFLICT');
    expect(free.body.detail).toMatch(/outra exigência de aprovação/);
    expect(await materialOf(batch)).toBe(batch.id_material);
  });

  it('goes with its batch only by level 3 on movements, because controlled stock does not leave by one person', async () => {
    const { batch } = await batchOf(false);
    await setControl(batch.id_material, control);
    expectProblem(await remove('tecnico', batch), 403, 'FORBIDDEN');
    expect((await remove('almoxarife', batch)).status).toBe(200);
  });

  it('is free again together with its material', async () => {
    const { batch } = await batchOf(false);
    await setControl(batch.id_material, control);
    await setControl(batch.id_material, null);
    expect((await setMaterial(batch, await newMaterial(false))).status).toBe(200);
    expect((await remove('tecnico', batch)).status).toBe(200);
  });
});
