import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { expectBalanced } from './support/ledger.ts';
import { makeCompany, makeMaterial, makePlace } from './support/make.ts';
import { opened } from './support/openings.ts';
import { useService } from './support/service.ts';
import { batchBody, makeBatch, makeInvoice, moved, movementsOf, paths, type Body } from './support/stock.ts';

const service = useService();
const { approvals, invoices, links, movements } = paths;
const almoxarife = () => service().as('almoxarife');

/** The table of docs/invoices.md: the stock after each edit, by the state of the batch. */
const page = readFileSync(new URL('../docs/invoices.md', import.meta.url), 'utf8');
const [header, , ...rows] = page
  .split('\n')
  .filter(line => line.startsWith('|'))
  .map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
const cases = rows.flatMap(([edit, ...cells]) =>
  cells.map((cell, i) => ({ edit: edit!, state: header![i + 1]!, cell })).filter(({ cell }) => cell !== '–'),
);

const put = async (nota: Body, lotes: Body[]): Promise<Answer> =>
  (await almoxarife()).put(`${invoices}/${nota.id}`, { ...nota, lotes });
const read = async (nota: Body): Promise<Body> =>
  (await (await almoxarife()).get(`${invoices}/${nota.id}`)).body;
const approve = async (id: number): Promise<void> => {
  expect((await (await service().as('admin')).post(approvals, { id_movimentacao: id })).status).toBe(200);
};
const here = (batch: Body) => ({ id_lote: batch.id, id_local_origem_fim: batch.id_local, fl_estorno: 'N' });

const elsewhere = async (batch: Body, quantidade: number) => ({
  id_lote: batch.id,
  id_local_destino_fim: (await makePlace(service())).id,
  quantidade,
  fl_estorno: 'N',
});

const states: Record<string, (batch: Body, nota: Body) => Promise<unknown>> = {
  untouched: async () => {},
  moved: async batch => {
    const { id } = await makePlace(service());
    const transfer = { ...here(batch), id_tipo_movimentacao: 3, id_local_destino_fim: id };
    await moved(service(), { ...transfer, quantidade: 90 });
  },
  used: batch => moved(service(), { ...here(batch), id_tipo_movimentacao: 4, quantidade: 30 }),
  pending: async () => {},
  approved: async batch => approve((await movementsOf(service(), batch.id))[0].id),
  rejected: async batch => {
    const [entry] = await movementsOf(service(), batch.id);
    const admin = await service().as('admin');
    const { status } = await admin.post(`${approvals}?rejeitar=true`, { id_movimentacao: entry.id });
    expect(status).toBe(200);
  },
  'second part': async (batch, nota) => {
    await moved(service(), {
      ...(await elsewhere(batch, 30)),
      id_tipo_movimentacao: 1,
      id_nota_fiscal: nota.id,
    });
  },
  donation: async batch => {
    await moved(service(), { ...(await elsewhere(batch, 50)), id_tipo_movimentacao: 2 });
  },
};

/** The item with changes. The other item of the invoice stays. */
const withItem = (nota: Body, given: object): Body[] => [{ ...nota.lotes[0], ...given }, nota.lotes[1]];
const withoutId = (item: Body): Body => ({ ...item, id: undefined });
const ofMaterial = async (nota: Body, controlado: boolean): Promise<Body[]> =>
  withItem(nota, { id_material: (await makeMaterial(service(), { controlado })).id });
const isControlled = (state: string): boolean => ['pending', 'approved', 'rejected'].includes(state);

/** The requests of a client, one after the other. Requests in one list are sent at the same time. */
const once: Record<string, (nota: Body, state: string) => Body[] | Promise<Body[]>> = {
  nothing: nota => nota.lotes,
  'other order': nota => nota.lotes.toReversed(),
  'other code': nota => withItem(nota, { cod_lote: 'L-2' }),
  'other manufacturer': async nota => withItem(nota, { id_fabricante: (await makeCompany(service())).id }),
  'other expiry date': nota => withItem(nota, { data_venc: '2033-03-03' }),
  'quantity 120': nota => withItem(nota, { quantidade: 120 }),
  'quantity 130': nota => withItem(nota, { quantidade: 130 }),
  'quantity 110': nota => withItem(nota, { quantidade: 110 }),
  'quantity 100': nota => withItem(nota, { quantidade: 100 }),
  'quantity 80': nota => withItem(nota, { quantidade: 80 }),
  'quantity 20': nota => withItem(nota, { quantidade: 20 }),
  'other code and quantity 120': nota => withItem(nota, { cod_lote: 'L-2', quantidade: 120 }),
  'another item': async nota => [await batchBody(service()), ...nota.lotes],
  'item left out': nota => [nota.lotes[1]],
  'other place': async nota => withItem(nota, { id_local: (await makePlace(service())).id }),
  'other material': (nota, state) => ofMaterial(nota, isControlled(state)),
  'other material, of another control': (nota, state) => ofMaterial(nota, !isControlled(state)),
  'the same id twice': nota => [...nota.lotes, nota.lotes[0]],
  'an id of another invoice': async nota => {
    const { lotes } = await makeInvoice(service(), { lotes: [await batchBody(service())] });
    return [...nota.lotes, ...lotes];
  },
};

