import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from './support/clone.ts';
import { build, useProcesses } from './support/process.ts';
import { sql } from './support/sql.ts';

const processes = useProcesses();
beforeAll(build);

test('a misspelt DATABASE_URL in .env starts no demo in its place', async () => {
  const folder = await processes.dataFolder();
  await writeFile(
    join(folder, '.env'),
    'DATABSE_URL=postgresql://sii:secret@db.example/sii\nLOG_LEVEL=warn\n',
  );
  const service = processes.service({ DATA_DIR: join(folder, 'data') }, [], folder);
  expect(await service.exited).toEqual({ code: 1, signal: null });
  expect(service.stdout).toBe('');
  expect(service.stderr).toBe(`The configuration cannot be used:
  DATABSE_URL is not a setting; did you mean DATABASE_URL?
See .env.example for every setting.
`);
  await expect(access(join(folder, 'data'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('an empty file of DATABASE_URL starts no demo in its place', async () => {
  const folder = await processes.dataFolder();
  const file = join(folder, 'database_url');
  await writeFile(file, '');
  const service = processes.service({ DATA_DIR: join(folder, 'data'), DATABASE_URL_FILE: file });
  expect(await service.exited).toEqual({ code: 1, signal: null });
  expect(service.stderr).toBe(`DATABASE_URL_FILE names an empty file: ${file}\n`);
  await expect(access(join(folder, 'data'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a DATABASE_URL with another schema, as other programs take it, changes nothing in the database', async () => {
  const database = await cloneDatabase({ empty: true });
  try {
    const run = processes.service({ DATABASE_URL: `${database.url}?schema=foo` });
    expect(await run.exited).toEqual({ code: 1, signal: null });
    expect([run.stdout, run.stderr]).toEqual([
      '',
      `The configuration cannot be used:
  DATABASE_URL must not name a schema other than public, in which the tables are: remove schema=… from it
See .env.example for every setting.
`,
    ]);
    const made = await sql(
      database.url,
      "select nspname from pg_namespace where nspname = 'foo' union all select relname from pg_class where relnamespace = 'public'::regnamespace",
    );
    expect(made).toEqual([]);
  } finally {
    await database.drop();
  }
});

test('a DATABASE_URL with the schema public is as one without it', async () => {
  const database = await cloneDatabase();
  try {
    const run = processes.service({ DATABASE_URL: `${database.url}?schema=public` });
    const client = await run.client();
    expect(await client.get('/readyz')).toMatchObject({ status: 200, body: { database: 'ok' } });
    expect(await run.stop()).toEqual({ code: 0, signal: null });
  } finally {
    await database.drop();
  }
});

test('a secret in .env that would be cut at a # ends the start, and is not printed', async () => {
  const folder = await processes.dataFolder();
  await writeFile(join(folder, '.env'), 'PORT=0\nWEBHOOK_KEY=correct-horse#battery-2026\n');
  const service = processes.service({ DATA_DIR: join(folder, 'data') }, [], folder);
  expect(await service.exited).toEqual({ code: 1, signal: null });
  expect(service.stderr).toMatch(/^The file \.env does not show where the value of WEBHOOK_KEY ends: .*\n$/);
  expect(service.stderr).not.toMatch(/horse|battery/);
});

test('the demo is not served to other machines, and the start says what to do', async () => {
  const folder = await processes.dataFolder();
  const service = processes.service({ DATA_DIR: join(folder, 'data'), HOST: '0.0.0.0' });
  expect(await service.exited).toEqual({ code: 1, signal: null });
  expect(service.stderr).toContain(
    'set HOST=127.0.0.1 without TRUSTED_PROXIES to try the demo here, or DEMO=true to serve it to others',
  );
  await expect(access(join(folder, 'data'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a Node.js that is too old is told so, by the service and by its commands', async () => {
  const older = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.16.0'}})`;
  const environment = { NODE_OPTIONS: `--import data:text/javascript,${older}`, TOKEN_HOURS: 'bad' };
  const folder = await processes.dataFolder();
  const runs = [
    processes.service({ DATA_DIR: join(folder, 'data'), ...environment }),
    processes.command('ledger-verify', environment, ['--bogus']),
  ];
  for (const run of runs) {
    expect(await run.exited).toEqual({ code: 1, signal: null });
    expect([run.stdout, run.stderr]).toEqual([
      '',
      'Node 22.17 or newer is needed; this is 22.16.0. Use npm, or node_modules/.bin/node, which npm ci installed.\n',
    ]);
  }
});

test.each([['ledger-verify'], ['admin-create'], ['seed-demo'], ['audit-verify']])(
  '%s refuses an option that it does not have, before it opens a database',
  async name => {
    const run = processes.command(name, {}, ['--bogus']);
    expect(await run.exited).toEqual({ code: 1, signal: null });
    expect([run.stdout, run.stderr]).toEqual([
      '',
      expect.stringMatching(/^Unknown option '--bogus'.*\n.+\n/),
    ]);
    expect(run.stderr).not.toMatch(/DATABASE_URL|\n +at /);
  },
);

test.each([
  ['', 'Name the area and the resource: npm run new:resource -- <area>/<name>'],
  ['almoxarifado/Ação', 'Ação: write lower-case words without accents, joined by hyphens'],
  ['nenhures/coisa', 'There is no area nenhures yet: add its first resource by hand'],
])('new:resource says in one sentence what is wrong with %j, and writes nothing', async (name, sentence) => {
  const run = processes.npm(['run', '--silent', 'new:resource', '--', name], {});
  expect(await run.exited).toEqual({ code: 1, signal: null });
  expect([run.stdout, run.stderr]).toEqual(['', `${sentence}\n`]);
});

test('settings of .env count, and those of the process before them', async () => {
  const folder = await processes.dataFolder();
  await writeFile(join(folder, '.env'), 'PORT=bad\nTOKEN_HOURS=bad\nTZ=UTC\n');
  const service = processes.service({ DATA_DIR: join(folder, 'data'), PORT: '0' }, [], folder);
  expect(await service.exited).toEqual({ code: 1, signal: null });
  expect(service.stderr).toBe(`The configuration cannot be used:
  TOKEN_HOURS must be a whole number from 1 to 720
See .env.example for every setting.
`);
});

test.runIf(process.platform === 'linux').each([
  ['where the system lets nobody make one', '/proc/sii/data', /ENOENT.*mkdir/],
  ['below a file', '/dev/null/data', /ENOTDIR.*mkdir/],
  ['that is a file', '/dev/null', /EEXIST.*mkdir/],
])('a data folder %s ends the start, with the name of the setting', async (_where, folder, reason) => {
  const service = processes.service({ DATA_DIR: folder });
  expect(await service.exited).toEqual({ code: 1, signal: null });
  const [first, second] = service.stderr.split('\n');
  expect(first).toContain(`The embedded PostgreSQL cannot use the data folder ${folder} (DATA_DIR): `);
  expect(first).toMatch(reason);
  expect(second).toBe(
    'Fix this, set DATA_DIR to another folder, or set DATABASE_URL to use your own PostgreSQL server.',
  );
});
