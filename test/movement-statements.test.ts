import { Socket } from 'node:net';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { useService } from './support/service.ts';
import { makeBatch, paths } from './support/stock.ts';

const service = useService();
afterEach(() => {
  vi.restoreAllMocks();
});

/** What a request writes to the database, counted by trips. */
async function trips(request: () => Promise<{ status: number }>): Promise<number> {
  const port = Number(new URL(service().databaseUrl).port);
  const isToDatabase = (socket: unknown): boolean => (socket as Socket).remotePort === port;
  const writes = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev' as '_write')];
  const { status } = await request();
  const found = writes.flatMap(write => write.mock.contexts).filter(isToDatabase).length;
  vi.restoreAllMocks();
  expect(status).toBeLessThan(300);
  return found;
}

it('a record takes one trip to the database, with its session and what belongs to it, and a movement four', async () => {
  const client = await service().as('almoxarife');
  const lote = await makeBatch(service());
  // With its hazards.
  const read = (): Promise<{ status: number }> => client.get('/almoxarifadoquimicos/materiais/1');
  const query = (): Promise<{ status: number }> =>
    client.post('/graphql', { query: `{ lote(id: ${lote.id}) { codLote } }` });
  const movimentacoes = [
    {
      id_lote: lote.id,
      id_tipo_movimentacao: 4,
      id_local_origem_fim: lote.id_local,
      quantidade: 1,
      fl_estorno: 'N',
    },
  ];
  const move = (): Promise<{ status: number }> => client.post(paths.movements, { movimentacoes });
  // The first requests prepare their answers.
  for (const request of [read, query, move]) await request();
  const describes = vi.spyOn(pg.Connection.prototype, 'describe');
  for (const request of [read, query, move]) await request();
  expect(describes).not.toHaveBeenCalled();
  expect(await trips(read)).toBe(1);
  expect(await trips(query)).toBe(1);
  // Begin with who writes and the session, the ledger, the answer, commit.
  expect(await trips(move)).toBe(4);
});

it('movements take five statements, however many a request has', async () => {
  const client = await service().as('almoxarife');
  const lote = await makeBatch(service());
  const consumption = {
    id_lote: lote.id,
    id_tipo_movimentacao: 4,
    id_local_origem_fim: lote.id_local,
    quantidade: 1,
    fl_estorno: 'N',
  };
  const statements = async (count: number): Promise<number> => {
    const prepared = vi.spyOn(pg.Connection.prototype, 'bind' as 'end');
    const simple = vi.spyOn(pg.Connection.prototype, 'query' as 'end');
    const movimentacoes = Array.from({ length: count }, () => consumption);
    const { status } = await client.post(paths.movements, { movimentacoes });
    const sent = prepared.mock.calls.length + simple.mock.calls.length;
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
