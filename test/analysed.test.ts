import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from './support/clone.ts';
import { build, useProcesses } from './support/process.ts';

const { command, dataFolder } = useProcesses();
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: pg.Client;

beforeAll(async () => {
  await build();
  database = await cloneDatabase({ empty: true });
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  // Otherwise the server might analyse the tables by itself.
  await db.query(`alter database ${new URL(database.url).pathname.slice(1)} set track_counts = off`);
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

const succeed = async (name: string, args: string[] = []): Promise<void> => {
  const run = command(name, { DATABASE_URL: database.url, DATA_DIR: await dataFolder() }, args);
  expect([(await run.exited).code, run.stderr]).toEqual([0, '']);
};

/** The number of rows that PostgreSQL plans with; -1 before the first analysis. */
async function planned(table: string): Promise<number> {
  const { rows } = await db.query<{ rows: number }>(
    'select reltuples::int as rows from pg_class where oid = $1::regclass',
    [table],
  );
  return rows[0]!.rows;
}

async function counted(table: 'unidade_medida' | 'material'): Promise<number> {
  const { rows } = await db.query<{ rows: number }>(`select count(*)::int as rows from ${table}`);
  return rows[0]!.rows;
}

/** How often tables were analysed. */
async function analyses(of: pg.Client): Promise<number> {
  const { rows } = await of.query<{ times: number }>(
    'select sum(analyze_count)::int as times from pg_stat_user_tables',
  );
  return rows[0]!.times;
}

async function areKnown(table: string): Promise<boolean> {
  const { rows } = await db.query('select from pg_stats where tablename = $1', [table]);
  return rows.length > 0;
}

test('PostgreSQL has analysed the tables with rows after a migration, the demo seed and an import', async () => {
  await succeed('migrate');
  expect(await planned('recurso')).not.toBe(-1);
  expect(await planned('entrega_webhook')).toBe(-1);
  expect(await areKnown('controller')).toBe(true);

  await succeed('seed-demo');
  expect(await planned('material')).toBe(await counted('material'));
  expect(await areKnown('material')).toBe(true);

  const file = join(await dataFolder(), 'unidades.csv');
  const lines = Array.from({ length: 200 }, (_, i) => `u${i},Unidade ${i}`);
  await writeFile(file, ['sigla,descricao', ...lines].join('\n'));
  const before = await planned('unidade_medida');
  await succeed('import', ['unidades-medida', file]);
  expect(await planned('unidade_medida')).toBe(before + 200);
  expect(await planned('unidade_medida')).toBe(await counted('unidade_medida'));
});

test('a second migration analyses no table again, also none that is empty', async () => {
  const { url, drop } = await cloneDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const run = async () => {
      const { exited } = command('migrate', { DATABASE_URL: url, DATA_DIR: await dataFolder() });
      expect((await exited).code).toBe(0);
    };
    await client.query('analyze');
    await client.query('delete from pg_statistic where starelid = $1::regclass', ['material']);
    const before = await analyses(client);
    await run();
    // The statistics were lost, as by a restore.
    expect(await analyses(client)).toBe(before + 1);
    await run();
    expect(await analyses(client)).toBe(before + 1);
  } finally {
    await client.end();
    await drop();
  }
});
