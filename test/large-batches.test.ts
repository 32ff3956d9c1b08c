import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { sql } from './support/sql.ts';
import { makeBatch, move, moved, type Body } from './support/stock.ts';

const service = useService();

/** A consumption from a batch of 100. Without `id` it is the body of one that is not registered yet. */
const consumption = (batch: Body, given: object = {}) => ({
  id_lote: batch.id,
  id_tipo_movimentacao: 4,
  id_local_origem_fim: batch.id_local,
  quantidade: 1,
  fl_estorno: 'N',
  ...given,
});

/** A batch with many consumptions, and the id of the newest of them. */
async function makeLargeBatch(movements: number): Promise<{ batch: Body; newest: number }> {
  const batch = await makeBatch(service());
  const [first] = await moved(service(), consumption(batch));
  const [[newest]] = (await sql(
    service().databaseUrl,
    `set session_replication_role = replica;
    insert into movimentacao select n.* from movimentacao m, generate_series(1, ${movements - 2}) i,
      lateral jsonb_populate_record(m, jsonb_build_object('id', m.id + i)) n
    where m.id = ${first.id};
    analyze movimentacao;
    select setval('movimentacao_id_seq', max(id))::int from movimentacao`,
  )) as [[number]];
  return { batch, newest };
}

/** The rows that the database sends during a request. */
async function rowsDuring(request: () => Promise<void>): Promise<number> {
  const rows = vi.spyOn(pg.Query.prototype as unknown as { handleDataRow: () => void }, 'handleDataRow');
  await request();
  const { length } = rows.mock.calls;
  rows.mockRestore();
  return length;
}

/** How many movements the database reads to find what a reversal undoes: one like another, of this quantity. */
async function readBy(reversal: number, quantidade: number): Promise<number> {
  const client = new pg.Client({ connectionString: service().databaseUrl });
  await client.connect();
  const read = async (): Promise<number> => {
    const { rows } = await client.query(
      `select (pg_stat_get_xact_tuples_fetched(o) + pg_stat_get_xact_tuples_returned(o))::int as n
      from (select 'movimentacao'::regclass::oid) t (o)`,
    );
    return rows[0].n;
  };
  try {
    await client.query('begin; set local track_counts = on; set local session_replication_role = replica');
    const { rows } = await client.query(
      `insert into movimentacao select n.* from movimentacao m,
        lateral jsonb_populate_record(m, jsonb_build_object('id', nextval('movimentacao_id_seq'), 'quantidade', $2::int)) n
      where m.id = $1 returning id`,
      [reversal, quantidade],
    );
    await client.query('set local session_replication_role = origin');
    const before = await read();
    await client.query('select estornar($1)', [rows[0].id]);
    return (await read()) - before;
  } finally {
    await client.end();
  }
}

it('the deletion of a batch that has moved is refused without reading all of its movements', async () => {
  const client = await service().as('admin');
  const { batch } = await makeLargeBatch(300);
  const path = `/almoxarifadoquimicos/lotes/${batch.id}`;
  const rows = await rowsDuring(async () => expectProblem(await client.delete(path), 409, 'REFERENCED'));
  expect(rows).toBeLessThan(100);
  expect((await client.get(path)).status).toBe(200);
});

it('a reversal reads what it undoes, however many movements its batch has', async () => {
  const { batch, newest } = await makeLargeBatch(500);
  const [back] = await moved(service(), consumption(batch, { quantidade: 3, fl_estorno: 'S' }));
  const undone = back.estornos.map((one: Body) => [one.id_estornada, one.quantidade]);
  expect(undone).toEqual([0, 1, 2].map(at => [newest - at, 1]));
  expect(await readBy(back.id, 5)).toBeLessThan(100);
  const tooMuch = consumption(batch, { quantidade: 600, fl_estorno: 'S' });
  expectProblem(await move(service(), tooMuch), 409, 'NOT_REVERSIBLE');
});

it('a reversal of a purpose that no movement has still undoes the newest ones', async () => {
  const { batch, newest } = await makeLargeBatch(50);
  const [back] = await moved(
    service(),
    consumption(batch, { quantidade: 2, finalidade: 3, fl_estorno: 'S' }),
  );
  expect(back.estornos.map((one: Body) => one.id_estornada)).toEqual([newest, newest - 1]);
});
