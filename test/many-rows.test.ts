import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from './support/clone.ts';

/*
 * A connection plans a trigger's statement once. After a change of one record this plan suits few rows. An import may then
 * change 5,000 records with one statement on the same connection.
 */

const FEW = 500;
const MANY = 3_000;
/** Many take 6 times as long. If each row were compared with each other, they would take 36 times as long. */
const MOST_TIMES = 15;

const materials = (
  rows: number,
): string => `insert into material (titulo, descricao, estado_fisico, id_unidade_medida)
  select 'M' || n, '', 'L', 1 from generate_series(1, ${rows}) n`;
const batches = (rows: number): string => `with novo as (
    insert into lote (id_material, id_fabricante, cod_lote) select 1, 1, 'L' || n from generate_series(1, ${rows}) n returning id
  ) insert into item_nota_fiscal (id_nota_fiscal, id_lote) select 1, id from novo`;

let database: Awaited<ReturnType<typeof cloneDatabase>>;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

/** Milliseconds of a trigger in an update of all rows of a table, after an update of one row on the same connection. */
async function triggerMs(trigger: string, make: string, update: string): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`${update} where id = 1`);
    await client.query(make);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off) ${update}`);
    const plan = rows.map(row => row['QUERY PLAN']).join('\n');
    return Number(new RegExp(`Trigger ${trigger}: time=(\\S+)`).exec(plan)![1]);
  } finally {
    await client.end();
  }
}

test.each([
  ['auditar_update', materials, `update material set descricao = descricao || 'x'`],
  ['versionar_notas', batches, `update lote set motivo = coalesce(motivo, '') || 'x'`],
])('%s takes for each row as long for many as for few', async (trigger, make, update) => {
  const least = async (rows: number): Promise<number> => {
    const all: number[] = [];
    for (let i = 0; i < 3; i++) all.push(await triggerMs(trigger, make(rows), update));
    return Math.min(...all);
  };
  const few = await least(FEW);
  expect(await least(MANY)).toBeLessThan(few * MOST_TIMES);
});

test('a change of many batches is a new version of their invoice, once', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(batches(100));
    const version = async (): Promise<number> =>
      (await client.query<{ versao: number }>('select versao from nota_fiscal where id = 1')).rows[0]!.versao;
    const before = await version();
    await client.query(`update lote set motivo = 'outro' where cod_lote like 'L%'`);
    expect(await version()).toBe(before + 1);
    await client.query(`update lote set motivo = 'outro' where cod_lote like 'L%'`);
    expect(await version()).toBe(before + 1);
    await client.query(`update lote set motivo = null where cod_lote like 'L%'`);
    expect(await version()).toBe(before + 2);
  } finally {
    await client.end();
  }
});
