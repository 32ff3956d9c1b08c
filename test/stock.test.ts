import { afterEach, describe, expect, it } from 'vitest';
import { expectBalanced } from './support/ledger.ts';
import { makeMaterial, makePlace } from './support/make.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import { makeBatch, moved, movementsOf, paths, stockAt } from './support/stock.ts';

const service = useService();
const almoxarife = () => service().as('almoxarife');
const place = async () => (await makePlace(service())).id;

afterEach(() => expectBalanced(service()));

describe('entering stock', () => {
  it('makes an entry without invoice, and answers the cell with its Location', async () => {
    const client = await almoxarife();
    const { id } = await makeBatch(service());
    const cell = { id_lote: id, id_local_fim: await place(), id_local_armazenado: await place() };
    const created = await client.post(paths.stock, { ...cell, quantidade: 3 });
    expect(created).toMatchObject({ status: 201, body: { ...cell, quantidade: 3 } });
    expect(created.headers.get('location')).toBe(
      `${paths.stock}/${id}:${cell.id_local_fim}:${cell.id_local_armazenado}`,
    );
    expect((await client.get(created.headers.get('location')!)).body).toEqual(created.body);
    expect((await client.post(paths.stock, { ...cell, quantidade: 4 })).body.quantidade).toBe(7);
    expect((await movementsOf(service(), id)).slice(1)).toMatchObject(
      [3, 4].map(quantidade => ({
        id_tipo_movimentacao: 2,
        id_status_movimentacao: 2,
        id_local_destino_fim: cell.id_local_fim,
        id_local_destino_arm: cell.id_local_armazenado,
        quantidade,
      })),
    );
  });

  it('of a controlled batch answers its cell unchanged, and waits for approval', async () => {
    const client = await almoxarife();
    const { id, id_local } = await makeBatch(service(), { controlado: true });
    const entry = { id_lote: id, id_local_fim: id_local, id_local_armazenado: id_local, quantidade: 3 };
    expect(await client.post(paths.stock, entry)).toMatchObject({ status: 201, body: { quantidade: 0 } });
    const [own, entered] = await movementsOf(service(), id);
    const admin = await service().as('admin');
    await admin.post(paths.approvals, { id_movimentacao: own.id });
    expect((await client.post(paths.stock, entry)).body.quantidade).toBe(100);
    await admin.post(paths.approvals, { id_movimentacao: entered.id });
    expect(await stockAt(service(), id, id_local)).toBe(103);
  });

  it('reports all broken fields at once', async () => {
    const client = await almoxarife();
    const names = ['id_local_armazenado', 'id_local_fim', 'id_lote', 'quantidade'];
    expect(fieldsOf(await client.post(paths.stock, {})).toSorted()).toEqual(names);
    for (const [id, quantidade] of [
      [2_000_000, 0],
      [null, 1.5],
      ['x', -1],
    ]) {
      const refused = await client.post(paths.stock, {
        id_lote: id,
        id_local_fim: id,
        id_local_armazenado: id,
        quantidade,
      });
      expectProblem(refused, 422, 'VALIDATION_FAILED');
      expect(fieldsOf(refused).toSorted()).toEqual(names);
    }
  });

  it('beyond what a cell can hold is a conflict, and changes nothing', async () => {
    const { id, id_local } = await makeBatch(service(), { quantidade: 2_147_483_647 });
    const cell = { id_lote: id, id_local_fim: id_local, id_local_armazenado: id_local };
    const client = await almoxarife();
    expectProblem(await client.post(paths.stock, { ...cell, quantidade: 1 }), 409, 'CONFLICT');
    expectProblem(
      await client.post(paths.stock, { ...cell, quantidade: 2_147_483_648 }),
      422,
      'VALIDATION_FAILED',
    );
    expect(await stockAt(service(), id, id_local)).toBe(2_147_483_647);
    expect(await movementsOf(service(), id)).toHaveLength(1);
  });

  it('works the same in GraphQL, with the same limits', async () => {
    const { id, id_local } = await makeBatch(service());
    const enter = `mutation ($input: EstoqueInput!) { criarEstoque(input: $input) { idLote quantidade material { id } unidadeMedida { sigla } } }`;
    const input = { idLote: id, idLocalFim: id_local, idLocalArmazenado: id_local, quantidade: 1 };
    const client = await almoxarife();
    expect((await client.graphql(enter, { input })).data.criarEstoque).toMatchObject({
      idLote: id,
      quantidade: 101,
    });
    const { errors } = await client.graphql(enter, { input: { ...input, idLote: 2_000_000, quantidade: 0 } });
    expect(errors![0]!.extensions.errors!.map(error => error.field)).toEqual(['quantidade', 'idLote']);
  });

  it('needs level 2, and reading level 1', async () => {
    const discente = await service().as('discente');
    expectProblem(await discente.post(paths.stock, {}), 403, 'FORBIDDEN');
    expectProblem(await discente.get(paths.stock), 403, 'FORBIDDEN');
    expectProblem(await discente.get(`${paths.stock}/1:1:1`), 403, 'FORBIDDEN');
  });
});

