import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectBalanced } from './support/ledger.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import {
  batchBody,
  makeBatch,
  makeInvoice,
  moved,
  movementsOf,
  paths,
  stockAt,
  type Body,
} from './support/stock.ts';

const service = useService();
const { invoices, links } = paths;
const almoxarife = () => service().as('almoxarife');

/** An invoice with one batch. */
let nota: Body;
let batch: Body;

beforeEach(async () => {
  nota = await makeInvoice(service(), { lotes: [await batchBody(service())] });
  [batch] = nota.lotes;
});
afterEach(() => expectBalanced(service()));

describe('an entry by a movement of an invoice', () => {
  const entry = (given: object) => ({
    id_tipo_movimentacao: 1,
    id_local_destino_fim: batch.id_local,
    quantidade: 5,
    fl_estorno: 'N',
    id_nota_fiscal: nota.id,
    ...given,
  });
  const read = async (): Promise<Body> => (await (await almoxarife()).get(`${invoices}/${nota.id}`)).body;

  it.each([1, 2])('of type %i links a new batch, so that the invoice put back enters nothing', async type => {
    const { id_material, id_fabricante } = batch;
    const lote = { id_material, id_fabricante, cod_lote: 'L-7', data_venc: null };
    const [made] = await moved(service(), entry({ id_tipo_movimentacao: type, id_lote: null, lote }));
    const whole = await read();
    expect(whole.lotes).toMatchObject([{ id: batch.id }, { id: made.id_lote, ...lote, quantidade: 5 }]);
    const back = await (await almoxarife()).put(`${invoices}/${nota.id}`, whole);
    expect(back.body.lotes.map((one: Body) => one.id)).toEqual([batch.id, made.id_lote]);
    expect(await stockAt(service(), made.id_lote, batch.id_local)).toBe(5);
    expect(await movementsOf(service(), made.id_lote)).toHaveLength(1);
  });

  it('links a batch that exists, once, and a batch of a controlled material at once', async () => {
    const other = await makeBatch(service());
    const controlled = await makeBatch(service(), { controlado: true });
    await moved(service(), ...[batch, other, other, controlled].map(({ id }) => entry({ id_lote: id })));
    expect((await read()).lotes.map((one: Body) => one.id)).toEqual([batch.id, other.id, controlled.id]);
  });

  describe('that waits', () => {
    let first: Body;
    let other: Body;

    beforeEach(async () => {
      first = await makeBatch(service(), { controlado: true });
      other = await makeBatch(service(), { id_material: first.id_material, id_local: first.id_local });
    });
    const change = async (id: number, given: object): Promise<void> => {
      const client = await almoxarife();
      const { status } = await client.put(`${paths.movements}/${id}`, { ...entry({}), ...given });
      expect(status).toBe(200);
    };
    const items = async (): Promise<number[]> => (await read()).lotes.map((one: Body) => one.id);

    it('links the batch that it is moved to, and no longer the batch that it is taken from', async () => {
      const [made] = await moved(service(), entry({ id_lote: first.id }));
      await change(made.id, { id_lote: other.id });
      expect(await items()).toEqual([batch.id, other.id]);
    });

    it('and entered its batch with the invoice is an item only there where it is moved to', async () => {
      const lotes = [await batchBody(service(), { controlado: true })];
      nota = await makeInvoice(service(), { lotes });
      const [waiting] = await movementsOf(service(), nota.lotes[0].id);
      await change(waiting.id, { id_lote: first.id });
      expect(await items()).toEqual([first.id]);
    });

    it('keeps the link of a batch that another entry of the invoice brought', async () => {
      const [, made] = await moved(service(), entry({ id_lote: first.id }), entry({ id_lote: first.id }));
      await change(made.id, { id_lote: other.id });
      expect(await items()).toEqual([batch.id, first.id, other.id]);
    });

    it('keeps a link that somebody made before', async () => {
      await (await almoxarife()).post(links, { id_nota_fiscal: nota.id, id_lote: first.id });
      const [made] = await moved(service(), entry({ id_lote: first.id }));
      await change(made.id, { id_lote: other.id });
      expect(await items()).toEqual([batch.id, first.id, other.id]);
    });

    it('does not list its batch again, if that was left out, when only its remark is changed', async () => {
      const [made] = await moved(service(), entry({ id_lote: first.id }));
      const client = await almoxarife();
      await client.put(`${invoices}/${nota.id}`, { ...(await read()), lotes: [batch] });
      await change(made.id, { id_lote: first.id, observacao: 'Nota conferida' });
      expect(await items()).toEqual([batch.id]);
    });

    it('links its batch exactly while it is an entry and not a reversal', async () => {
      const [whole] = await movementsOf(service(), first.id);
      await (await service().as('admin')).post(paths.approvals, { id_movimentacao: whole.id });
      const here = { id_lote: first.id, id_local_destino_fim: first.id_local };
      const [made] = await moved(service(), entry({ ...here, id_tipo_movimentacao: 2 }));
      await change(made.id, { ...here, id_tipo_movimentacao: 2, fl_estorno: 'S' });
      expect(await items()).toEqual([batch.id]);
      await change(made.id, { ...here, id_tipo_movimentacao: 2, fl_estorno: 'N' });
      expect(await items()).toEqual([batch.id, first.id]);
    });
  });

  it('is the only kind of movement that links: no reversal, no transfer', async () => {
    const other = await makeBatch(service());
    const here = { id_lote: other.id, id_local_destino_fim: other.id_local };
    await moved(service(), entry({ ...here, id_tipo_movimentacao: 2, fl_estorno: 'S' }));
    await moved(
      service(),
      entry({
        id_lote: other.id,
        id_tipo_movimentacao: 3,
        id_local_origem_fim: other.id_local,
      }),
    );
    expect((await read()).lotes).toHaveLength(1);
  });
});

