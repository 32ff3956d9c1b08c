import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Client } from './support/client.ts';
import { makeCompany } from './support/make.ts';
import { grant } from './support/permissions.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { startService, useService } from './support/service.ts';
import {
  batchBody,
  created,
  makeBatch,
  makeInvoice,
  moved,
  movementsOf,
  paths,
  type Body,
} from './support/stock.ts';

/** What a batch is, in the bodies of other records: `lote` of a movement, and the items of an invoice. */

const service = useService();
const { approvals, batches, invoices, links, movements } = paths;
const read = async (path: string): Promise<Body> => (await (await service().as('admin')).get(path)).body;
const OTHERS = { cod_lote: 'TROCADO', data_venc: '2033-03-03' };

/** Somebody with level 2 on these controllers of the storeroom alone. */
const clerks = new Map<string, Promise<Client>>();
const clerk = (usuario: string, controllers: readonly string[]): Promise<Client> => {
  const granted = async () => {
    for (const name of controllers)
      await grant(service(), usuario, { controller: `almoxarifadoquimicos/${name}`, nivel: 2 });
    return service().as(usuario);
  };
  if (!clerks.has(usuario)) clerks.set(usuario, granted());
  return clerks.get(usuario)!;
};
const mover = () => clerk('discente', ['movimentacoes-estoque']);
const buyer = () => clerk('docente', ['notas-fiscais', 'item-nota-fiscal']);

/** A batch of a controlled material that is in stock. The keeper registered it, and the administrator approved it. */
async function stocked(given: object = {}): Promise<Body> {
  const batch = await makeBatch(service(), { controlado: true, ...given });
  const [{ id }] = await movementsOf(service(), batch.id);
  const approved = await (await service().as('admin')).post(approvals, { id_movimentacao: id });
  expect(approved.status).toBe(200);
  return batch;
}
const identity = ({ id_material, id_fabricante, cod_lote, data_venc }: Body) => ({
  id_material,
  id_fabricante,
  cod_lote,
  data_venc,
});
const out = (batch: Body, id_tipo_movimentacao = 5) => ({
  id_lote: batch.id,
  id_tipo_movimentacao,
  id_local_origem_fim: batch.id_local,
  quantidade: 1,
  fl_estorno: 'N',
});
const into = (batch: Body) => ({
  id_lote: batch.id,
  id_tipo_movimentacao: 2,
  id_local_destino_fim: batch.id_local,
  quantidade: 1,
  fl_estorno: 'N',
});
const register = (client: Client, ...movimentacoes: object[]): Promise<Answer> =>
  client.post(movements, { movimentacoes });

describe('a pending movement of a batch that was there before', () => {
  let batch: Body;
  let other: Body;
  beforeEach(async () => {
    [batch, other] = [await stocked(), await makeBatch(service())];
  });

  it.each([
    ['disposal', () => out(batch)],
    ['transfer', () => ({ ...out(batch, 3), id_local_destino_fim: other.id_local })],
    ['later entry', () => into(batch)],
  ])('does not rewrite it without level 2 on batches: %s', async (_, body) => {
    const client = await mover();
    expectProblem(await client.put(`${batches}/${batch.id}`, { ...batch, ...OTHERS }), 403, 'FORBIDDEN');
    const [movement] = created(await register(client, body())).data;
    const path = `${movements}/${movement.id}`;
    const refused = await client.put(path, { ...body(), lote: { ...identity(batch), ...OTHERS } });
    expectProblem(refused, 403, 'FORBIDDEN');
    expect(fieldsOf(refused)).toEqual(['lote.cod_lote', 'lote.data_venc']);
    const input = {
      idLote: batch.id,
      flEstorno: false,
      lote: { idMaterial: batch.id_material, idFabricante: 1 },
    };
    const { errors } = await client.graphql(
      `mutation ($id: Int!, $input: MovimentacaoUpdateInput!) {
        atualizarMovimentacaoEstoque(id: $id, input: $input) { id }
      }`,
      {
        id: movement.id,
        input: {
          ...input,
          idLocalOrigemFim: movement.id_local_origem_fim,
          idLocalDestinoFim: movement.id_local_destino_fim,
        },
      },
    );
    expect(errors![0]!.extensions).toMatchObject({
      code: 'FORBIDDEN',
      errors: [{ field: 'lote.idFabricante' }],
    });
    expect(identity(await read(`${batches}/${batch.id}`))).toEqual(identity(batch));
  });

  it('may be sent back as it was read', async () => {
    const client = await mover();
    const [movement] = created(await register(client, out(batch))).data;
    const { status, body } = await client.put(`${movements}/${movement.id}`, { ...movement, quantidade: 2 });
    expect({ status, body }).toMatchObject({ status: 200, body: { quantidade: 2, lote: identity(batch) } });
  });

  it('rewrites it with level 2 on batches', async () => {
    const [movement] = await moved(service(), out(batch));
    const keeper = await service().as('almoxarife');
    const lote = { ...identity(batch), ...OTHERS };
    expect((await keeper.put(`${movements}/${movement.id}`, { ...out(batch), lote })).status).toBe(200);
    expect(identity(await read(`${batches}/${batch.id}`))).toEqual(lote);
  });

  it('does not get it out once it has expired, where that is refused', async () => {
    await service().sql('update lote set data_venc = current_date - 1 where id = $1', [batch.id]);
    const strict = await startService({ EXPIRED_STOCK: 'refuse' }, service());
    try {
      const { headers } = await mover();
      const client = strict.anyone.with(headers);
      const [movement] = created(await register(client, out(batch))).data;
      const lote = { ...identity(batch), ...OTHERS };
      expectProblem(
        await client.put(`${movements}/${movement.id}`, { ...out(batch), lote }),
        403,
        'FORBIDDEN',
      );
      expectProblem(await register(client, out(batch, 4)), 409, 'CONFLICT');
    } finally {
      await strict.stop();
    }
  });

  it('that gets another batch may say that one, or the one that it leaves, and neither is rewritten', async () => {
    const keeper = await service().as('almoxarife');
    const second = await stocked();
    const [movement] = await moved(service(), into(batch));
    const path = `${movements}/${movement.id}`;
    const refused = await keeper.put(path, { ...into(second), lote: { ...identity(second), ...OTHERS } });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused)).toEqual(['lote.cod_lote', 'lote.data_venc']);
    expect((await keeper.put(path, { ...into(second), lote: batch })).status).toBe(200);
    const unset = { ...identity(batch), cod_lote: null, data_venc: null };
    expect((await keeper.put(path, { ...into(batch), lote: unset })).status).toBe(200);
    expect((await keeper.put(path, { ...into(second), lote: unset })).status).toBe(200);
    expect((await keeper.put(path, { ...into(batch), lote: batch })).status).toBe(200);
    for (const one of [batch, second])
      expect(identity(await read(`${batches}/${one.id}`))).toEqual(identity(one));
  });
});