describe('a cell of stock', () => {
  it('is read by batch, responsible place and storage place together', async () => {
    const [fim, arm] = [await place(), await place()];
    const { id } = await makeBatch(service(), { id_local: fim, id_local_destino: arm });
    expect(await stockAt(service(), id, fim, arm)).toBe(100);
    expect(await stockAt(service(), id, arm, fim)).toBeNull();
    const { data } = await (
      await almoxarife()
    ).graphql(
      `{ estoque(idLote: ${id}, idLocalFim: ${fim}, idLocalArmazenado: ${arm}) { quantidade lote { id } } }`,
    );
    expect(data.estoque).toEqual({ quantidade: 100, lote: { id } });
  });

  it.each(['1:2:x', '1:x:2', 'x:1:2', '1:2:99999999999', '1:2:3:4'])(
    'with keys %s is a bad request',
    async keys => {
      expectProblem(await (await almoxarife()).get(`${paths.stock}/${keys}`), 400, 'BAD_REQUEST');
    },
  );

  it.each(['1', '1:2', '1::2', '2000000:1:1'])('does not exist at %s', async keys => {
    expectProblem(await (await almoxarife()).get(`${paths.stock}/${keys}`), 404, 'NOT_FOUND');
  });

  it('that was emptied still exists, with nothing in it', async () => {
    const { id, id_local } = await makeBatch(service());
    const all = { id_lote: id, id_local_origem_fim: id_local, quantidade: 100, fl_estorno: 'N' };
    await moved(service(), { ...all, id_tipo_movimentacao: 5 });
    expect(await stockAt(service(), id, id_local)).toBe(0);
  });
});

describe('the stock', () => {
  it('shows material and unit, and the batch only with comLote', async () => {
    const { id, id_local, id_material } = await makeBatch(service(), { cod_lote: 'CL-1' });
    const client = await almoxarife();
    const plain = (await client.get(`${paths.stock}?idLocalFim=${id_local}`)).body.data;
    expect(plain).toMatchObject([{ id_lote: id, quantidade: 100, material: { id: id_material } }]);
    expect(plain[0].unidade_medida).toMatchObject({ sigla: expect.any(String) });
    expect(plain[0]).not.toHaveProperty('lote');
    const asked = (await client.get(`${paths.stock}?idLocalFim=${id_local}&comLote=true`)).body.data;
    expect(asked).toMatchObject([{ lote: { id, cod_lote: 'CL-1' } }]);
  });

  it('is found by place, material and control type, the last one as text', async () => {
    const material = await makeMaterial(service(), {
      controlado: false,
      catmat: `C${Date.now()}`,
      numeroCas: '64-17-5',
    });
    const batch = await makeBatch(service(), {
      id_material: material.id,
      id_local: await place(),
      id_local_destino: await place(),
    });
    const client = await almoxarife();
    const queries = [
      `idLocalFim=${batch.id_local}`,
      `idLocalArmazenado=${batch.id_local_destino}`,
      `idMaterial=${material.id}`,
      `catmat=${material.catmat}`,
      `titulo=${encodeURIComponent(material.titulo)}&cas=64-17-5&descricao=teste`,
      `idTipoControle=${material.tipoControle!.id}`,
    ];
    for (const query of queries) {
      const { body } = await client.get(`${paths.stock}?${query}`);
      expect(body.data.map((cell: any) => cell.id_lote)).toEqual([batch.id]);
    }
    const other = await client.get(
      `${paths.stock}?idMaterial=${material.id}&idLocalFim=${batch.id_local_destino}`,
    );
    expect(other.body).toMatchObject({ data: [], total: 0 });
    expectProblem(await client.get(`${paths.stock}?idTipoControle=x`), 400, 'BAD_REQUEST');
  });
});
