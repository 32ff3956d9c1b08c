import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { expectBalanced } from './support/ledger.ts';
import { makeCompany, makePlace } from './support/make.ts';
import { atOnce, usePair } from './support/pair.ts';
import { eventually } from './support/process.ts';
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

const pair = usePair();
const { approvals, batches, invoices, movements } = paths;

afterEach(() => expectBalanced(pair().service));

const entry = (id_lote: number, place: number, quantidade = 1) => ({
  id_lote,
  id_tipo_movimentacao: 2,
  id_local_destino_fim: place,
  quantidade,
  fl_estorno: 'N',
});
const withdrawal = (id_lote: number, place: number, quantidade = 1) => ({
  id_lote,
  id_tipo_movimentacao: 4,
  id_local_origem_fim: place,
  quantidade,
  fl_estorno: 'N',
});
const transfer = (id_lote: number, from: number, to: number, quantidade = 1) => ({
  ...withdrawal(id_lote, from, quantidade),
  id_tipo_movimentacao: 3,
  id_local_destino_fim: to,
});

const post = (turn: number, ...movimentacoes: object[]): Promise<Answer> =>
  pair().client(turn).post(movements, { movimentacoes });
const approve = (turn: number, id: number): Promise<Answer> =>
  pair().client(turn).post(approvals, { id_movimentacao: id });
const reject = (turn: number, id: number): Promise<Answer> =>
  pair().client(turn).post(`${approvals}?rejeitar=true`, { id_movimentacao: id });

/** Number of answers by status and code. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const answer = body.code ? `${status} ${body.code}` : String(status);
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}

/** A batch of a controlled material with a pending entry and no stock. */
async function pendingBatch(quantidade: number): Promise<{ batch: Body; movement: number }> {
  const batch = await makeBatch(pair().service, { controlado: true, quantidade });
  const [{ id }] = (await movementsOf(pair().service, batch.id)) as [Body];
  return { batch, movement: id as number };
}

const held = ({ id, id_local }: Body, place: number = id_local): Promise<number | null> =>
  stockAt(pair().service, id, place);

/** Runs the work several times, one after another, so that the set-up of a test does not overload the service. */
async function inOrder<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let i = 0; i < count; i++) made.push(await make());
  return made;
}

/** The locations several times, in an order that differs between clients. */
const inTurn = <T>(turn: number, list: readonly T[]): readonly T[] =>
  turn % 4 < 2 ? list : list.toReversed();

describe('withdrawals at once', () => {
  it('succeed while there is stock, and the others are told that there is none', async () => {
    const batch = await makeBatch(pair().service, { quantidade: 60 });
    const answers = await atOnce(100, turn => post(turn, withdrawal(batch.id, batch.id_local)));
    expect(tally(answers)).toEqual({ '201': 60, '409 INSUFFICIENT_STOCK': 40 });
    expect(await held(batch)).toBe(0);
    expect(await movementsOf(pair().service, batch.id)).toHaveLength(61);
  });
});