/** Gives a batch the empty code that GraphQL stores. REST reads it as text, and sends it back as null. */
const withEmptyCode = async (batch: Body): Promise<Body> => {
  const { errors } = await (
    await service().as('almoxarife')
  ).graphql(
    'mutation ($id: Int!, $input: LoteUpdateInput!) { atualizarLote(id: $id, input: $input) { id } }',
    {
      id: batch.id,
      input: { idMaterial: batch.id_material, idFabricante: batch.id_fabricante, codLote: '' },
    },
  );
  expect(errors).toBeUndefined();
  return read(`${batches}/${batch.id}`);
};

describe('a batch whose code is empty', () => {
  it('may be sent back as it was read, in a waiting movement and in an invoice, and is not written', async () => {
    const batch = await withEmptyCode(await stocked());
    const client = await mover();
    const [movement] = created(await register(client, { ...out(batch), lote: batch })).data;
    const changed = await client.put(`${movements}/${movement.id}`, { ...movement, quantidade: 2 });
    expect({ status: changed.status, body: changed.body }).toMatchObject({ status: 200 });
    expect(await read(`${batches}/${batch.id}`)).toEqual(batch);
    const nota = await makeInvoice(service());
    const clerkOfInvoices = await buyer();
    created(await clerkOfInvoices.post(links, { id_nota_fiscal: nota.id, id_lote: batch.id }));
    const linked = await read(`${batches}/${batch.id}`);
    const { body } = await clerkOfInvoices.get(`${invoices}/${nota.id}`);
    const put = await clerkOfInvoices.put(`${invoices}/${nota.id}`, body);
    expect({ status: put.status, body: put.body }).toMatchObject({ status: 200 });
    // The invoice in it is new.
    const { notas_fiscais: _links, ...own } = linked;
    expect(await read(`${batches}/${batch.id}`)).toMatchObject(own);
  });

  it('gets a code only with level 2 on batches', async () => {
    const batch = await withEmptyCode(await stocked());
    const client = await mover();
    const [movement] = created(await register(client, out(batch))).data;
    const lote = { ...identity(batch), cod_lote: 'NOVO' };
    const refused = await client.put(`${movements}/${movement.id}`, { ...out(batch), lote });
    expectProblem(refused, 403, 'FORBIDDEN');
    expect(fieldsOf(refused)).toEqual(['lote.cod_lote']);
  });
});

describe('the movement that brought a batch', () => {
  it('rewrites it while it waits, without any right on batches', async () => {
    const client = await mover();
    const { quantidade, id_local, ...lote } = await batchBody(service(), { controlado: true });
    const body = { ...into({ id: null, id_local }), quantidade, lote };
    const [movement] = created(await register(client, body)).data;
    const put = { ...body, id_lote: movement.id_lote, lote: { ...lote, ...OTHERS } };
    expect((await client.put(`${movements}/${movement.id}`, put)).status).toBe(200);
    expect(await read(`${batches}/${movement.id_lote}`)).toMatchObject(OTHERS);
  });
});

