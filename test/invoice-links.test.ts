import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectBalanced } from './support/ledger.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import { batchBody, makeBatch, makeInvoice, movementsOf, paths, type Body } from './support/stock.ts';

const service = useService();
const { links } = paths;
const almoxarife = () => service().as('almoxarife');

/** An invoice with one batch. */
let nota: Body;
let batch: Body;

beforeEach(async () => {
  nota = await makeInvoice(service(), { lotes: [await batchBody(service())] });
  [batch] = nota.lotes;
});
afterEach(() => expectBalanced(service()));

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
