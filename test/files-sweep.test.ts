import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { sharedLock } from '../src/database/locks.ts';
import { storeDemoFiles } from '../src/demo/documents.ts';
import { demoRecords } from '../src/demo/files.ts';
import { takeOver } from '../src/domain/file-owner.ts';
import { sweepFiles } from '../src/domain/file-sweep.ts';
import { claimContent, whileUnused } from '../src/domain/uploads.ts';
import { placeOf } from '../src/storage/storage.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { lockWaits } from './support/lock-waits.ts';
import { expectProblem } from './support/problem.ts';
import { build, eventually, useProcesses } from './support/process.ts';
import { startService, type TestService } from './support/service.ts';
import { copyDemoFiles, storages, type TestStorage } from './support/storages.ts';

const files = '/arquivosdigitais/arquivos-digitais';
const nothing = { removed: [], incomplete: 0, broken: [] };

describe.each(storages)('a sweep of files %s', (_, start) => {
  let place: TestStorage;
  let service: TestService;
  let admin: Client;

  beforeAll(async () => {
    place = await start();
    service = await startService(place.environment);
    await storeDemoFiles(service.services);
    admin = (await service.as('admin')).with(systemHeaders);
  });
  afterAll(async () => {
    await service.stop();
    await place.stop();
  });

  const send = (content: Buffer) =>
    admin.post(files, {
      id_tabela_origem: 77,
      nome_tabela_origem: 'lote',
      nome: 'x',
      tipo_mime: 'text/plain',
      conteudo: content.toString('base64'),
    });

  async function made(content = randomBytes(100)) {
    const answer = await send(content);
    expect(answer.status).toBe(201);
    return answer.body as { id: number; sha256: string; tamanho: number };
  }
  const forget = () => admin.delete(`${files}/77:lote`);
  const sweep = (graceSeconds: number) => sweepFiles(service.services, graceSeconds);

  it('keeps contents that are in use or younger than the time of grace', async () => {
    const { sha256 } = await made();
    expect(await sweep(0)).toMatchObject(nothing);
    await forget();
    expect(await sweep(3600)).toMatchObject({ ...nothing, checked: demoFiles.length });
    expect(await service.services.storage.has(sha256)).toBe(true);
  });

  it('removes a content that no record uses any more, once', async () => {
    const { sha256, tamanho } = await made();
    await forget();
    const { removed } = await sweep(0);
    expect(removed).toContainEqual({ sha256, size: tamanho });
    expect(await service.services.storage.has(sha256)).toBe(false);
    expect(await sweep(0)).toMatchObject(nothing);
  });

  it('counts what it has removed itself, if another sweep runs at the same time', async () => {
    const all: string[] = [];
    for (let n = 0; n < 20; n++) all.push((await made()).sha256);
    await forget();
    const swept = await Promise.all([sweep(0), sweep(0)]);
    const removed = swept.flatMap(one => one.removed.map(({ sha256 }) => sha256));
    expect(removed.toSorted()).toEqual(all.toSorted());
  });

  it('keeps an old content that is being uploaded again', async () => {
    const { sha256 } = await made();
    await forget();
    await service.sql(`update envio_arquivo set momento = now() - interval '2 days'`);
    const { orm, listing } = service.services;
    await claimContent(listing.reader, sha256);
    const swept = await whileUnused(orm.em, sha256, 3600, () => expect.fail('swept'));
    expect(swept).toBe(false);
  });

  it('makes an upload wait while the same content is being removed', async () => {
    const content = randomBytes(100);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const { orm, storage } = service.services;
    const order: string[] = [];
    let upload: Promise<unknown> | undefined;
    await whileUnused(orm.em, sha256, 0, async () => {
      upload = made(content).then(() => order.push('uploaded'));
      // The upload waits for the lock.
      await eventually(async () =>
        expect(await service.sql(lockWaits(`locktype = 'advisory'`))).toHaveLength(1),
      );
      await storage.remove(sha256);
      order.push('removed');
    });
    await upload;
    expect(order).toEqual(['removed', 'uploaded']);
    expect(await storage.has(sha256)).toBe(true);
    await forget();
  });

  it('refuses an upload while an unanswered removal of the same content may still take effect', async () => {
    const content = randomBytes(100);
    const { sha256 } = await made(content);
    await forget();
    const { orm, storage } = service.services;
    const lose = () =>
      expect(whileUnused(orm.em, sha256, 0, () => Promise.reject(new Error('silence')))).rejects.toThrow(
        'silence',
      );
    const refused = async () => {
      const answer = await send(content);
      expectProblem(answer, 503, 'UNAVAILABLE');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    };
    await lose();
    await refused();
    expect(await storage.has(sha256)).toBe(true);
    // The next sweep removes it, and has the answer.
    expect((await sweep(0)).removed).toContainEqual({ sha256, size: content.length });
    await made(content);
    await forget();
    await lose();
    await refused();
    await service.sql(`update envio_arquivo set removido_em = removido_em - interval '2 hours'`);
    await made(content);
    expect(await sweep(0)).toMatchObject(nothing);
    await forget();
  });

  it('removes interrupted uploads, not those in progress', async () => {
    await mkdir(place.incoming, { recursive: true });
    const [old, young] = ['old', 'young'].map(name => join(place.incoming, name)) as [string, string];
    await writeFile(old, 'x');
    await writeFile(young, 'x');
    await utimes(old, new Date(0), new Date(0));
    expect((await sweep(3600)).incomplete).toBe(1);
    expect(await readdir(place.incoming)).toEqual(['young']);
  });

  it('removes nothing while the files belong to another database', async () => {
    const other = await startService(place.environment);
    try {
      const { sha256 } = await made();
      await expect(sweepFiles(other.services, 0)).rejects.toThrow('belong to another database');
      expect(await service.services.storage.has(sha256)).toBe(true);
      await takeOver(other.services);
      await expect(sweep(0)).rejects.toThrow('belong to another database');
      await service.services.storage.setLabel('{');
      await expect(sweep(0)).rejects.toThrow('owner.json does not name');
      await takeOver(service.services);
      expect((await sweep(0)).broken).toEqual([]);
    } finally {
      await forget();
      await other.stop();
    }
  });

  it('names every content that is damaged or missing, with its files', async () => {
    const content = randomBytes(100);
    const [a, b, c] = [await made(content), await made(content), await made()];
    await place.damage(a.sha256);
    await place.lose(c.sha256);
    const { broken } = await sweep(3600);
    expect(broken).toHaveLength(2);
    expect(broken).toEqual(
      expect.arrayContaining([
        { sha256: a.sha256, size: 100, reason: 'damaged', records: [a.id, b.id] },
        { sha256: c.sha256, size: 100, reason: 'missing', records: [c.id] },
      ]),
    );
    await forget();
  });
});