describe('an invoice', () => {
  const changeItems = async (client: Client, nota: Body, change: object): Promise<Answer> => {
    const { body } = await client.get(`${invoices}/${nota.id}`);
    const lotes = body.lotes.map((item: object) => ({ ...item, ...change }));
    return client.put(`${invoices}/${nota.id}`, { ...body, lotes });
  };

  it('that an old batch was linked to does not rewrite it without level 2 on batches', async () => {
    const batch = await stocked();
    const nota = await makeInvoice(service());
    const client = await buyer();
    created(await client.post(links, { id_nota_fiscal: nota.id, id_lote: batch.id }));
    expect((await changeItems(client, nota, {})).status).toBe(200);
    // A correction of the quantity enters with this invoice, but the batch was there before.
    expect((await changeItems(client, nota, { quantidade: 101 })).status).toBe(200);
    for (const [name, value] of Object.entries({
      ...OTHERS,
      id_fabricante: (await makeCompany(service())).id,
    })) {
      const refused = await changeItems(client, nota, { [name]: value });
      expectProblem(refused, 403, 'FORBIDDEN');
      expect(fieldsOf(refused)).toEqual([`lotes[0].${name}`]);
    }
    expect(identity(await read(`${batches}/${batch.id}`))).toEqual(identity(batch));
    expect((await changeItems(await service().as('almoxarife'), nota, OTHERS)).status).toBe(200);
    expect(await read(`${batches}/${batch.id}`)).toMatchObject(OTHERS);
  });

  it('corrects the batches that it brought, without any right on batches', async () => {
    const nota = await makeInvoice(service(), { lotes: [await batchBody(service())] });
    expect((await changeItems(await buyer(), nota, OTHERS)).status).toBe(200);
    expect(await read(`${batches}/${nota.lotes[0].id}`)).toMatchObject(OTHERS);
  });
});

describe('a new movement with `id_lote` and `lote`', () => {
  it('is registered if `lote` is that batch, as a client has read it', async () => {
    const batch = await makeBatch(service());
    const given = [batch, { ...identity(batch), cod_lote: null, data_venc: '' }, null];
    for (const lote of given) await moved(service(), { ...out(batch), lote });
    expect(await movementsOf(service(), batch.id)).toHaveLength(1 + given.length);
  });

  it('is refused in the fields that differ, and the others of the body with it', async () => {
    const batch = await makeBatch(service());
    const id_fabricante = (await makeCompany(service())).id;
    const lote = { ...identity(batch), id_fabricante, ...OTHERS };
    const keeper = await service().as('almoxarife');
    const refused = await register(keeper, out(batch), { ...out(batch), lote });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused)).toEqual(
      ['id_fabricante', 'cod_lote', 'data_venc'].map(name => `movimentacoes[1].lote.${name}`),
    );
    const unknown = await register(keeper, { ...out(batch), lote: { ...lote, id_material: 2_000_000 } });
    expect(fieldsOf(unknown)).toContain('movimentacoes[0].lote.id_material');
    const movimento = { idLote: batch.id, idTipoMovimentacao: 5, idLocalOrigemFim: batch.id_local };
    const { errors } = await keeper.graphql(
      'mutation ($input: MovimentacoesInput!) { criarMovimentacoesEstoque(input: $input) { total } }',
      {
        input: {
          movimentacoes: [
            {
              ...movimento,
              quantidade: 1,
              flEstorno: false,
              lote: { idMaterial: batch.id_material, idFabricante: id_fabricante },
            },
          ],
        },
      },
    );
    expect(errors![0]!.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'movimentacoes[0].lote.idFabricante' }],
    });
    expect(await movementsOf(service(), batch.id)).toHaveLength(1);
  });
});

describe('the kind, the invoice, the state and the time of a waiting movement', () => {
  it('may be sent back, and are not changed in silence', async () => {
    const keeper = await service().as('almoxarife');
    const nota = await makeInvoice(service());
    const batch = await stocked();
    const [movement] = await moved(service(), {
      ...into(batch),
      id_tipo_movimentacao: 1,
      id_nota_fiscal: nota.id,
    });
    const path = `${movements}/${movement.id}`;
    for (const same of [{}, { id_tipo_movimentacao: '1' }, { id_nota_fiscal: null }])
      expect((await keeper.put(path, { ...movement, ...same })).status).toBe(200);
    const other = { id_tipo_movimentacao: 2, id_nota_fiscal: nota.id + 1, data: '2026-01-02T03:04:05.000Z' };
    const refused = await keeper.put(path, { ...movement, ...other });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(refused.body.errors).toEqual(
      expect.arrayContaining(
        Object.keys(other).map(field => ({ field, message: 'não muda depois da criação' })),
      ),
    );
    expect(fieldsOf(refused)).toHaveLength(Object.keys(other).length);
    const decided = await keeper.put(path, { ...movement, id_status_movimentacao: 2 });
    expectProblem(decided, 422, 'VALIDATION_FAILED');
    expect(decided.body.errors).toEqual([
      { field: 'id_status_movimentacao', message: 'muda só pela decisão (POST /aprova-movimentacoes)' },
    ]);
    const admin = await service().as('admin');
    expect((await admin.post(approvals, { id_movimentacao: movement.id })).status).toBe(200);
    // What was read before the decision is sent back.
    expectProblem(await keeper.put(path, movement), 409, 'INVALID_STATE');
  });
});
