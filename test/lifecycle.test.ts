import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { findProcess } from '../src/embedded-postgres/processes.ts';
import { takeSessionLock } from '../src/database/locks.ts';
import { cloneDatabase } from './support/clone.ts';
import { lockWaits } from './support/lock-waits.ts';
import { png } from './support/png.ts';
import { build, eventually, postgresPid, useProcesses, type Run } from './support/process.ts';

const { dataFolder, service } = useProcesses();
const inOrder = { code: 0, signal: null };
const failed = { code: 1, signal: null };

/** Data folder of most tests of the embedded database. Each test starts with the state that the previous one left. */
let dataDir: string;
const cleanUp: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  await build();
  dataDir = await dataFolder();
});
afterEach(async () => {
  for (const one of cleanUp.splice(0).toReversed()) await one();
});

const beside = useProcesses(afterAll);
/** The answer to a client that does not complete its request. It is late, so the other tests run meanwhile. */
let lateAnswer: Promise<string>;
beforeAll(async () => {
  const { url, drop } = await cloneDatabase();
  const { hostname, port } = new URL(await beside.service({ DATABASE_URL: url }).ready());
  const socket = connect(Number(port), hostname);
  socket.write('GET /healthz HTTP/1.1\r\nHost:');
  lateAnswer = text(socket);
  return drop;
});

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await cloneDatabase({ empty: true });
  cleanUp.push(drop);
  return url;
}

async function openDatabase(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  cleanUp.push(() => client.end());
  return client;
}

const databaseUrl = (parts: Partial<URL>): string => Object.assign(new URL(inject('template')), parts).href;

/** The error message of a failed start. */
async function complaint(run: Run): Promise<string> {
  expect(await run.exited).toEqual(failed);
  expect(run.stdout).toBe('');
  expect(run.stderr).not.toMatch(/^ +at /m);
  return run.stderr;
}

test('a service says in one line that it is ready, and finds its data at the next start', async () => {
  const first = service({ DATA_DIR: dataDir });
  const admin = await (await first.client()).login('admin');
  const icon = await admin.post('/almoxarifadoquimicos/icones-risco', { nome: 'Kept' });
  expect(await first.stop()).toEqual(inOrder);
  expect(first.stdout).toBe(
    `Ready on ${admin.url} · GraphQL ${admin.url}/graphql · REST docs ${admin.url}/docs · GraphiQL ${admin.url}/graphiql · demo login admin / demo-admin-2026 (App_name SII, Api_key sii-demo-key)\n`,
  );
  expect(await postgresPid(dataDir)).toBeUndefined();
  const again = await (await service({ DATA_DIR: dataDir }).client()).login('admin');
  const { body } = await again.get(`/almoxarifadoquimicos/icones-risco/${icon.body.id}`);
  expect(body.nome).toBe('Kept');
});

test('a service that was killed starts again, although its database still runs', async () => {
  const killed = service({ DATA_DIR: dataDir });
  await killed.ready();
  await killed.stop('SIGKILL');
  const orphan = (await postgresPid(dataDir))!;
  expect(await findProcess(orphan)).toBeDefined();
  await (await service({ DATA_DIR: dataDir }).client()).login('docente');
  expect(await findProcess(orphan)).toBeUndefined();
});

test.each(['postgres.json', 'postgres/postmaster.pid'])(
  'a start that gets SIGTERM when %s is there ends in order and leaves no database running',
  async file => {
    const folder = await dataFolder();
    const run = service({ DATA_DIR: folder });
    await eventually(() => stat(join(folder, file)));
    expect(await run.stop()).toEqual(inOrder);
    expect(run.stdout).toBe('');
    expect(await postgresPid(folder)).toBeUndefined();
  },
);

test('a port in use is named, and the database is stopped again', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  cleanUp.push(() => once(other.close(), 'close'));
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const run = service({ DATA_DIR: dataDir, PORT: String(port) });
  expect(await complaint(run)).toContain(
    `Cannot listen on 127.0.0.1: port ${port} is in use. End the program that uses it, or choose another PORT.\n`,
  );
  expect(await postgresPid(dataDir)).toBeUndefined();
});

test('three services that start at once on an empty database all become ready, and each migration runs once', async () => {
  const url = await emptyDatabase();
  const runs = Array.from({ length: 3 }, () => service({ DATABASE_URL: url }));
  await Promise.all(runs.map(run => run.ready()));
  for (const run of runs) expect(run.stdout).not.toContain('demo');
  const db = await openDatabase(url);
  const twice = `select name from mikro_orm_migrations group by name having count(*) <> 1`;
  expect((await db.query(twice)).rows).toEqual([]);
  const { rows } = await db.query(
    'select (select count(*)::int from pessoa) as people, (select count(*)::int from sistema) as systems, (select count(*) = count(distinct nome) from controller) as distinct_controllers',
  );
  expect(rows).toEqual([{ people: 0, systems: 1, distinct_controllers: true }]);
  expect(await Promise.all(runs.map(run => run.stop()))).toEqual(runs.map(() => inOrder));
});

test('a start that waits for another to migrate ends in order when it is told to', async () => {
  const url = await emptyDatabase();
  const db = await openDatabase(url);
  await takeSessionLock(db, 'migrations');
  const run = service({ DATABASE_URL: url });
  await eventually(async () => expect((await db.query(lockWaits(`locktype = 'advisory'`))).rowCount).toBe(1));
  expect(await run.stop()).toEqual(inOrder);
});

