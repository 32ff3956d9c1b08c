import { afterEach, describe, expect, it } from 'vitest';
import { expectBalanced } from './support/ledger.ts';
import { makeCompany, makeMaterial, makePlace } from './support/make.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import { batchBody, makeBatch, makeInvoice, movementsOf, paths, stockAt } from './support/stock.ts';

const service = useService();
const { batches } = paths;
const almoxarife = () => service().as('almoxarife');
const linksOf = (record: any): number[] => record.notas_fiscais.map((nota: any) => nota.id_nota_fiscal);

afterEach(() => expectBalanced(service()));

describe('creating a batch', () => {
  it('enters its quantity at its place by an entry without invoice, and can be read at its Location', async () => {
    const client = await almoxarife();
    const body = await batchBody(service(), {
      motivo: 'Doação',
      id_local_destino: (await makePlace(service())).id,
    });
    const created = await client.post(batches, body);
    expect(created).toMatchObject({ status: 201, body: { ...body, notas_fiscais: [] } });
    expect(created.headers.get('location')).toBe(`${batches}/${created.body.id}`);
    expect((await client.get(created.headers.get('location')!)).body).toEqual(created.body);
    expect(await stockAt(service(), created.body.id, body.id_local, body.id_local_destino!)).toBe(100);
    expect(await movementsOf(service(), created.body.id)).toMatchObject([
      {
        id_tipo_movimentacao: 2,
        id_status_movimentacao: 2,
        id_local_destino_fim: body.id_local,
        id_local_destino_arm: body.id_local_destino,
        id_local_origem_fim: null,
        quantidade: 100,
        observacao: 'Doação',
        fl_estorno: 'N',
        id_nota_fiscal: null,
      },
    ]);
  });

  it('stores it at the responsible location if no other place is given', async () => {
    const batch = await makeBatch(service());
    expect(batch.id_local_destino).toBe(batch.id_local);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(100);
  });

  it('that came with an invoice makes an entry of that invoice, and ignores items without an invoice', async () => {
    const [first, second] = [await makeInvoice(service()), await makeInvoice(service())];
    const batch = await makeBatch(service(), {
      notas_fiscais: [null, first.id, second.id, first.id].map(id => ({ id_nota_fiscal: id })),
    });
    expect(linksOf(batch)).toEqual([first.id, second.id]);
    expect(await movementsOf(service(), batch.id)).toMatchObject([
      { id_tipo_movimentacao: 1, id_nota_fiscal: first.id },
    ]);
    const donated = await makeBatch(service(), { notas_fiscais: [{ id_nota_fiscal: null }] });
    expect(await movementsOf(service(), donated.id)).toMatchObject([{ id_tipo_movimentacao: 2 }]);
  });

  it('of a controlled material makes the batch exist at once, while its stock waits', async () => {
    const batch = await makeBatch(service(), { controlado: true });
    expect((await (await almoxarife()).get(`${batches}/${batch.id}`)).status).toBe(200);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBeNull();
    expect(await movementsOf(service(), batch.id)).toMatchObject([{ id_status_movimentacao: 1 }]);
  });

  it('reports all broken fields at once', async () => {
    const client = await almoxarife();
    expect(fieldsOf(await client.post(batches, {})).toSorted()).toEqual([
      'id_fabricante',
      'id_local',
      'id_material',
      'quantidade',
    ]);
    const refused = await client.post(batches, {
      id_material: 2_000_000,
      id_fabricante: 2_000_000,
      cod_lote: 'x'.repeat(51),
      data_venc: '2026-02-30',
      quantidade: 0,
      motivo: 'x'.repeat(501),
      id_local: 2_000_000,
      id_local_destino: 2_000_000,
      notas_fiscais: [{ id_nota_fiscal: 2_000_000 }],
    });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused).toSorted()).toEqual([
      'cod_lote',
      'data_venc',
      'id_fabricante',
      'id_local',
      'id_local_destino',
      'id_material',
      'motivo',
      'notas_fiscais[0].id_nota_fiscal',
      'quantidade',
    ]);
  });

  it('works the same in GraphQL', async () => {
    const { id_material, id_fabricante, id_local } = await batchBody(service());
    const input = { idMaterial: id_material, idFabricante: id_fabricante, idLocal: id_local, quantidade: 7 };
    const create = `mutation ($input: LoteInput!) { criarLote(input: $input) { id codLote idLocalDestino notasFiscais { id } } }`;
    const client = await almoxarife();
    const { data } = await client.graphql(create, { input });
    expect(data.criarLote).toMatchObject({ codLote: null, idLocalDestino: id_local, notasFiscais: [] });
    expect(await stockAt(service(), data.criarLote.id, id_local)).toBe(7);
    const { errors } = await client.graphql(create, {
      input: { ...input, quantidade: -1, idLocal: 2_000_000 },
    });
    expect(errors![0]!.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'quantidade' }, { field: 'idLocal' }],
    });
  });

  it('needs level 2, and reading level 1', async () => {
    const discente = await service().as('discente');
    expectProblem(await discente.post(batches, await batchBody(service())), 403, 'FORBIDDEN');
    expectProblem(await discente.get(batches), 403, 'FORBIDDEN');
    expect((await (await service().as('tecnico')).post(batches, await batchBody(service()))).status).toBe(
      201,
    );
  });
});

describe('the batches', () => {
  it('are found by their fields, with the manufacturer as text', async () => {
    const titulo = `Éter ${Date.now()}`;
    const id_material = (await makeMaterial(service(), { titulo })).id;
    const id_fabricante = (await makeCompany(service())).id;
    const batch = await makeBatch(service(), {
      id_material,
      id_fabricante,
      cod_lote: 'ZZ-9',
      data_venc: '2033-03-03',
    });
    await makeBatch(service(), { id_material, cod_lote: 'ZZ-90', data_venc: '2033-03-04' });
    const client = await almoxarife();
    for (const query of [
      'codLote=ZZ-9',
      `idFabricante=${id_fabricante}`,
      'dataVenc=2033/03/03',
      `fabricante=${encodeURIComponent(batch.fabricante.nome)}`,
    ]) {
      const { body } = await client.get(`${batches}?titulo=${encodeURIComponent(titulo)}&${query}`);
      expect(body.data.map((found: any) => found.id)).toEqual([batch.id]);
    }
    expectProblem(await client.get(`${batches}?idFabricante=x`), 400, 'BAD_REQUEST');
  });
});

it('the material and the manufacturer of a batch cannot be deleted while the batch exists', async () => {
  const client = await almoxarife();
  const batch = await makeBatch(service());
  const area = '/almoxarifadoquimicos';
  for (const path of [`materiais/${batch.id_material}`, `empresas/${batch.id_fabricante}`])
    expectProblem(await client.delete(`${area}/${path}`), 409, 'REFERENCED');
  await client.delete(`${batches}/${batch.id}`);
  expect((await client.delete(`${area}/materiais/${batch.id_material}`)).status).toBe(200);
});