describe('the link of a batch to an invoice', () => {
  it('is created without any stock, and is found at its Location only', async () => {
    const client = await almoxarife();
    const donated = await makeBatch(service());
    const link = { id_nota_fiscal: nota.id, id_lote: donated.id };
    const created = await client.post(links, link);
    expect(created).toMatchObject({
      status: 201,
      body: { ...link, lote: { id: donated.id }, nota_fiscal: { id: nota.id } },
    });
    const { id } = created.body;
    expect(created.headers.get('location')).toBe(`${links}/${id}:${nota.id}`);
    expect((await client.get(`${links}/${id}:${nota.id}`)).body).toEqual(created.body);
    expect(await movementsOf(service(), donated.id)).toHaveLength(1);
    const other = await makeInvoice(service());
    expectProblem(await client.get(`${links}/${id}:${other.id}`), 404, 'NOT_FOUND');
    expectProblem(await client.get(`${links}/${id}:x`), 400, 'BAD_REQUEST');
    expectProblem(await client.get(`${links}/x:${nota.id}`), 400, 'BAD_REQUEST');
    expect((await client.get(links)).body.data.map((found: Body) => found.id)).toContain(id);
    const { data } = await client.graphql(
      `{ a: itemNotaFiscal(id: ${id}) { idLote } b: itemNotaFiscal(id: ${id}, idNotaFiscal: ${other.id}) { id } }`,
    );
    expect(data).toEqual({ a: { idLote: donated.id }, b: null });
  });

  it('is unique, needs both records, can change and can be deleted', async () => {
    const client = await almoxarife();
    const other = await makeInvoice(service());
    const again = await client.post(links, { id_nota_fiscal: nota.id, id_lote: batch.id });
    expectProblem(again, 409, 'DUPLICATE');
    expect(fieldsOf(again)).toEqual(['id_nota_fiscal', 'id_lote']);
    expect(fieldsOf(await client.post(links, {}))).toEqual(['id_nota_fiscal', 'id_lote']);
    expect(fieldsOf(await client.post(links, { id_nota_fiscal: 2_000_000, id_lote: 2_000_000 }))).toEqual([
      'id_nota_fiscal',
      'id_lote',
    ]);
    const { id } = (await client.post(links, { id_nota_fiscal: other.id, id_lote: batch.id })).body;
    const donated = await makeBatch(service());
    const changed = await client.put(`${links}/${id}`, { id_nota_fiscal: other.id, id_lote: donated.id });
    expect(changed.body).toMatchObject({ id, id_lote: donated.id });
    expect(await client.delete(`${links}/${id}`)).toMatchObject({ status: 200, body: { id } });
    expectProblem(await client.get(`${links}/${id}:${other.id}`), 404, 'NOT_FOUND');
  });
});

