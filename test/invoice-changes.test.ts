import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectBalanced } from './support/ledger.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import {
  batchBody,
  makeBatch,
  makeInvoice,
  movementsOf,
  paths,
  stockAt,
  type BatchBody,
  type Body,
} from './support/stock.ts';

const service = useService();
const { invoices, links, batches } = paths;
const almoxarife = () => service().as('almoxarife');

/** An invoice with one batch. */
let given: BatchBody;
let nota: Body;
let batch: Body;

beforeEach(async () => {
  given = await batchBody(service());
  nota = await makeInvoice(service(), { lotes: [given] });
  [batch] = nota.lotes;
});
afterEach(() => expectBalanced(service()));

const change = async (body: object) => {
  const { numero_nf, id_transportadora, id_fornecedor } = nota;
  return (await almoxarife()).put(`${invoices}/${nota.id}`, {
    numero_nf,
    id_transportadora,
    id_fornecedor,
    ...body,
  });
};
const idsOf = (record: Body): number[] => record.lotes.map((lote: Body) => lote.id);

describe('changing an invoice', () => {
  it('keeps fields that are left out, batches included, and clears fields that are null', async () => {
    const kept = await change({ processo_sei: 'P', data_emissao: '2026-01-02' });
    expect(kept.body).toMatchObject({ numero_nf: nota.numero_nf, processo_sei: 'P' });
    expect(idsOf(kept.body)).toEqual([batch.id]);
    expect((await change({ processo_sei: null })).body).toMatchObject({
      processo_sei: null,
      data_emissao: '2026-01-02',
    });
    expect(fieldsOf(await (await almoxarife()).put(`${invoices}/${nota.id}`, {})).toSorted()).toEqual([
      'id_fornecedor',
      'id_transportadora',
      'numero_nf',
    ]);
    expectProblem(await (await almoxarife()).put(`${invoices}/2000000`, nota), 404, 'NOT_FOUND');
  });

  it('enters only batches that are new by material, manufacturer and code', async () => {
    const other = await batchBody(service());
    const variants = [
      { ...given, cod_lote: 'L-2' },
      { ...given, cod_lote: null },
      { ...given, id_material: other.id_material },
      { ...given, id_fabricante: other.id_fabricante },
    ];
    const changed = await change({ lotes: [given, ...variants] });
    expect(changed.body.lotes).toMatchObject([{ id: batch.id }, ...variants]);
    for (const id of idsOf(changed.body)) {
      expect(await stockAt(service(), id, given.id_local)).toBe(100);
      expect(await movementsOf(service(), id)).toMatchObject([
        { id_tipo_movimentacao: 1, id_nota_fiscal: nota.id },
      ]);
    }
    expect(idsOf((await change({ lotes: [given, ...variants] })).body)).toEqual(idsOf(changed.body));
  });

  it('accepts another expiry date for a batch that it already has', async () => {
    const changed = await change({ lotes: [{ ...given, data_venc: '2040-01-01' }] });
    expect(changed.body.lotes).toMatchObject([{ id: batch.id, data_venc: '2040-01-01' }]);
    const { data_venc: _, ...rest } = given;
    expect((await change({ lotes: [rest] })).body.lotes).toMatchObject([{ data_venc: '2040-01-01' }]);
    expect((await change({ lotes: [{ ...rest, data_venc: null }] })).body.lotes).toMatchObject([
      { data_venc: null },
    ]);
    expect(await movementsOf(service(), batch.id)).toHaveLength(1);
  });

  it('records the caller as author, only on the batches that change', async () => {
    const other = { ...given, cod_lote: 'L-2' };
    await change({ lotes: [given, other] });
    const { numero_nf, id_transportadora, id_fornecedor } = nota;
    const lotes = [{ ...given, data_venc: '2040-01-01' }, other];
    const admin = await service().as('admin');
    const changed = await admin.put(`${invoices}/${nota.id}`, {
      numero_nf,
      id_transportadora,
      id_fornecedor,
      lotes,
    });
    expect(changed.body.alterado_por).not.toBe(nota.alterado_por);
    const authors = changed.body.lotes.map((lote: Body) => lote.alterado_por);
    expect(authors).toEqual([changed.body.alterado_por, nota.alterado_por]);
  });

  it('enters a new batch once, however many list it at the same time', async () => {
    const lotes = [given, { ...given, cod_lote: 'L-2' }];
    const answers = await Promise.all([1, 2, 3, 4].map(() => change({ lotes })));
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.flatMap(answer => idsOf(answer.body))).size).toBe(2);
  });

  it('refuses another quantity or place of a batch that was entered, and changes nothing', async () => {
    const place = (await batchBody(service())).id_local;
    const refused = await change({
      numero_nf: 'Outra',
      lotes: [
        { ...given, cod_lote: 'L-2' },
        { ...given, quantidade: 99, id_local: place, id_local_destino: place },
      ],
    });
    expectProblem(refused, 409, 'CONFLICT');
    expect(fieldsOf(refused)).toEqual([
      'lotes[1].quantidade',
      'lotes[1].id_local',
      'lotes[1].id_local_destino',
    ]);
    expect((await (await almoxarife()).get(`${invoices}/${nota.id}`)).body).toEqual(nota);
  });

  it.each([[[]], [null]])('removes only the link of a batch that it no longer lists: %j', async lotes => {
    expect((await change({ lotes })).body.lotes).toEqual([]);
    expect((await (await almoxarife()).get(`${batches}/${batch.id}`)).body.notas_fiscais).toEqual([]);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(100);
  });
});

describe('deleting an invoice', () => {
  it('is refused while stock came with it', async () => {
    await change({ lotes: [] });
    expectProblem(await (await almoxarife()).delete(`${invoices}/${nota.id}`), 409, 'REFERENCED');
    expect((await (await almoxarife()).get(`${invoices}/${nota.id}`)).status).toBe(200);
  });

  it('without stock also deletes its links, and answers the invoice as it was', async () => {
    const client = await almoxarife();
    await client.delete(`${batches}/${batch.id}`);
    const donated = await makeBatch(service());
    await client.post(links, { id_nota_fiscal: nota.id, id_lote: donated.id });
    const gone = await client.delete(`${invoices}/${nota.id}`);
    expect(gone).toMatchObject({ status: 200, body: { id: nota.id, lotes: [{ id: donated.id }] } });
    expect((await client.get(`${batches}/${donated.id}`)).body.notas_fiscais).toEqual([]);
    expectProblem(await client.get(`${invoices}/${nota.id}`), 404, 'NOT_FOUND');
  });
});