test('a database that cannot be used is explained without a stack or a password', async () => {
  const closed = databaseUrl({ port: '1' });
  expect(await complaint(service({ DATABASE_URL: closed }))).toMatch(
    /^Cannot connect to the database 127\.0\.0\.1:1\/sii: connect ECONNREFUSED 127\.0\.0\.1:1\nCheck DATABASE_URL/,
  );
  const wrong = await complaint(service({ DATABASE_URL: databaseUrl({ password: 'wrong-secret' }) }));
  expect(wrong).toContain('password authentication failed');
  expect(wrong).not.toContain('wrong-secret');
  expect(await complaint(service({ DATABASE_URL: databaseUrl({ pathname: '/missing' }) }))).toContain(
    'database "missing" does not exist',
  );
});

test('a time zone that the database does not know ends the start, with the name of the setting', async () => {
  const zone = { DATABASE_URL: databaseUrl({}), INSTITUTION_TZ: 'US/Pacific-New' };
  expect(await complaint(service(zone))).toMatch(
    /^Cannot connect .*TimeZone.*\nSet INSTITUTION_TZ to a name in /,
  );
});

test('a logo that documents cannot show ends the start, with what to do', async () => {
  const folder = await dataFolder();
  const INSTITUTION_LOGO = join(folder, 'logo.png');
  const environment = { DATABASE_URL: databaseUrl({}), INSTITUTION_LOGO };
  await writeFile(INSTITUTION_LOGO, png(16));
  expect(await complaint(service(environment))).toMatch(
    /^INSTITUTION_LOGO is a PNG with 16 bits.*8 bits\.\n$/,
  );
  const damaged = png(8);
  damaged[damaged.indexOf('IDAT') + 6]! ^= 0xff;
  await writeFile(INSTITUTION_LOGO, damaged);
  expect(await complaint(service(environment))).toMatch(/^INSTITUTION_LOGO cannot be drawn: .*\n$/);
});

test('a database that is not encoded in UTF8 is refused', async () => {
  const maintenance = await openDatabase(databaseUrl({ pathname: '/postgres' }));
  cleanUp.push(() => maintenance.query('drop database if exists latin'));
  await maintenance.query(
    `create database latin encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
  );
  const run = service({ DATABASE_URL: databaseUrl({ pathname: '/latin' }) });
  expect(await complaint(run)).toMatch(
    /^The database must be encoded in UTF8; it is LATIN1\. Create it with/,
  );
});

test('a server older than PostgreSQL 15 is refused', async () => {
  const url = await emptyDatabase();
  const db = await openDatabase(url);
  await db.query(
    `create function public.current_setting(text) returns text language sql as $$ select '140011' $$`,
  );
  await db.query(`alter database ${new URL(url).pathname.slice(1)} set search_path = public, pg_catalog`);
  expect(await complaint(service({ DATABASE_URL: url }))).toBe(
    'PostgreSQL 15 or newer is needed; this server is 14.\n',
  );
});

test('a user whose tables would be in a schema of the same name is told so, and can start after what is advised', async () => {
  const url = await emptyDatabase();
  const db = await openDatabase(url);
  await db.query(`create role "the-institute" superuser login password 'guest'`);
  cleanUp.push(() => db.query('drop owned by "the-institute"; drop role "the-institute"'));
  await db.query('create schema authorization "the-institute"');
  const own = Object.assign(new URL(url), { username: 'the-institute', password: 'guest' }).href;
  const text = await complaint(service({ DATABASE_URL: own }));
  expect(text).toContain('for this user they are in the-institute (search_path: "$user", public). Run: ');
  await db.query(text.split(' Run: ')[1]!);
  const run = service({ DATABASE_URL: own });
  await run.ready();
  expect(await run.stop()).toEqual(inOrder);
});

test('a user who may not create the tables is told so', async () => {
  const url = await emptyDatabase();
  const db = await openDatabase(url);
  await db.query(`create role guest login password 'guest'`);
  cleanUp.push(() => db.query('drop role guest'));
  const guest = Object.assign(new URL(url), { username: 'guest', password: 'guest' }).href;
  expect(await complaint(service({ DATABASE_URL: guest }))).toMatch(
    /^The tables cannot be created: .*permission denied/,
  );
});

test('with --pretty the log is for people, without colours where there is no terminal', async () => {
  const { url, drop } = await cloneDatabase();
  cleanUp.push(drop);
  const run = service({ DATABASE_URL: url, FORCE_COLOR: '1' }, ['--pretty']);
  await (await run.client()).get('/almoxarifadoquimicos/materiais');
  await run.logged('/almoxarifadoquimicos/materiais');
  expect(await run.stop()).toEqual(inOrder);
  expect(run.stderr).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request {.*"status":401.*}$/m);
  expect(run.stderr).toContain('INFO: SIGTERM: stopping');
  expect(run.stderr).not.toMatch(/^{/m);
  expect(run.stderr).not.toContain('\u001b[');
});

test.each(['--prety', 'pretty'])('an unknown argument is reported: %s', async argument => {
  const message = await complaint(service({ DATABASE_URL: databaseUrl({ port: '1' }) }, [argument]));
  expect(message).toContain(`'${argument}'`);
  expect(message).toContain('The only option is --pretty');
});

test('a bad configuration is explained', async () => {
  const run = service({ PORT: 'many', SANDBOX: 'perhaps' });
  expect(await complaint(run)).toMatch(
    /^The configuration cannot be used:\n {2}PORT must.*\n {2}SANDBOX must/,
  );
});

test('a client that does not complete its request in time is answered 408', async () => {
  expect(await lateAnswer).toMatch(/^HTTP\/1\.1 408 .*application\/problem\+json.*"status":408/s);
});