const demoFiles = await demoRecords('arquivos');

/** Writes a content that no record uses, older than the time of grace. */
async function writeOrphan(dataDir: string): Promise<{ sha256: string; path: string }> {
  const sha256 = createHash('sha256').update('orphan').digest('hex');
  const path = join(dataDir, 'files', placeOf(sha256));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'orphan');
  await utimes(path, new Date(0), new Date(0));
  return { sha256, path };
}

describe('npm run files:sweep', () => {
  const processes = useProcesses();
  beforeAll(build);

  const run = async (environment: NodeJS.ProcessEnv, args: string[] = []) => {
    const sweep = processes.command('files-sweep', environment, args);
    const { code } = await sweep.exited;
    return { code, stdout: sweep.stdout, stderr: sweep.stderr };
  };

  test('prints what it did, and exits 1 if something is missing', async () => {
    const database = await cloneDatabase();
    try {
      const DATA_DIR = await processes.dataFolder();
      await copyDemoFiles(DATA_DIR);
      // From now on the files belong to this database.
      expect((await run({ DATABASE_URL: database.url, DATA_DIR })).code).toBe(0);
      const { sha256 } = await writeOrphan(DATA_DIR);
      expect(await run({ DATABASE_URL: database.url, DATA_DIR })).toEqual({
        code: 0,
        stdout: [
          `  ${sha256} (6 bytes) is unused, and was removed`,
          'Unused contents removed: 1 (6 bytes)',
          'Incomplete uploads removed: 0',
          `All ${demoFiles.length} contents in use are present and undamaged.`,
          '',
        ].join('\n'),
        stderr: '',
      });
      const { code, stdout, stderr } = await run({
        DATABASE_URL: database.url,
        DATA_DIR: await processes.dataFolder(),
      });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(
        `${demoFiles.length} of ${demoFiles.length} contents in use are missing or damaged.`,
      );
      expect(stderr).toMatch(/^ {2}[0-9a-f]{64} \(190 bytes\) is missing; files 1$/m);
    } finally {
      await database.drop();
    }
  });

  test('leaves a content that another transaction holds to the next sweep, and counts it', async () => {
    const database = await cloneDatabase();
    const other = new pg.Client({ connectionString: database.url });
    try {
      await other.connect();
      const environment = { DATABASE_URL: database.url, DATA_DIR: await processes.dataFolder() };
      await copyDemoFiles(environment.DATA_DIR);
      expect((await run(environment)).code).toBe(0);
      const { sha256, path } = await writeOrphan(environment.DATA_DIR);
      await other.query(`insert into envio_arquivo (sha256, momento) values ($1, 'epoch')`, [sha256]);
      await other.query('begin');
      await other.query(`select ${sharedLock('fileContents', '$1')}`, [sha256]);
      await other.query('select from envio_arquivo where sha256 = $1 for update', [sha256]);
      expect(await run(environment)).toEqual({
        code: 0,
        stdout: [
          'Unused contents removed: 0 (0 bytes)',
          'Incomplete uploads removed: 0',
          'Contents that other transactions held, left to the next sweep: 1',
          `All ${demoFiles.length} contents in use are present and undamaged.`,
          '',
        ].join('\n'),
        stderr: '',
      });
      expect(await readFile(path, 'utf8')).toBe('orphan');
      await other.query('rollback');
      expect((await run(environment)).stdout).toContain('Unused contents removed: 1 (6 bytes)');
    } finally {
      await other.end();
      await database.drop();
    }
  });

  test('creates no database, whose sweep would remove every content', async () => {
    const DATA_DIR = await processes.dataFolder();
    const { path } = await writeOrphan(DATA_DIR);
    const { code, stderr } = await run({ DATA_DIR });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('There is no embedded database') as string,
    });
    expect(await readFile(path, 'utf8')).toBe('orphan');
  });

  test('comes after a start that warns if the newest file is not in the storage', async () => {
    const database = await cloneDatabase();
    try {
      const warning = 'the newest digital file is not in this storage';
      const DATA_DIR = await processes.dataFolder();
      const service = processes.service({ DATABASE_URL: database.url, DATA_DIR });
      await service.logged(warning);
      await service.stop();
      await copyDemoFiles(DATA_DIR);
      const complete = processes.service({ DATABASE_URL: database.url, DATA_DIR, LOG_LEVEL: 'debug' });
      await complete.logged('storage checked');
      expect(complete.stderr).not.toContain(warning);
      await complete.stop();
    } finally {
      await database.drop();
    }
  });

  test('takes over the files of another database, of which the service warns, only when told so', async () => {
    const [first, second] = [await cloneDatabase(), await cloneDatabase()];
    try {
      const DATA_DIR = await processes.dataFolder();
      await copyDemoFiles(DATA_DIR);
      const service = processes.service({ DATABASE_URL: first.url, DATA_DIR });
      await service.ready();
      await eventually(() => access(join(DATA_DIR, 'files/owner.json')));
      await service.stop();
      expect(service.stderr).not.toContain('belong to another database');
      const { path } = await writeOrphan(DATA_DIR);
      const environment = { DATABASE_URL: second.url, DATA_DIR };
      const beside = processes.service(environment);
      await beside.logged('belong to another database');
      await beside.stop();
      expect((await run(environment)).stderr).toContain(`npm run files:sweep -- --take-over`);
      expect(await readFile(path, 'utf8')).toBe('orphan');
      expect((await run(environment, ['--take-over'])).stdout).toContain('Unused contents removed: 1');
      expect((await run({ ...environment, DATABASE_URL: first.url })).code).toBe(1);
      await expect(readFile(path)).rejects.toThrow('ENOENT');
    } finally {
      await first.drop();
      await second.drop();
    }
  });

  test('owns no folder where the newest file is missing, and nothing is archived there', async () => {
    const database = await cloneDatabase();
    try {
      const DATA_DIR = await processes.dataFolder();
      expect((await run({ DATABASE_URL: database.url, DATA_DIR })).stderr).toContain(
        'are missing or damaged',
      );
      const archive = processes.command('audit-archive', { DATABASE_URL: database.url, DATA_DIR });
      expect(await archive.exited).toMatchObject({ code: 1 });
      expect(archive.stderr).toContain('The newest digital file is not here');
      await expect(access(join(DATA_DIR, 'files/owner.json'))).rejects.toThrow('ENOENT');
    } finally {
      await database.drop();
    }
  });

  test('removes nothing of a demo that another database has, from the command that makes it', async () => {
    const [demo, other] = [await cloneDatabase({ empty: true }), await cloneDatabase()];
    try {
      const DATA_DIR = await processes.dataFolder();
      const seed = processes.command('seed-demo', { DATABASE_URL: demo.url, DATA_DIR });
      expect((await seed.exited).code).toBe(0);
      const { path } = await writeOrphan(DATA_DIR);
      const { code, stderr } = await run({ DATABASE_URL: other.url, DATA_DIR });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/belong to another database, test_\w+ at /) as string,
      });
      expect(await readFile(path, 'utf8')).toBe('orphan');
    } finally {
      await demo.drop();
      await other.drop();
    }
  });

  test('takes files without an owner only when told so, if it does not know all of them', async () => {
    const database = await cloneDatabase();
    try {
      const DATA_DIR = await processes.dataFolder();
      await copyDemoFiles(DATA_DIR);
      const { path } = await writeOrphan(DATA_DIR);
      const environment = { DATABASE_URL: database.url, DATA_DIR };
      const { code, stderr } = await run(environment);
      expect(code).toBe(1);
      expect(stderr).toContain('another database, which left no owner.json');
      expect(stderr).toContain('npm run files:sweep -- --take-over');
      expect(await readFile(path, 'utf8')).toBe('orphan');
      expect((await run(environment, ['--take-over'])).stdout).toContain('Unused contents removed: 1');
    } finally {
      await database.drop();
    }
  });
});
