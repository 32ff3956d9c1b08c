import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
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
  type Body,
} from './support/stock.ts';

const service = useService();
const { approvals, invoices, links, movements } = paths;
const almoxarife = () => service().as('almoxarife');

/** Another place than that of the batches. */
let there: number;

beforeEach(async () => {
  there = (await makePlace(service())).id;
});
afterEach(() => expectBalanced(service()));

const read = async ({ id }: Body): Promise<Answer> => (await almoxarife()).get(`${invoices}/${id}`);
const link = async (nota: Body, lote: Body): Promise<void> => {
  const { status } = await (await almoxarife()).post(links, { id_nota_fiscal: nota.id, id_lote: lote.id });
  expect(status).toBe(201);
};
/** Corrects the quantity of the only item, as a client that has just read the invoice. */
const correct = async (nota: Body, quantidade: number): Promise<Answer> => {
  const { body, headers } = await read(nota);
  const client = (await almoxarife()).with({ 'if-match': headers.get('etag')! });
  return client.put(`${invoices}/${nota.id}`, { ...body, lotes: [{ ...body.lotes[0], quantidade }] });
};
const decide = async ({ id }: Body, query = ''): Promise<void> => {
  const client = await service().as('admin');
  expect((await client.post(`${approvals}${query}`, { id_movimentacao: id })).status).toBe(200);
};
const enter = async (lote: Body, given: object): Promise<Body> =>
  (
    await moved(service(), {
      id_lote: lote.id,
      id_tipo_movimentacao: 2,
      id_local_destino_fim: there,
      fl_estorno: 'N',
      ...given,
    })
  )[0];
const stock = async (lote: Body): Promise<(number | null)[]> => [
  await stockAt(service(), lote.id, lote.id_local),
  await stockAt(service(), lote.id, there),
];

/** A batch of 100 that entered without an invoice, with a donation of 50 at another place, linked to an invoice later. */
async function linkedWithDonation(controlado: boolean): Promise<Record<'nota' | 'lote' | 'donation', Body>> {
  const lote = await makeBatch(service(), { controlado });
  if (controlado) await decide((await movementsOf(service(), lote.id))[0]);
  const donation = await enter(lote, { quantidade: 50 });
  const nota = await makeInvoice(service());
  await link(nota, lote);
  return { nota, lote, donation };
}

describe('a batch that was linked to an invoice later, and of which more was donated to another place', () => {
  it('is corrected by its own entry, and the donation stays', async () => {
    const { nota, lote } = await linkedWithDonation(false);
    for (const quantidade of [40, 70, 20]) {
      expect((await correct(nota, quantidade)).status).toBe(200);
      expect(await stock(lote)).toEqual([quantidade, 50]);
    }
  });

  it.each([
    [40, { fl_estorno: 'S', quantidade: 60 }],
    [120, { fl_estorno: 'N', quantidade: 20, id_nota_fiscal: expect.any(Number) }],
  ])('keeps a donation that waits, corrected to %i', async (quantidade, difference) => {
    const { nota, lote, donation } = await linkedWithDonation(true);
    expect((await correct(nota, quantidade)).status).toBe(200);
    const [, kept, made] = await movementsOf(service(), lote.id);
    expect(kept).toMatchObject({ id: donation.id, quantidade: 50, alterado_em: donation.alterado_em });
    expect(made).toMatchObject({ ...difference, id_local_destino_fim: lote.id_local });
    await decide(donation);
    await decide(made);
    expect(await stock(lote)).toEqual([quantidade, 50]);
  });

  it('is corrected although the donation has been used up', async () => {
    const { nota, lote } = await linkedWithDonation(false);
    await moved(service(), {
      id_lote: lote.id,
      id_tipo_movimentacao: 4,
      id_local_origem_fim: there,
      quantidade: 50,
      fl_estorno: 'N',
    });
    expect((await correct(nota, 80)).status).toBe(200);
    expect(await stock(lote)).toEqual([80, 0]);
  });

  it('by GraphQL is corrected by its own entry as well', async () => {
    const { nota, lote } = await linkedWithDonation(false);
    const { data } = await (
      await almoxarife()
    ).graphql(
      'mutation ($id: Int!, $input: NotaFiscalInput!) { atualizarNotaFiscal(id: $id, input: $input) { lotes { quantidade } } }',
      {
        id: nota.id,
        input: {
          numeroNf: nota.numero_nf,
          idTransportadora: nota.id_transportadora,
          idFornecedor: nota.id_fornecedor,
          lotes: [
            {
              id: lote.id,
              idMaterial: lote.id_material,
              idFabricante: lote.id_fabricante,
              quantidade: 40,
            },
          ],
        },
      },
    );
    expect(data.atualizarNotaFiscal.lotes).toEqual([{ quantidade: 40 }]);
    expect(await stock(lote)).toEqual([40, 50]);
  });
});

