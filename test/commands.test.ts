import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { sql } from './support/sql.ts';

const processes = useProcesses();
type Database = Awaited<ReturnType<typeof cloneDatabase>>;
/** A database with every table and without people. */
let migrated: Database;
/** A database whose only person is Carla, its administrator. */
let carlas: Database;
let database: Database;

beforeAll(async () => {
  await build();
  migrated = await cloneDatabase({ empty: true });
  await output(processes.command('migrate', { DATABASE_URL: migrated.url }), 0);
  carlas = await cloneDatabase({ of: migrated.url });
  await output(processes.command('admin-create', { DATABASE_URL: carlas.url, ...carla }), 0);
});
afterAll(() => Promise.all([migrated.drop(), carlas.drop()]));
beforeEach(async () => {
  database = await cloneDatabase({ of: migrated.url });
});
afterEach(() => database.drop());

async function replace(options: Parameters<typeof cloneDatabase>[0]): Promise<void> {
  await database.drop();
  database = await cloneDatabase(options);
}
const withCarla = (): Promise<void> => replace({ of: carlas.url });

const carla = {
  ADMIN_USERNAME: ' Carla ',
  ADMIN_NAME: 'Carla Menezes',
  ADMIN_EMAIL: 'Carla@Universidade.example',
  ADMIN_PASSWORD: 'correct horse battery',
};

const run = (name: string, environment: NodeJS.ProcessEnv = {}, args: string[] = []): Run =>
  processes.command(name, { DATABASE_URL: database.url, ...environment }, args);