/** Sends an edit. Returns the last answer that is not a success, or else the last one. */
async function send(edit: string, nota: Body, state: string): Promise<Answer> {
  const single = once[edit];
  if (single) return put(nota, await single(nota, state));
  const [, first = '', how = ''] = /^(.+), ([^,]+)$/.exec(edit)!;
  const lotes = await once[first]!(nota, state);
  if (how === 'twice at once') {
    const answers = await Promise.all([put(nota, lotes), put(nota, lotes)]);
    return answers.find(({ status }) => status !== 200) ?? answers[0];
  }
  if (how === 'without ids') return put(nota, lotes.map(withoutId));
  const answer = await put(nota, lotes);
  if (answer.status !== 200) return answer;
  const then: Record<string, Body[]> = {
    'then 100': await once['quantity 100']!(nota, state),
    'then 110': await once['quantity 110']!(nota, state),
    'then put back': nota.lotes,
    'then back without ids': nota.lotes.map(withoutId),
  };
  return put(nota, then[how]!);
}

interface Pending {
  id: number;
  fl_estorno: 'S' | 'N';
  quantidade: number;
}
const waiting = async (id: number): Promise<Pending[]> =>
  (await (await almoxarife()).get(`${movements}?idLote=${id}&pendentesAprovacao=true`)).body.data;

const inStock = async ({ id }: Body): Promise<number> => {
  const { data } = await (
    await almoxarife()
  ).graphql(`{ lote(id: ${id}) { estoques { summary { sum { quantidade } } } } }`);
  return data.lote.estoques.summary.sum.quantidade ?? 0;
};

/** Stock and pending movements of a batch, in the form of the table. */
async function shown(batch: Body): Promise<string> {
  const pending = (await waiting(batch.id)).map(
    ({ fl_estorno, quantidade }) => `${fl_estorno === 'S' ? '-' : '+'}${quantidade}`,
  );
  return `${await inStock(batch)}${pending.length > 0 ? ` (${pending.join(', ')})` : ''}`;
}

/** An invoice to which two batches were linked later. One file opened the first of them at two places. */
async function invoiceOfOpened(): Promise<Body> {
  const nota = await makeInvoice(service());
  const { lote } = await opened(service(), [60, 40]);
  for (const { id } of [lote, await makeBatch(service(), { cod_lote: null, quantidade: 5 })]) {
    const given = { id_nota_fiscal: nota.id, id_lote: id };
    expect((await (await almoxarife()).post(links, given)).status).toBe(201);
  }
  return read(nota);
}

async function invoiceIn(state: string): Promise<Body> {
  if (state === 'opened') return invoiceOfOpened();
  const controlado = isControlled(state);
  const lotes = [
    await batchBody(service(), { controlado }),
    await batchBody(service(), { cod_lote: null, quantidade: 5 }),
  ];
  const nota = await makeInvoice(service(), { lotes });
  await states[state]!(nota.lotes[0], nota);
  return read(nota);
}

const batches = async (): Promise<unknown> => (await service().sql('select count(*)::int from lote'))[0]![0];

describe('an invoice of which a batch came', () => {
  it.each(cases)('and is $state, put back with $edit: $cell', async ({ edit, state, cell }) => {
    const nota = await invoiceIn(state);
    const [batch, other] = nota.lotes as [Body, Body];
    const before = { stock: await shown(batch), batches: await batches() };
    const answer = await send(edit, nota, state);
    const isRefused = /^4\d\d$/.test(cell);
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: isRefused ? Number(cell) : 200,
    });
    expect(await shown(batch)).toBe(isRefused ? before.stock : cell);
    expect(await shown(other)).toBe('5');
    const now = await read(nota);
    if (isRefused) expect(now).toEqual(nota);
    // Only one of the edits adds an item and so a new batch.
    const added = (edit === 'another item' ? 1 : 0) + (edit === 'an id of another invoice' ? 1 : 0);
    expect(await batches()).toBe((before.batches as number) + added);
    const item = now.lotes.find(({ id }: Body) => id === batch.id);
    expect(item === undefined).toBe(edit === 'item left out');
    await put(now, now.lotes);
    expect(await shown(batch)).toBe(isRefused ? before.stock : cell);
    // When everything is approved, the entered quantity is what the invoice shows, once that was corrected.
    const { quantidade } = item ?? batch;
    const isUnlike = ['rejected', 'second part'].includes(state);
    const isCorrected = quantidade !== 100 || (await shown(batch)) !== before.stock;
    for (const { id } of await waiting(batch.id)) await approve(id);
    const besides: Record<string, number> = { used: -30, donation: 50 };
    if (isCorrected || !isUnlike) expect(await inStock(batch)).toBe(quantidade + (besides[state] ?? 0));
    await expectBalanced(service());
  });
});