describe('a batch whose first entry was rejected', () => {
  it('and which was entered anew, is corrected from what the new entry brought', async () => {
    const lote = await makeBatch(service(), { controlado: true });
    await decide((await movementsOf(service(), lote.id))[0], '?rejeitar=true');
    await decide(await enter(lote, { quantidade: 80, id_local_destino_fim: lote.id_local }));
    const nota = await makeInvoice(service());
    await link(nota, lote);
    expect((await correct(nota, 80)).status).toBe(200);
    expect(await movementsOf(service(), lote.id)).toHaveLength(2);
    expect((await correct(nota, 90)).status).toBe(200);
    expect((await movementsOf(service(), lote.id))[2]).toMatchObject({ quantidade: 10 });
  });

  it('has the quantity and places of the new one, when that is changed while it waits', async () => {
    const lote = await makeBatch(service(), { controlado: true });
    await decide((await movementsOf(service(), lote.id))[0], '?rejeitar=true');
    const { id } = await enter(lote, { quantidade: 80, id_local_destino_fim: lote.id_local });
    const client = await almoxarife();
    const changed = { id_lote: lote.id, id_local_destino_fim: there, quantidade: 70, fl_estorno: 'N' };
    expect((await client.put(`${movements}/${id}`, changed)).status).toBe(200);
    expect((await client.get(`${paths.batches}/${lote.id}`)).body).toMatchObject({
      quantidade: 70,
      id_local: there,
      id_local_destino: there,
    });
  });

  it('which came with the invoice, does not count a donation in its place', async () => {
    const lotes = [await batchBody(service(), { controlado: true })];
    const nota = await makeInvoice(service(), { lotes });
    const [lote] = nota.lotes;
    await decide((await movementsOf(service(), lote.id))[0], '?rejeitar=true');
    await decide(await enter(lote, { quantidade: 50 }));
    expect((await correct(nota, 40)).status).toBe(200);
    expect(await movementsOf(service(), lote.id)).toMatchObject([
      { quantidade: 100 },
      { quantidade: 50, quantidade_em_estorno: 0 },
      { quantidade: 40, fl_estorno: 'N', id_nota_fiscal: nota.id },
    ]);
  });
});

describe('a batch with stock of its own, of which a part came with an invoice', () => {
  /** The item shows the 100 of the batch, but the invoice brought 30. */
  async function withPart(): Promise<Record<'nota' | 'lote', Body>> {
    const lote = await makeBatch(service());
    const nota = await makeInvoice(service());
    const part = { id_tipo_movimentacao: 1, id_nota_fiscal: nota.id, quantidade: 30 };
    await enter(lote, part);
    return { nota, lote };
  }

  it('keeps its stock when the item is corrected to what the invoice brought, and then moves the difference', async () => {
    const { nota, lote } = await withPart();
    expect((await correct(nota, 30)).status).toBe(200);
    expect(await stock(lote)).toEqual([100, 30]);
    expect((await correct(nota, 20)).status).toBe(200);
    expect(await stock(lote)).toEqual([100, 20]);
    expect((await correct(nota, 120)).status).toBe(200);
    expect(await stock(lote)).toEqual([200, 20]);
  });

  it('or to what both brought, and then the item stands for both', async () => {
    const { nota, lote } = await withPart();
    expect((await correct(nota, 130)).status).toBe(200);
    expect(await stock(lote)).toEqual([100, 30]);
    expect((await correct(nota, 90)).status).toBe(200);
    expect(await stock(lote)).toEqual([90, 0]);
  });

  it('says what both brought, if a part was reversed by hand since then', async () => {
    const { nota, lote } = await withPart();
    await correct(nota, 130);
    await enter(lote, { id_tipo_movimentacao: 1, quantidade: 5, fl_estorno: 'S' });
    const refused = await correct(nota, 110);
    expectProblem(refused, 409, 'CONFLICT');
    expect(refused.body.detail).toMatch(/25 ou 125/);
    expect((await correct(nota, 125)).status).toBe(200);
    expect((await correct(nota, 110)).status).toBe(200);
    expect(await stock(lote)).toEqual([100, 10]);
  });

  it.each([20, 80, 120])(
    'is not corrected to %i, and the answer says to what it may be',
    async quantidade => {
      const { nota, lote } = await withPart();
      const { body: before } = await read(nota);
      const refused = await correct(nota, quantidade);
      expectProblem(refused, 409, 'CONFLICT');
      expect(fieldsOf(refused)).toEqual(['lotes[0].quantidade']);
      expect(refused.body.detail).toMatch(/30 ou 130/);
      expect((await read(nota)).body).toEqual(before);
      expect(await stock(lote)).toEqual([100, 30]);
    },
  );
});

describe('a batch that came with its invoice in two parts', () => {
  async function inTwoParts(): Promise<Record<'nota' | 'lote', Body>> {
    const nota = await makeInvoice(service(), { lotes: [await batchBody(service())] });
    const [lote] = nota.lotes;
    await enter(lote, { id_tipo_movimentacao: 1, id_nota_fiscal: nota.id, quantidade: 30 });
    return { nota, lote };
  }

  it.each([110, 120, 140, 80])(
    'is not corrected to %i while the item shows only the first part',
    async quantidade => {
      const { nota, lote } = await inTwoParts();
      const refused = await correct(nota, quantidade);
      expectProblem(refused, 409, 'CONFLICT');
      expect(fieldsOf(refused)).toEqual(['lotes[0].quantidade']);
      expect(refused.body.detail).toMatch(/130/);
      expect(await stock(lote)).toEqual([100, 30]);
    },
  );

  it('is corrected once the item shows both', async () => {
    const { nota, lote } = await inTwoParts();
    expect((await correct(nota, 130)).status).toBe(200);
    expect(await stock(lote)).toEqual([100, 30]);
    expect((await correct(nota, 150)).status).toBe(200);
    expect(await stock(lote)).toEqual([120, 30]);
    expect((await correct(nota, 95)).status).toBe(200);
    expect(await stock(lote)).toEqual([95, 0]);
  });
});