/** Lets two commands insert into this table at the same time, and take a second for it. */
async function together(table: string, commands: () => Run[]): Promise<string[]> {
  await sql(
    database.url,
    `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end'`,
  );
  await sql(
    database.url,
    `create trigger slow after insert on ${table} for each statement execute function slow()`,
  );
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query(`begin; lock table ${table} in share mode`);
  const runs = commands();
  await eventually(async () =>
    expect(
      await read(
        `select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      ),
    ).toEqual([2]),
  );
  await holder.end();
  return Promise.all(runs.map(one => output(one, 0)));
}

const read = async (text: string): Promise<unknown[]> => (await sql(database.url, text)).flat();

/** The output of the command, which must end with this exit code. */
async function output(command: Run, code: number): Promise<string> {
  const exit = await command.exited;
  expect({ ...exit, stderr: code === 0 ? command.stderr : '' }).toEqual({ code, signal: null, stderr: '' });
  return code === 0 ? command.stdout : command.stderr;
}

test('admin:create makes an administrator who can log in with the key it prints and do everything', async () => {
  // It finds no tables either.
  await replace({ empty: true });
  const printed = await output(run('admin-create', carla), 0);
  expect(printed).toMatch(
    /^The administrator carla was created\.\nAPI key of the system SII, shown this once: \S{43}\n$/,
  );
  expect(printed).not.toContain(carla.ADMIN_PASSWORD);
  const apiKey = printed.trim().split(' ').at(-1)!;
  const service = processes.service({ DATABASE_URL: database.url });
  const system = { 'app-name': 'SII', 'api-key': apiKey, appversion: '1' };
  const anyone = new Client(await service.ready(), system);
  const login = await anyone.post('/auth/login', { username: 'carla', password: carla.ADMIN_PASSWORD });
  expect(login.body).toMatchObject({
    pessoa: { nome: 'Carla Menezes' },
    perfis: [{ nome: 'Administrador' }],
  });
  const admin = anyone.with({ token: login.body.token });
  expect((await admin.get('/almoxarifadoquimicos/materiais')).status).toBe(200);
  const password = { username: 'carla', password: 'another long password' };
  expect((await admin.put('/auth/senha', password)).status).toBe(200);
  expect(service.stdout).not.toContain('demo');
  expect(await read('select count(*)::int from pessoa')).toEqual([1]);
});

test.each(['ledger-verify', 'audit-verify', 'audit-archive', 'audit-search', 'files-sweep'])(
  '%s refuses a database without tables, where it would find nothing wrong, and makes none',
  async name => {
    await replace({ empty: true });
    expect(await output(run(name), 1)).toBe(
      'This database has no tables of the service. Set DATABASE_URL to the database that the service uses.\n',
    );
    expect(await read(`select count(*)::int from pg_class where relname = 'pessoa'`)).toEqual([0]);
  },
);

test('admin:create can be repeated, and removes no password and no key', async () => {
  await withCarla();
  const stored = 'select senha_hash from credencial';
  const before = await read(stored);
  const again = { ...carla, ADMIN_PASSWORD: 'something else entirely' };
  expect(await output(run('admin-create', again), 0)).toBe(
    'carla already existed (password unchanged) and is an administrator now.\n' +
      'The system SII has an API key already. If it was lost: npm run admin:create -- --new-key\n',
  );
  expect(await read(stored)).toEqual(before);
  const diego = { ...carla, ADMIN_USERNAME: 'diego', ADMIN_EMAIL: 'diego@universidade.example' };
  expect(await output(run('admin-create', diego), 0)).toContain('The administrator diego was created.');
  const counts = ['perfil', 'perfil_recurso_item', 'chave_api', 'permissao', 'acesso_ambiente'].map(
    table => `(select count(*)::int from ${table})`,
  );
  expect(await read(`select ${counts.join(', ')}`)).toEqual([1, 1, 1, 2, 2]);
});

test('admin:create -- --new-key issues one more key, with which people log in, and asks for no person', async () => {
  await withCarla();
  const issued = await output(run('admin-create', {}, ['--new-key']), 0);
  expect(issued).toMatch(
    /^API key of the system SII, shown this once: \S{43}\nThe system SII has 2 valid keys now\. [^\n]+\n$/,
  );
  const apiKey = /once: (\S+)/.exec(issued)![1]!;
  const service = processes.service({ DATABASE_URL: database.url });
  const anyone = new Client(await service.ready(), { 'app-name': 'SII', 'api-key': apiKey, appversion: '1' });
  const login = await anyone.post('/auth/login', { username: 'carla', password: carla.ADMIN_PASSWORD });
  expect(login.status).toBe(200);
  const admin = anyone.with({ token: login.body.token });
  const keys = '{ chavesApi(orderBy: [{ id: asc }]) { data { revogadaEm ultimoUso criadoPor } } }';
  const { body } = await admin.post('/graphql', { query: keys });
  expect(body.data.chavesApi.data).toEqual([
    { revogadaEm: null, ultimoUso: null, criadoPor: null },
    { revogadaEm: null, ultimoUso: expect.any(String), criadoPor: null },
  ]);
  // Whoever has lost two keys needs a third one.
  expect(await output(run('admin-create', {}, ['--new-key']), 0)).toContain('has 3 valid keys now');
  const trail = `select id_pessoa, id_sistema, requisicao from auditoria where tabela = 'chave_api' and operacao = 'insert'`;
  expect(await sql(database.url, trail)).toEqual(Array(3).fill([null, null, 'admin:create']));
});

test('admin:create changes nothing when nobody reads its output, so no key is lost', async () => {
  const unread = run('admin-create', carla);
  unread.child.stdout!.destroy();
  expect(await output(unread, 1)).toBe('Standard output cannot be written: write EPIPE\n');
  const counts = 'select (select count(*)::int from pessoa), (select count(*)::int from chave_api)';
  expect(await read(counts)).toEqual([0, 0]);
  expect(await output(run('admin-create', carla), 0)).toContain('shown this once: ');
});

test('admin:create shows a key before it is stored, so one that is killed loses none', async () => {
  await sql(
    database.url,
    `create function hold() returns trigger language plpgsql as 'begin perform pg_sleep(600); return null; end'`,
  );
  await sql(
    database.url,
    `create constraint trigger hold after insert on chave_api deferrable initially deferred for each row execute function hold()`,
  );
  const killed = run('admin-create', carla);
  await eventually(() => expect(killed.stdout).toMatch(/shown this once: \S{43}\n/));
  await killed.stop('SIGKILL');
  await sql(
    database.url,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await sql(database.url, 'drop trigger hold on chave_api');
  const printed = await output(run('admin-create', carla), 0);
  expect(printed).toMatch(/^The administrator carla was created\.\nAPI key of the system SII, shown/);
});

test('admin:create twice at once makes one person, and both say what happened', async () => {
  const printed = await together('pessoa', () => [run('admin-create', carla), run('admin-create', carla)]);
  expect(new Set(printed.map(text => text.split('\n')[0]))).toEqual(
    new Set([
      'The administrator carla was created.',
      'carla already existed (password unchanged) and is an administrator now.',
    ]),
  );
});

test('admin:create gives all rights back to a known person who lost them', async () => {
  await withCarla();
  await read(`update acesso_ambiente set situacao = 'I'`);
  await read(`update permissao set situacao = 'I'`);
  await output(run('admin-create', carla), 0);
  expect(await read('select a.situacao, p.situacao from acesso_ambiente a, permissao p')).toEqual(['A', 'A']);
});

test('admin:create without a terminal names every value that is missing or bad, and creates nobody', async () => {
  const bad = { ADMIN_USERNAME: 'Bartholomew', ADMIN_EMAIL: 'nowhere', ADMIN_PASSWORD: 'short' };
  expect(await output(run('admin-create', bad), 1)).toBe(`No administrator was created:
  ADMIN_NAME is missing
  ADMIN_EMAIL must be an e-mail address
  ADMIN_PASSWORD must have at least 10 characters
`);
  const sameAsName = { ...carla, ADMIN_USERNAME: 'Bartholomew', ADMIN_PASSWORD: ' bartholomeW' };
  expect(await output(run('admin-create', sameAsName), 1)).toContain(
    'ADMIN_PASSWORD must not be the user name',
  );
  const blank = { ...carla, ADMIN_PASSWORD: ' '.repeat(12) };
  expect(await output(run('admin-create', blank), 1)).toContain('ADMIN_PASSWORD must not be blank');
  expect(await read('select count(*)::int from pessoa')).toEqual([0]);
});

test("admin:create changes nothing when the e-mail address is another person's", async () => {
  await withCarla();
  const other = { ...carla, ADMIN_USERNAME: 'other' };
  expect(await output(run('admin-create', other), 1)).toBe(
    'Another person has the e-mail address carla@universidade.example. Nothing was changed.\n',
  );
  expect(await read('select usuario from pessoa')).toEqual(['carla']);
});

test("admin:create changes nothing when the e-mail address is a managerial account's, and says so", async () => {
  await sql(
    database.url,
    `insert into conta_gerencial (nome, email) values ('Secretaria', 'carla@universidade.example')`,
  );
  expect(await output(run('admin-create', carla), 1)).toBe(
    'A managerial account has the e-mail address carla@universidade.example. Nothing was changed.\n',
  );
  expect(await read('select count(*)::int from pessoa')).toEqual([0]);
});

test('seed:demo fills an empty database, and does not change one with people', async () => {
  expect(await output(run('seed-demo'), 0)).toContain('admin / demo-admin-2026');
  const materials = await read('select count(*)::int from material');
  expect(materials[0]).toBeGreaterThan(0);
  expect(await output(run('seed-demo'), 1)).toContain('This database already contains people');
  expect(await read('select count(*)::int from material')).toEqual(materials);
  const client = await processes.service({ DATABASE_URL: database.url }).client();
  await client.login('almoxarife');
});

test('seed:demo puts public passwords where other machines reach them only with DEMO=true', async () => {
  const open = { HOST: '0.0.0.0' };
  expect(await output(run('seed-demo', open), 1)).toContain(
    'set HOST=127.0.0.1 without TRUSTED_PROXIES to try the demo here, or DEMO=true',
  );
  expect(await read('select count(*)::int from pessoa')).toEqual([0]);
  await withCarla();
  // The database is opened only after the arguments are valid.
  expect(await output(run('seed-demo', { ...open, DEMO: 'true' }), 1)).toContain('already contains people');
});

test('a command whose storage is away says why, without a stack', async () => {
  const DATA_DIR = await processes.dataFolder();
  await writeFile(join(DATA_DIR, 'files'), 'where a folder should be');
  expect(await output(run('seed-demo', { DATA_DIR }), 1)).toMatch(
    /^The file storage is not responding[^\n]*\nENOTDIR: not a directory[^\n]*\n$/,
  );
});

test.each(['seed-demo', 'admin-create'])('%s says that it needs DATABASE_URL', async name => {
  const command = processes.command(name, carla);
  expect(await output(command, 1)).toMatch(/^Set DATABASE_URL/);
});

test('migrate leaves a database that another program uses as it is, and says so', async () => {
  const other = await cloneDatabase({ empty: true });
  try {
    const tables = `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')`;
    await sql(other.url, 'create extension pg_stat_statements');
    await sql(other.url, 'create table pessoa (id int)');
    const before = await sql(other.url, tables);
    const command = processes.command('migrate', { DATABASE_URL: other.url });
    expect(await output(command, 1)).toMatch(
      /^The database has tables that are not of this service \(1, such as pessoa\).*\n$/,
    );
    expect(await sql(other.url, tables)).toEqual(before);
    await sql(other.url, 'drop table pessoa');
    expect((await processes.command('migrate', { DATABASE_URL: other.url }).exited).code).toBe(0);
  } finally {
    await other.drop();
  }
});
