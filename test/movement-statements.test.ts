import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { useService } from './support/service.ts';
import { makeBatch, paths } from './support/stock.ts';

const service = useService();
afterEach(() => {
  vi.restoreAllMocks();
});

it('movements take six statements, however many a request has', async () => {
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
  // Session, begin, who writes, the ledger, the answer, commit.
  expect(await statements(1)).toBe(6);
  expect(await statements(20)).toBe(6);
});
