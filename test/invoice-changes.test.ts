import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectBalanced } from './support/ledger.ts';
import { makePlace } from './support/make.ts';
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

  it('refuses another place of a batch that was entered, and changes nothing', async () => {
    const place = (await batchBody(service())).id_local;
    const refused = await change({
      numero_nf: 'Outra',
      lotes: [
        { ...given, cod_lote: 'L-2' },
        { ...given, quantidade: 99, id_local: place, id_local_destino: place },
      ],
    });
    expectProblem(refused, 409, 'CONFLICT');
    expect(fieldsOf(refused)).toEqual(['lotes[1].id_local', 'lotes[1].id_local_destino']);
    expect((await (await almoxarife()).get(`${invoices}/${nota.id}`)).body).toEqual(nota);
  });

  it.each([[[]], [null]])('removes only the link of a batch that it no longer lists: %j', async lotes => {
    expect((await change({ lotes })).body.lotes).toEqual([]);
    expect((await (await almoxarife()).get(`${batches}/${batch.id}`)).body.notas_fiscais).toEqual([]);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(100);
  });
});

describe('another quantity of an item', () => {
  const item = (given: object) => ({ lotes: [{ ...batch, ...given }] });
  const decide = async (id: number, query = '') =>
    (await service().as('admin')).post(`${paths.approvals}${query}`, { id_movimentacao: id });
  const entry = (given: object) => ({
    id_lote: batch.id,
    id_tipo_movimentacao: 1,
    id_local_destino_fim: batch.id_local,
    fl_estorno: 'N',
    ...given,
  });

  it('is entered or reversed by a movement of the invoice, which names what it undoes', async () => {
    await change(item({ quantidade: 130 }));
    await change(item({ quantidade: 60 }));
    const movements = await movementsOf(service(), batch.id);
    const common = { id_tipo_movimentacao: 1, id_nota_fiscal: nota.id, id_local_destino_fim: batch.id_local };
    expect(movements).toMatchObject([
      { ...common, quantidade: 100, fl_estorno: 'N', quantidade_estornada: 40 },
      { ...common, quantidade: 30, fl_estorno: 'N', quantidade_estornada: 30 },
      { ...common, quantidade: 30, fl_estorno: 'S' },
      { ...common, quantidade: 40, fl_estorno: 'S' },
    ]);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(60);
  });

  it('is refused with the field and what is there, if the stock has gone', async () => {
    const { id } = await makePlace(service());
    const transfer = { id_lote: batch.id, id_tipo_movimentacao: 3, id_local_origem_fim: batch.id_local };
    await moved(service(), {
      ...transfer,
      id_local_destino_fim: id,
      quantidade: 90,
      fl_estorno: 'N',
    });
    const other = await batchBody(service());
    const refused = await change({ lotes: [other, { ...batch, quantidade: 80 }] });
    expectProblem(refused, 409, 'INSUFFICIENT_STOCK');
    expect(refused.body.errors).toEqual([{ field: 'lotes[1].quantidade', message: 'há 10 em estoque' }]);
    expectProblem(await change(item({ quantidade: 0 })), 422, 'VALIDATION_FAILED');
  });

  it('moves nothing if it only corrects the invoice to the stock after a reversal or a further entry', async () => {
    await moved(service(), entry({ quantidade: 30, fl_estorno: 'S' }));
    await change(item({ quantidade: 70 }));
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(70);
    await moved(service(), entry({ quantidade: 20, id_nota_fiscal: nota.id }));
    await change(item({ quantidade: 90 }));
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(90);
    await change(item({ quantidade: 50 }));
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(50);
  });

  it('does not change stock that entered in another way than with the invoice', async () => {
    await moved(service(), entry({ quantidade: 50, id_tipo_movimentacao: 2 }));
    await change(item({ quantidade: 80 }));
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(130);
  });

  it('enters as a whole if the entry was rejected', async () => {
    const lotes = [await batchBody(service(), { controlado: true })];
    nota = await makeInvoice(service(), { lotes });
    [batch] = nota.lotes;
    await decide((await movementsOf(service(), batch.id))[0].id, '?rejeitar=true');
    await change(item({}));
    expect(await movementsOf(service(), batch.id)).toHaveLength(1);
    await change(item({ quantidade: 80 }));
    const [, second] = await movementsOf(service(), batch.id);
    expect(second).toMatchObject({ quantidade: 80, id_status_movimentacao: 1 });
    await decide(second.id);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(80);
  });

  it('may be changed by many at once, while others reverse and consume: the ledger balances', async () => {
    const client = await almoxarife();
    const reversal = entry({ quantidade: 5, fl_estorno: 'S' });
    const use = {
      id_lote: batch.id,
      id_tipo_movimentacao: 4,
      id_local_origem_fim: batch.id_local,
      quantidade: 1,
      fl_estorno: 'N',
    };
    const answers = await Promise.all(
      [90, 60, 130, 40, 75].flatMap(quantidade => [
        client.put(`${invoices}/${nota.id}`, { ...nota, ...item({ quantidade }) }),
        client.post(paths.movements, { movimentacoes: [reversal] }),
        client.post(paths.movements, { movimentacoes: [use] }),
      ]),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter(status => ![200, 201, 409].includes(status))).toEqual([]);
    const used = (await movementsOf(service(), batch.id)).filter(
      one => one.id_tipo_movimentacao === 4,
    ).length;
    // By then a part may have been reversed. The entered quantity is that of the last change.
    for (const quantidade of [77, 55]) expect((await change(item({ quantidade }))).status).toBe(200);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(55 - used);
  });

  it('of a batch that was linked later reverses its own entry', async () => {
    const donated = await makeBatch(service());
    await (await almoxarife()).post(links, { id_nota_fiscal: nota.id, id_lote: donated.id });
    const { status } = await change({ lotes: [batch, { ...donated, quantidade: 60 }] });
    expect(status).toBe(200);
    expect(await stockAt(service(), donated.id, donated.id_local)).toBe(60);
    expect((await movementsOf(service(), donated.id))[1]).toMatchObject({ id_tipo_movimentacao: 2 });
  });

  it('of a batch that was linked later moves the difference each time', async () => {
    const donated = await makeBatch(service());
    await (await almoxarife()).post(links, { id_nota_fiscal: nota.id, id_lote: donated.id });
    for (const quantidade of [101, 102, 130, 110, 90]) {
      const { status } = await change({ lotes: [batch, { ...donated, quantidade }] });
      expect(status).toBe(200);
      expect(await stockAt(service(), donated.id, donated.id_local)).toBe(quantidade);
    }
  });

  it.each([12, 8])('to %i enters as a whole if its pending entry was deleted', async quantidade => {
    const lotes = [await batchBody(service(), { controlado: true, quantidade: 10 })];
    nota = await makeInvoice(service(), { lotes });
    const [waiting] = await movementsOf(service(), nota.lotes[0].id);
    expect((await (await almoxarife()).delete(`${paths.movements}/${waiting.id}`)).status).toBe(200);
    expect((await change({ lotes: [{ ...nota.lotes[0], quantidade }] })).status).toBe(200);
    expect(await movementsOf(service(), nota.lotes[0].id)).toMatchObject([{ quantidade }]);
  });

  it('of a pending entry is left to who registered it, or manages movements', async () => {
    const lotes = [await batchBody(service(), { controlado: true })];
    nota = await makeInvoice(service(), { lotes });
    const { numero_nf, id_transportadora, id_fornecedor } = nota;
    const body = { numero_nf, id_transportadora, id_fornecedor };
    const changed = [{ ...nota.lotes[0], quantidade: 80 }];
    const tecnico = await service().as('tecnico');
    const refused = await tecnico.put(`${invoices}/${nota.id}`, { ...body, lotes: changed });
    expectProblem(refused, 403, 'FORBIDDEN');
    expect((await tecnico.put(`${invoices}/${nota.id}`, { ...body, lotes: nota.lotes })).status).toBe(200);
    const admin = await service().as('admin');
    expect((await admin.put(`${invoices}/${nota.id}`, { ...body, lotes: changed })).status).toBe(200);
    // The person who changed it last may not approve it.
    const [entry] = await movementsOf(service(), nota.lotes[0].id);
    expectProblem(await decide(entry.id), 403, 'FORBIDDEN');
  });

  it('takes stock out of a restricted location only for its manager', async () => {
    await service().sql(`update local set restrito = 'S' where id = $1`, [batch.id_local]);
    const tecnico = await service().as('tecnico');
    const less = async () => tecnico.put(`${invoices}/${nota.id}`, { ...nota, ...item({ quantidade: 80 }) });
    expectProblem(await less(), 403, 'FORBIDDEN');
    const more = await tecnico.put(`${invoices}/${nota.id}`, { ...nota, ...item({ quantidade: 120 }) });
    expect(more.status).toBe(200);
    const manages = await tecnico.post('/almoxarifadoquimicos/responsaveis-laboratorio', {
      id_local: batch.id_local,
      data_fim: null,
    });
    expect(manages.status).toBe(201);
    expect((await less()).status).toBe(200);
    expect(await stockAt(service(), batch.id, batch.id_local)).toBe(80);
  });

  it('is refused for a batch that entered with several invoices', async () => {
    const other = await makeInvoice(service());
    await moved(service(), entry({ quantidade: 20, id_nota_fiscal: other.id }));
    const refused = await change(item({ quantidade: 120 }));
    expectProblem(refused, 409, 'CONFLICT');
    expect(fieldsOf(refused)).toEqual(['lotes[0].quantidade']);
    expect((await change(item({ cod_lote: 'L-9' }))).status).toBe(200);
  });

  it('of a batch of which nothing has arrived is its first entry, at the place that the item says', async () => {
    const [[id]] = (await service().sql(
      'insert into lote (id_material, id_fabricante) values ($1, $2) returning id',
      [batch.id_material, batch.id_fabricante],
    )) as [[number]];
    const client = await almoxarife();
    await client.post(links, { id_nota_fiscal: nota.id, id_lote: id });
    const { body } = await client.get(`${invoices}/${nota.id}`);
    expect((await change(body)).body.lotes[1]).toMatchObject({ id, quantidade: 0, id_local: null });
    const known = { id, id_material: batch.id_material, id_fabricante: batch.id_fabricante };
    const nowhere = await change({ lotes: [batch, { ...known, quantidade: 4 }] });
    expect(fieldsOf(nowhere)).toEqual(['lotes[1].id_local']);
    await change({ lotes: [batch, { ...known, quantidade: 4, id_local: batch.id_local }] });
    expect(await stockAt(service(), id, batch.id_local)).toBe(4);
  });
});

describe('a copy of an invoice', () => {
  it('has batches of its own, whatever ids it was copied with', async () => {
    const copy = await makeInvoice(service(), { lotes: nota.lotes });
    expect(copy.lotes).toMatchObject([{ cod_lote: batch.cod_lote, quantidade: 100 }]);
    expect(copy.lotes[0].id).not.toBe(batch.id);
    const { id_local: _, ...nowhere } = batch;
    const refused = await (
      await almoxarife()
    ).post(invoices, { ...nota, lotes: [{ ...nowhere, quantidade: 0 }] });
    expectProblem(refused, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(refused)).toEqual(['lotes[0].quantidade', 'lotes[0].id_local']);
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