describe('decisions at once', () => {
  it('approve a movement once', async () => {
    const { batch, movement } = await pendingBatch(9);
    const answers = await atOnce(50, turn => approve(turn, movement));
    expect(tally(answers)).toEqual({ '200': 1, '409 INVALID_STATE': 49 });
    expect(await held(batch)).toBe(9);
  });

  it('either approve or reject it', async () => {
    const pending = await inOrder(10, () => pendingBatch(9));
    const ends = await Promise.all(
      pending.map(async ({ batch, movement }) => {
        const answers = await atOnce(8, turn => (turn % 4 < 2 ? approve : reject)(turn, movement));
        expect(tally(answers)).toEqual({ '200': 1, '409 INVALID_STATE': 7 });
        const { situacao } = answers.find(({ status }) => status === 200)!.body;
        expect(await held(batch)).toBe(situacao === 'A' ? 9 : null);
        return situacao as string;
      }),
    );
    expect(new Set([...ends, 'A', 'R'])).toEqual(new Set(['A', 'R']));
  });

  it('and changes and the deletion of the same movement leave one consistent result', async () => {
    const race = async (turn: number): Promise<void> => {
      const { batch, movement } = await pendingBatch(5);
      const path = `${movements}/${movement}`;
      const change = (quantidade: number) =>
        pair()
          .client(quantidade)
          .put(path, entry(batch.id, batch.id_local, quantidade));
      const [changes, [approved, deleted]] = await Promise.all([
        Promise.all([6, 7, 8].map(change)),
        Promise.all([approve(turn, movement), turn % 2 ? pair().client(turn).delete(path) : undefined]),
      ]);
      expect([approved.status, deleted?.status].filter(status => status === 200)).toHaveLength(1);
      const quantities = changes
        .filter(({ status }) => status === 200)
        .map(({ body }) => body.quantidade as number);
      const rows = await movementsOf(pair().service, batch.id);
      expect(rows.map(row => row.id_status_movimentacao)).toEqual(approved.status === 200 ? [2] : []);
      for (const { quantidade } of rows) expect(quantities.length ? quantities : [5]).toContain(quantidade);
      expect(await held(batch)).toBe(rows[0]?.quantidade ?? null);
      for (const { status } of changes) expect([200, 404, 409]).toContain(status);
    };
    for (let wave = 0; wave < 6; wave++) await atOnce(4, race);
  });
});

describe('transfers at once', () => {
  it('in opposite directions lose nothing', async () => {
    const batch = await makeBatch(pair().service, { quantidade: 20 });
    const { id: there } = await makePlace(pair().service);
    const here = batch.id_local as number;
    await moved(pair().service, transfer(batch.id, here, there, 10));
    const answers = await atOnce(16, async turn => {
      const mine: Answer[] = [];
      const [from, to] = inTurn(turn, [here, there]) as [number, number];
      for (let i = 1; i <= 10; i++) mine.push(await post(turn, transfer(batch.id, from, to, (i % 4) + 1)));
      return mine;
    });
    const { '201': done = 0, '409 INSUFFICIENT_STOCK': short = 0, ...others } = tally(answers.flat());
    expect(others).toEqual({});
    expect(done + short).toBe(160);
    expect((await held(batch))! + (await held(batch, there))!).toBe(20);
  });

  it('over the same cells in opposite orders all succeed, even if they create some of the cells', async () => {
    const sources = await inOrder(6, () => makeBatch(pair().service, { quantidade: 100 }));
    const places = (await inOrder(4, () => makePlace(pair().service))).map(({ id }) => id);
    const cells = sources.flatMap(batch => places.map(place => ({ batch, place })));
    const answers = await atOnce(20, turn =>
      post(
        turn,
        ...inTurn(turn, cells).map(({ batch, place }) => transfer(batch.id, batch.id_local, place)),
        ...inTurn(turn, cells).map(({ batch, place }) => entry(batch.id, place)),
      ),
    );
    expect(tally(answers)).toEqual({ '201': 20 });
    for (const { batch, place } of cells) expect(await held(batch, place)).toBe(40);
    for (const batch of sources) expect(await held(batch)).toBe(20);
  });

  it.each([3, 4])('and the deletion of the batch never both succeed (kind %i)', async kind => {
    const there = (await makePlace(pair().service)).id;
    const sources = await inOrder(16, () => makeBatch(pair().service));
    await Promise.all(
      sources.map(async (batch, turn) => {
        const first = { ...transfer(batch.id, batch.id_local, there, 30), id_tipo_movimentacao: kind };
        const [deleted, taken] = await Promise.all([
          pair().client(turn).delete(`${batches}/${batch.id}`),
          post(turn + 1, first),
        ]);
        const gone = deleted.status === 200;
        expect([deleted.status, taken.status]).toEqual(
          gone ? [200, expect.toBeOneOf([409, 422])] : [409, 201],
        );
        expect(await movementsOf(pair().service, batch.id)).toHaveLength(gone ? 0 : 2);
        expect(await held(batch)).toBe(gone ? null : 70);
      }),
    );
  });
});

