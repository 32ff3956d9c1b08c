import { beforeAll, beforeEach, afterEach, expect, test } from 'vitest';
import pg from 'pg';
import { cloneDatabase } from './support/clone.ts';
import { build, useProcesses } from './support/process.ts';

const processes = useProcesses();
let database: Awaited<ReturnType<typeof cloneDatabase>>;

beforeAll(build);
beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(() => database.drop());

async function sql(text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  await client.end();
  return rows;
}

async function verify(environment: NodeJS.ProcessEnv = { DATABASE_URL: database.url }) {
  const run = processes.command('ledger-verify', environment);
  const { code } = await run.exited;
  return { code, stdout: run.stdout, stderr: run.stderr };
}

test('ledger:verify says that every cell is the sum of its movements', async () => {
  const [[cells, movements]] = (await sql(
    'select (select count(*) from estoque), (select count(*) from movimentacao)',
  )) as [[string, string]];
  expect(await verify()).toEqual({
    code: 0,
    stdout: `All ${cells} cells of stock match their ${movements} movements, batch by batch.\n`,
    stderr: '',
  });
});

test('ledger:verify names each cell that differs, and those that are missing, and exits 1', async () => {
  const cells = (await sql(
    'select id_lote, id_local_fim, id_local_armazenado, quantidade from estoque where quantidade > 0 order by 1, 2, 3 limit 2',
  )) as [number, number, number, number][];
  const [[lote, fim, arm, quantity], [lostLote, lostFim, lostArm, lost]] = cells as [
    (typeof cells)[0],
    (typeof cells)[0],
  ];
  await sql('alter table estoque disable trigger estoque_explicado');
  await sql(
    `update estoque set quantidade = quantidade + 5 where (id_lote, id_local_fim, id_local_armazenado) = (${lote}, ${fim}, ${arm})`,
  );
  await sql(
    `delete from estoque where (id_lote, id_local_fim, id_local_armazenado) = (${lostLote}, ${lostFim}, ${lostArm})`,
  );
  const { code, stdout, stderr } = await verify();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const place = (...[batch, responsible, storage]: number[]) =>
    `  batch ${batch}, responsible location ${responsible}, storage location ${storage}: `;
  expect(stderr.split('\n').slice(0, 6)).toEqual([
    expect.stringMatching(/^2 of \d+ cells of stock differ from their movements:$/),
    `${place(lote, fim, arm)}${quantity + 5} is stored, but its movements add up to ${quantity}`,
    `${place(lostLote, lostFim, lostArm)}no cell is stored, but its movements add up to ${lost}`,
    expect.stringMatching(/^[12] of \d+ batches do not have the stock that came in and did not leave:$/),
    expect.stringMatching(/^  batch \d+: \d+ came in and \d+ left, but \d+ is stored$/),
    expect.any(String),
  ]);
});

test('ledger:verify names reversals of which nobody knows what they undo, and their batches', async () => {
  const statements = [
    'alter table movimentacao disable trigger movimentacao_estorna',
    `with cell as (select * from estoque where quantidade > 0 order by id limit 1), reversal as (
       insert into movimentacao (id_lote, id_tipo_movimentacao, id_status_movimentacao, id_local_origem_fim, id_local_origem_arm, quantidade, fl_estorno)
       select id_lote, 5, 2, id_local_fim, id_local_armazenado, 1000, 'S' from cell)
     update estoque e set quantidade = e.quantidade + 1000 from cell where e.id = cell.id`,
  ];
  for (const statement of statements) await sql(statement);
  const [[reversal, lote]] = (await sql(
    'select id, id_lote from movimentacao where quantidade = 1000 order by id desc limit 1',
  )) as [[number, number]];
  const { code, stderr } = await verify();
  expect(code).toBe(1);
  expect(stderr.split('\n').slice(0, 4)).toEqual([
    expect.stringMatching(/^1 of \d+ batches do not have/),
    expect.stringMatching(new RegExp(`^  batch ${lote}: \\d+ came in and \\d+ left, but 1?\\d+ is stored$`)),
    '1 movements differ from the links to what they undo, or to what undoes them:',
    `  reversal ${reversal} of 1000: the movements that it undoes are known for 0 of it only`,
  ]);
});

test('ledger:verify works on the embedded database, with the service running and without', async () => {
  const DATA_DIR = await processes.usedFolder();
  const service = processes.service({ DATA_DIR });
  await service.ready();
  const running = await verify({ DATA_DIR });
  expect(running).toMatchObject({ code: 0, stdout: expect.stringMatching(/^All [1-9]/) });
  await service.stop();
  expect(await verify({ DATA_DIR })).toEqual(running);
});
