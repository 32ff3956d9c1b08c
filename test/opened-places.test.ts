import { afterEach, describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { expectBalanced } from './support/ledger.ts';
import { openAt, opened } from './support/openings.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';
import { batchBody, makeInvoice, moved, movementsOf, paths, stockAt, type Body } from './support/stock.ts';

const service = useService();
const { approvals, batches, invoices, links, movements } = paths;
const almoxarife = () => service().as('almoxarife');
afterEach(() => expectBalanced(service()));

const stock = async (lote: Body, places: readonly Body[]): Promise<(number | null)[]> =>
  Promise.all(places.map(({ id }) => stockAt(service(), lote.id, id)));
const quantityOf = async ({ id }: Body): Promise<number> =>
  (await (await almoxarife()).get(`${batches}/${id}`)).body.quantidade;
const invoiceWith = async (lote: Body): Promise<Body> => {
  const nota = await makeInvoice(service());
  const given = { id_nota_fiscal: nota.id, id_lote: lote.id };
  expect((await (await almoxarife()).post(links, given)).status).toBe(201);
  return nota;
};
const correct = async ({ id }: Body, quantidade: number): Promise<Answer> => {
  const client = await almoxarife();
  const { body } = await client.get(`${invoices}/${id}`);
  return client.put(`${invoices}/${id}`, { ...body, lotes: [{ ...body.lotes[0], quantidade }] });
};
const decide = async ({ id }: Body, query = ''): Promise<void> => {
  const client = await service().as('admin');
  expect((await client.post(`${approvals}${query}`, { id_movimentacao: id })).status).toBe(200);
};
const reject = (movement: Body): Promise<void> => decide(movement, '?rejeitar=true');
const rewrite = async (movement: Body, given: object): Promise<void> => {
  const { id, id_lote, id_local_destino_fim, fl_estorno, quantidade } = movement;
  const body = { id_lote, id_local_destino_fim, fl_estorno, quantidade, ...given };
  expect((await (await almoxarife()).put(`${movements}/${id}`, body)).status).toBe(200);
};
const expectRefused = (refused: Answer, detail: RegExp): void => {
  expectProblem(refused, 409, 'CONFLICT');
  expect(fieldsOf(refused)).toEqual(['lotes[0].quantidade']);
  expect(refused.body.detail).toMatch(detail);
};

describe('a batch that one file opened at several places, and that was linked to an invoice later', () => {
  it.each([
    [[10, 5], 16, [11, 5]],
    [[10, 5], 14, [10, 4]],
    [[10, 5], 10, [10, 0]],
    [[10, 5], 3, [3, 0]],
    [[1, 500, 499], 999, [1, 500, 498]],
  ])('and has %j, is corrected to %i by the difference', async (quantities, to, left) => {
    const { lote, places } = await opened(service(), quantities);
    expect((await correct(await invoiceWith(lote), to)).status).toBe(200);
    expect(await stock(lote, places)).toEqual(left);
    expect(await quantityOf(lote)).toBe(to);
  });

  it('is corrected again and again, from all of its openings and the entries of the invoice', async () => {
    const { lote, places } = await opened(service(), [10, 5]);
    const nota = await invoiceWith(lote);
    for (const to of [14, 13, 20, 15, 12]) {
      expect((await correct(nota, to)).status).toBe(200);
      const held = await stock(lote, places);
      expect(held[0]! + held[1]!).toBe(to);
    }
  });

  it('is corrected while its openings wait, and by what one of them lacks when that was rejected', async () => {
    const { lote, places } = await opened(service(), [10, 5], true);
    const nota = await invoiceWith(lote);
    expect((await correct(nota, 16)).status).toBe(200);
    const [first, second] = await movementsOf(service(), lote.id);
    expect(first.quantidade + second.quantidade).toBe(16);
    await decide(first);
    await reject(second);
    expect((await correct(nota, 14)).status).toBe(200);
    for (const one of await movementsOf(service(), lote.id))
      if (one.id_status_movimentacao === 1) await decide(one);
    const [here, there] = await stock(lote, places);
    expect((here ?? 0) + (there ?? 0)).toBe(14);
  });

  it('keeps what was donated later, which is no opening', async () => {
    const { lote, places } = await opened(service(), [10, 5]);
    const donation = { id_lote: lote.id, id_tipo_movimentacao: 2, quantidade: 7, fl_estorno: 'N' };
    await moved(service(), { ...donation, id_local_destino_fim: places[1]!.id });
    const nota = await invoiceWith(lote);
    for (const [to, left] of [
      [14, [10, 11]],
      [9, [9, 7]],
      [17, [17, 7]],
    ] as const) {
      expect((await correct(nota, to)).status).toBe(200);
      expect(await stock(lote, places)).toEqual(left);
    }
  });

  it('whose rejected opening came again with a later file, is not corrected as long as it shows both', async () => {
    const { lote, places } = await opened(service(), [10, 5], true);
    const [first, second] = await movementsOf(service(), lote.id);
    await decide(first);
    await reject(second);
    await openAt(service(), lote, [places[0]!, 10], [places[1]!, 5]);
    await decide((await movementsOf(service(), lote.id))[2]);
    const nota = await invoiceWith(lote);
    expectRefused(await correct(nota, 16), /Informe 10,/);
    expect((await correct(nota, 10)).status).toBe(200);
    expect(await stock(lote, places)).toEqual([10, 5]);
  });

  it('and of which an opening was deleted while it waited, is not corrected as long as it shows both', async () => {
    const { lote, places } = await opened(service(), [10, 5], true);
    const [first, second] = await movementsOf(service(), lote.id);
    await decide(first);
    expect((await (await almoxarife()).delete(`${movements}/${second.id}`)).status).toBe(200);
    const nota = await invoiceWith(lote);
    expectRefused(await correct(nota, 16), /Informe 10,/);
    expect((await correct(nota, 10)).status).toBe(200);
    expect(await stock(lote, places)).toEqual([10, null]);
  });
});

describe('an opening that waits', () => {
  it('leaves the quantity of its batch as it is, when only its remark changes', async () => {
    const { lote } = await opened(service(), [10, 5], true);
    for (const one of await movementsOf(service(), lote.id)) await rewrite(one, { observacao: 'Conferido' });
    expect(await quantityOf(lote)).toBe(15);
  });

  it('changes the quantity of its batch by as much as it changes, and only the first one its place', async () => {
    const { lote, places } = await opened(service(), [10, 5], true);
    const [first, second] = await movementsOf(service(), lote.id);
    const elsewhere = (await opened(service(), [1])).places[0]!.id;
    await rewrite(second, { quantidade: 6, id_local_destino_fim: elsewhere });
    expect((await (await almoxarife()).get(`${batches}/${lote.id}`)).body).toMatchObject({
      quantidade: 16,
      id_local: places[0]!.id,
      id_local_destino: places[0]!.id,
    });
    await rewrite(first, { quantidade: 11, id_local_destino_fim: elsewhere });
    expect((await (await almoxarife()).get(`${batches}/${lote.id}`)).body).toMatchObject({
      quantidade: 17,
      id_local: elsewhere,
      id_local_destino: elsewhere,
    });
  });
});

describe('an opening that was moved to another batch while it waited', () => {
  it('changes nothing about what another file opened there, and leaves the other batch uncorrected as long as it shows both', async () => {
    const { lote } = await opened(service(), [10, 5], true);
    const { lote: other } = await opened(service(), [8], true);
    const [, second] = await movementsOf(service(), lote.id);
    await rewrite(second, { id_lote: other.id });
    expect([await quantityOf(lote), await quantityOf(other)]).toEqual([15, 8]);
    expectRefused(await correct(await invoiceWith(lote), 16), /Informe 10,/);
  });
});

describe('a batch of which two parts of an invoice wait', () => {
  it('still shows both, when only the remark of the first one changes', async () => {
    const nota = await makeInvoice(service(), { lotes: [await batchBody(service(), { controlado: true })] });
    const [lote] = nota.lotes;
    const part = { id_lote: lote.id, id_tipo_movimentacao: 1, id_nota_fiscal: nota.id, quantidade: 30 };
    await moved(service(), { ...part, id_local_destino_fim: lote.id_local, fl_estorno: 'N' });
    expect((await correct(nota, 130)).status).toBe(200);
    await rewrite((await movementsOf(service(), lote.id))[0], { observacao: 'Conferido' });
    expect(await quantityOf(lote)).toBe(130);
  });
});

describe('a batch whose entry by an invoice was rejected, and which a file opened instead', () => {
  it('is not corrected in the invoice, as long as the item shows what the file brought', async () => {
    const nota = await makeInvoice(service(), { lotes: [await batchBody(service(), { controlado: true })] });
    const lote = (await (await almoxarife()).get(`${batches}/${nota.lotes[0].id}`)).body;
    await reject((await movementsOf(service(), lote.id))[0]);
    await openAt(service(), lote, [lote.local, 10]);
    await decide((await movementsOf(service(), lote.id))[1]);
    expect(await quantityOf(lote)).toBe(10);
    expectRefused(await correct(nota, 11), /trouxeram\. Registre uma movimentação/);
    expect(await movementsOf(service(), lote.id)).toHaveLength(2);
  });
});
