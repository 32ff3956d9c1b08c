import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import type { Answer } from './support/client.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { created, makeBatch, paths, type Body } from './support/stock.ts';

const service = useService();
afterEach(() => {
  vi.restoreAllMocks();
});

type Request = () => Promise<Answer>;

/** What a request writes to the database, counted by trips. */
async function trips(request: Request): Promise<number> {
  const port = Number(new URL(service().databaseUrl).port);
  const isToDatabase = (socket: unknown): boolean => (socket as Socket).remotePort === port;
  const writes = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev' as '_write')];
  const { status } = await request();
  const found = writes.flatMap(write => write.mock.contexts).filter(isToDatabase).length;
  vi.restoreAllMocks();
  expect(status).toBeLessThan(300);
  return found;
}

const consumption = (lote: Body, quantidade = 1) => ({
  id_lote: lote.id,
  id_tipo_movimentacao: 4,
  id_local_origem_fim: lote.id_local,
  quantidade,
  fl_estorno: 'N',
});

/** Requests that were sent once already, to prepare their answers. */
async function prepared(...requests: Request[]): Promise<Request[]> {
  for (const request of requests) await request();
  return requests;
}

it('a record takes one trip to the database, with its session and what belongs to it', async () => {
  const client = await service().as('almoxarife');
  const lote = await makeBatch(service());
  const reads = await prepared(
    // With its hazards.
    () => client.get('/almoxarifadoquimicos/materiais/1'),
    () => client.post('/graphql', { query: `{ lote(id: ${lote.id}) { codLote } }` }),
  );
  const describes = vi.spyOn(pg.Connection.prototype, 'describe');
  for (const read of reads) await read();
  expect(describes).not.toHaveBeenCalled();
  for (const read of reads) expect(await trips(read)).toBe(1);
});

it('a write begins, confirms the session and sends its first statement in one trip', async () => {
  const client = await service().as('almoxarife');
  const admin = await service().as('admin');
  const lote = await makeBatch(service());
  const kinds = '/almoxarifadoquimicos/tipos-empresas';
  const kind = () => ({ descricao: randomUUID(), obriga_cnpj: 'N' });
  const { id } = created(await admin.post(kinds, kind()));
  const [move, create, change] = (await prepared(
    () => client.post(paths.movements, { movimentacoes: [consumption(lote)] }),
    () => admin.post(kinds, kind()),
    () => admin.put(`${kinds}/${id}`, kind()),
  )) as [Request, Request, Request];
  const describes = vi.spyOn(pg.Connection.prototype, 'describe');
  await move();
  expect(describes).not.toHaveBeenCalled();
  // Also the ledger; the answer; commit.
  expect(await trips(move)).toBe(3);
  // Also the new record; the answer; commit.
  expect(await trips(create)).toBe(3);
  // Also the lock; the change; the answer; commit.
  expect(await trips(change)).toBe(4);
});

it('the first statement may contain anything, and may fail', async () => {
  const admin = await service().as('admin');
  const kinds = '/almoxarifadoquimicos/tipos-empresas';
  const kind = { descricao: `; "'$1\\ ${randomUUID()}`, obriga_cnpj: 'N' };
  const { id } = created(await admin.post(kinds, kind));
  expect((await admin.get(`${kinds}/${id}`)).body).toMatchObject(kind);
  const lote = await makeBatch(service());
  const tooMany = { movimentacoes: [consumption(lote, 1_000_000)] };
  expectProblem(await admin.post(paths.movements, tooMany), 409, 'INSUFFICIENT_STOCK');
  expectProblem(await admin.put(`${kinds}/2147483647`, kind), 404, 'NOT_FOUND');
  created(await admin.post(kinds, kind));
});

it('movements take five statements, however many a request has', async () => {
  const client = await service().as('almoxarife');
  const lote = await makeBatch(service());
  const statements = async (count: number): Promise<number> => {
    const bound = vi.spyOn(pg.Connection.prototype, 'bind' as 'end');
    const simple = vi.spyOn(pg.Connection.prototype, 'query' as 'end');
    const movimentacoes = Array.from({ length: count }, () => consumption(lote));
    const { status } = await client.post(paths.movements, { movimentacoes });
    const sent = bound.mock.calls.length + simple.mock.calls.length;
    vi.restoreAllMocks();
    expect(status).toBe(201);
    return sent;
  };
  // The first request prepares its answer.
  await statements(1);
  // Begin, who writes with the session, the ledger, the answer, commit.
  expect(await statements(1)).toBe(5);
  expect(await statements(20)).toBe(5);
});