describe('the correction of an invoice to which a batch was linked later', () => {
  const link = async (to: Body, lote: Body): Promise<Body> => {
    await (await almoxarife()).post(links, { id_nota_fiscal: to.id, id_lote: lote.id });
    return to;
  };
  const correct = async (of: Body, lote: Body, quantidade: number) =>
    (await almoxarife()).put(`${invoices}/${of.id}`, { ...of, lotes: [{ ...lote, quantidade }] });
  const reverse = (lote: Body, quantidade: number) =>
    moved(service(), {
      id_lote: lote.id,
      id_tipo_movimentacao: 2,
      id_local_destino_fim: lote.id_local,
      quantidade,
      fl_estorno: 'S',
    });

  it.each([80, 120])('to %i is refused if the batch entered with another invoice', async quantidade => {
    const other = await link(await makeInvoice(service()), batch);
    const refused = await correct(other, batch, quantidade);
    expectProblem(refused, 409, 'CONFLICT');
    expect(fieldsOf(refused)).toEqual(['lotes[0].quantidade']);
    expect(refused.body.detail).toMatch(/entrou com outra nota fiscal/);
    expect(await movementsOf(service(), batch.id)).toMatchObject([
      { quantidade: 100, quantidade_estornada: 0 },
    ]);
    expect((await correct(other, { ...batch, cod_lote: 'L-9' }, 100)).status).toBe(200);
    expect((await correct(nota, batch, quantidade)).status).toBe(200);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(quantidade);
  });

  it('by GraphQL is refused as well', async () => {
    const other = await link(await makeInvoice(service()), batch);
    const { numero_nf, id_transportadora, id_fornecedor } = other;
    const { errors } = await (
      await almoxarife()
    ).graphql(
      'mutation ($id: Int!, $input: NotaFiscalInput!) { atualizarNotaFiscal(id: $id, input: $input) { id } }',
      {
        id: other.id,
        input: {
          numeroNf: numero_nf,
          idTransportadora: id_transportadora,
          idFornecedor: id_fornecedor,
          lotes: [
            {
              id: batch.id,
              idMaterial: batch.id_material,
              idFabricante: batch.id_fabricante,
              quantidade: 120,
            },
          ],
        },
      },
    );
    expect(errors![0]!.extensions).toMatchObject({
      code: 'CONFLICT',
      errors: [{ field: 'lotes[0].quantidade' }],
    });
  });

  it('moves nothing to what a reversal left, and from there on the difference', async () => {
    const donated = await makeBatch(service());
    const other = await link(await makeInvoice(service()), donated);
    await reverse(donated, 20);
    for (const quantidade of [80, 70, 90]) {
      expect((await correct(other, donated, quantidade)).body.lotes).toMatchObject([{ quantidade }]);
      expect(await stockAt(service(), donated.id, donated.id_local)).toBe(quantidade);
    }
  });

  it('counts from what other entries left, if the first one was reversed as a whole', async () => {
    const donated = await makeBatch(service());
    const other = await link(await makeInvoice(service()), donated);
    await reverse(donated, 100);
    await moved(service(), {
      id_lote: donated.id,
      id_tipo_movimentacao: 2,
      id_local_destino_fim: donated.id_local,
      quantidade: 50,
      fl_estorno: 'N',
    });
    expect((await correct(other, donated, 60)).status).toBe(200);
    expect(await stockAt(service(), donated.id, donated.id_local)).toBe(60);
  });
});

describe('entries from before movements linked their batches', () => {
  it('are linked by the upgrade, but not where somebody removed the link, nor when they were rejected', async () => {
    const client = await almoxarife();
    const { migrator } = service().services.orm;
    const run = (text: string, values?: unknown[]) => service().sql(text, values);
    const batches = [await makeBatch(service()), await makeBatch(service()), await makeBatch(service())];
    const rejected = await makeBatch(service(), { controlado: true });
    const entry = { id_tipo_movimentacao: 1, quantidade: 5, fl_estorno: 'N', id_nota_fiscal: nota.id };
    const made = await moved(
      service(),
      ...[...batches, rejected].map(lote => ({
        ...entry,
        id_lote: lote.id,
        id_local_destino_fim: lote.id_local,
      })),
    );
    const admin = await service().as('admin');
    await admin.post(`${paths.approvals}?rejeitar=true`, { id_movimentacao: made.at(-1)!.id });
    const linksOf = async (id: number): Promise<Body[]> =>
      (await client.get(links)).body.data.filter((link: Body) => link.id_lote === id);
    // Nobody removed these two: the previous version did not create them.
    await run('alter table item_nota_fiscal disable trigger auditar_delete');
    await run('delete from item_nota_fiscal where id_lote = any($1)', [[batches[0]!.id, rejected.id]]);
    await run('alter table item_nota_fiscal enable trigger auditar_delete');
    const [removed] = await linksOf(batches[1]!.id);
    await client.delete(`${links}/${removed!.id}`);
    await migrator.down({ migrations: ['Migration20261122000020'] });
    await migrator.up({ migrations: ['Migration20261122000020'] });
    const found = await Promise.all([...batches, rejected].map(async ({ id }) => (await linksOf(id)).length));
    expect(found).toEqual([1, 0, 1, 0]);
  });
});
