import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { makeMaterial } from './support/make.ts';
import { readBy as readByNode } from './support/plan.ts';
import { expectProblem } from './support/problem.ts';
import { useService } from './support/service.ts';
import { sql } from './support/sql.ts';
import { readThrough } from './support/statements.ts';
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
    analyze movimentacao, lote, material;
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

/** How many movements the nodes of a plan have read from their table. */
function movementsIn(node: Body): number {
  const own = node['Relation Name'] === 'movimentacao' ? readByNode({ ...node, Plans: [] }) : 0;
  return (node.Plans ?? []).reduce((sum: number, below: Body) => sum + movementsIn(below), own);
}

/** The administrator's answer to a query, and how many movements the database reads for it. */
async function answered(query: string): Promise<{ data: any; read: number }> {
  const admin = await service().as('admin');
  const asked: [string, readonly unknown[]][] = [];
  const restore = readThrough(service(), (read, ...given) => {
    asked.push([given[0], given[1] ?? []]);
    return read(...given);
  });
  const { data, errors } = await admin.graphql(query).finally(restore);
  expect(errors?.[0]).toBeUndefined();
  const client = new pg.Client({ connectionString: service().databaseUrl });
  await client.connect();
  try {
    let read = 0;
    for (const [text, values] of asked) {
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...values]);
      read += movementsIn(rows[0]['QUERY PLAN'][0].Plan);
    }
    return { data, read };
  } finally {
    await client.end();
  }
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

it('a page of the movements of materials reads those of the materials, and not the whole ledger', async () => {
  await makeLargeBatch(20_000);
  const few = await makeBatch(service());
  const [last] = await moved(service(), consumption(few));
  const entered = 'select min(id) from movimentacao where id_lote = $1';
  const [[entry]] = (await service().sql(entered, [few.id])) as [[number]];
  await makeMaterial(service());
  await makeMaterial(service());
  for (const [order, first] of [
    ['', entry],
    ['page: 2', last.id],
    ['orderBy: [{ id: desc }]', last.id],
    ['orderBy: [{ data: desc }]', last.id],
  ]) {
    const { data, read } = await answered(`{ materiais(itemsPerPage: 3, orderBy: [{ id: desc }]) {
      data { movimentacoes(itemsPerPage: 1, ${order}) { total data { id } summary { sum { quantidade } } } } } }`);
    const pages = data.materiais.data.map((one: Body) => one.movimentacoes);
    const none = { total: 0, data: [], summary: { sum: { quantidade: null } } };
    expect(pages).toEqual([none, none, expect.objectContaining({ total: 2, data: [{ id: first }] })]);
    expect(read).toBeLessThan(100);
  }
});

it('a page of the movements of people reads those of the people, and not the whole ledger', async () => {
  await makeLargeBatch(20_000);
  const [[author, another, own]] = (await service().sql(
    `select min(p.id), max(p.id), (select min(id) + 1 from movimentacao) from pessoa p
    where not exists (select from movimentacao where criado_por = p.id)`,
  )) as [[number, number, number]];
  await sql(
    service().databaseUrl,
    `set session_replication_role = replica;
    update movimentacao set criado_por = ${author} where id = ${own} returning id`,
  );
  const page = (order: string): string =>
    `movimentacoes(itemsPerPage: 1, ${order}) { total data { id } summary { count sum { quantidade } } }`;
  for (const order of ['', 'orderBy: [{ id: desc }]', 'orderBy: [{ data: asc }]']) {
    for (const id of [author, another]) {
      const data = id === author ? [{ id: own }] : [];
      const found = await answered(
        `{ pessoas(filter: { id: { eq: ${id} } }) { data { pessoa { ${page(order)} } } } }`,
      );
      expect(found.data.pessoas.data[0].pessoa.movimentacoes).toMatchObject({ total: data.length, data });
      expect(found.read).toBeLessThan(100);
    }
  }
});