describe('the deletion of a batch', () => {
  it('and the approval or change of its pending entry leave nothing half done', async () => {
    const admin = await pair().service.as('admin');
    const pending = await inOrder(12, () => pendingBatch(5));
    await Promise.all(
      pending.map(async ({ batch, movement }) => {
        const [deleted, changed, approved] = await Promise.all([
          admin.delete(`${batches}/${batch.id}`),
          admin.put(`${movements}/${movement}`, entry(batch.id, batch.id_local, 7)),
          admin.post(approvals, { id_movimentacao: movement }),
        ]);
        expect(deleted.status).toBe(200);
        expect([200, 404, 409, 422]).toContain(changed.status);
        expect([200, 422]).toContain(approved.status);
        expect(await movementsOf(pair().service, batch.id)).toEqual([]);
        expect(await held(batch)).toBeNull();
      }),
    );
  });
});

describe('the change of an invoice', () => {
  /** An invoice of three batches. The last one is controlled and pending. */
  async function invoiceInUse(): Promise<{ nota: Body; pending: number }> {
    const { service } = pair();
    const lotes = [
      await batchBody(service),
      await batchBody(service),
      await batchBody(service, { controlado: true }),
    ];
    const nota = await makeInvoice(service, { lotes });
    const [{ id }] = (await movementsOf(service, nota.lotes[2].id)) as [Body];
    return { nota, pending: id };
  }

  it('and changes of its batches, approvals and new entries wait for each other', async () => {
    const used = await inOrder(8, invoiceInUse);
    const answers = await Promise.all(
      used.flatMap(({ nota, pending }, turn) => {
        const [first, second, controlled] = nota.lotes;
        const items = nota.lotes.map((lote: Body) => ({ ...lote, quantidade: lote.quantidade + 5 }));
        const { id, numero_nf, id_fornecedor, id_transportadora } = nota;
        const invoice = { numero_nf, id_fornecedor, id_transportadora, lotes: items };
        const waiting = { ...entry(controlled.id, controlled.id_local, 90), id_tipo_movimentacao: 1 };
        const { client } = pair();
        const recode = (lote: Body, cod_lote: string) =>
          client(1).put(`${batches}/${lote.id}`, { ...lote, cod_lote });
        return [
          recode(first, 'L-7'),
          client(0).put(`${invoices}/${id}`, invoice),
          recode(second, 'L-8'),
          client(0).put(`${invoices}/${id}`, { ...invoice, lotes: nota.lotes }),
          recode(second, 'L-9'),
          post(turn, { ...entry(first.id, first.id_local), id_tipo_movimentacao: 1, id_nota_fiscal: id }),
          post(turn + 1, withdrawal(first.id, first.id_local)),
          client(1).put(`${movements}/${pending}`, waiting),
          approve(0, pending),
        ];
      }),
    );
    const failed = answers.filter(({ status }) => status >= 500);
    expect(tally(failed)).toEqual({});
  });

  const WAITERS = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

  it('waits for the change of one of its batches before it holds the invoice', async () => {
    const { service, client } = pair();
    const { nota } = await invoiceInUse();
    const [batch] = nota.lotes;
    const { id: id_fabricante } = await makeCompany(service);
    const waiting = async (count: number) =>
      eventually(async () => expect(await service.sql(WAITERS)).toHaveLength(count));
    const holder = new pg.Client({ connectionString: service.databaseUrl });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select from empresa where id = $1 for update', [id_fabricante]);
      // Locks the batch, and will increment the version of the invoice.
      const ofBatch = client(0).put(`${batches}/${batch.id}`, { ...batch, id_fabricante });
      await waiting(1);
      const ofInvoice = client(1).put(`${invoices}/${nota.id}`, nota);
      await waiting(2);
      await holder.query('commit');
      expect([(await ofBatch).status, (await ofInvoice).status]).toEqual([200, 200]);
    } finally {
      await holder.end();
    }
  });
});

describe('the database', () => {
  it('never had to break a deadlock for any of this', async () => {
    // A connection reports its statistics when it closes.
    await pair().stop();
    const [row] = await pair().service.sql(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    );
    expect(row).toEqual([0]);
  });
});
