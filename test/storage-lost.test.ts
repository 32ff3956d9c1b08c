import { randomBytes } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { systemHeaders, type Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { expectProblem } from './support/problem.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { startService } from './support/service.ts';
import { copyDemoFiles, startBucket, storages } from './support/storages.ts';

const files = '/arquivosdigitais/arquivos-digitais';
const aFile = () => ({
  id_tabela_origem: 77,
  nome_tabela_origem: 'lote',
  nome: 'x',
  tipo_mime: 'text/plain',
  conteudo: randomBytes(100).toString('base64'),
});

describe('a folder of files that is gone while the service runs', () => {
  const processes = useProcesses(afterAll);
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let folder: string;
  let run: Run;
  let admin: Client;

  beforeAll(async () => {
    await build();
    database = await cloneDatabase();
    const DATA_DIR = await processes.dataFolder();
    folder = join(DATA_DIR, 'files');
    await copyDemoFiles(DATA_DIR);
    run = processes.service({ DATABASE_URL: database.url, DATA_DIR, METRICS_PORT: '0' });
    admin = (await (await run.client()).login('admin')).with(systemHeaders);
    await eventually(() => access(join(folder, 'owner.json')));
    // From now on the process has seen it.
    await admin.get('/readyz');
  });
  afterAll(() => database?.drop());

  const send = () => admin.post(files, aFile());

  it.each([
    ['leaves the empty folder below the disk', true],
    ['is not even there', false],
  ])('%s: contents get 503, nothing is stored elsewhere, and monitors see it', async (_what, isEmpty) => {
    await rename(folder, `${folder}.away`);
    if (isEmpty) await mkdir(folder);
    expectProblem(await send(), 503, 'UNAVAILABLE');
    expectProblem(await admin.get(`${files}/1`), 503, 'UNAVAILABLE');
    if (isEmpty) expect(await readdir(folder)).toEqual([]);
    else await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await admin.get('/readyz')).toMatchObject({ status: 200, body: { storage: 'away' } });
    await eventually(async () => expect(valueOf((await scrape(run)).samples, 'sii_storage_up')).toBe(0));
    await run.logged('the storage of digital files does not answer');
    if (isEmpty) await rmdir(folder);
    await rename(`${folder}.away`, folder);
    expect((await admin.get(`${files}/1`)).status).toBe(200);
    expect((await send()).status).toBe(201);
    expect((await admin.get('/readyz')).body.storage).toBe('ok');
    await run.logged('the storage of digital files answers again');
  });
});

test.each(storages)(
  'a storage %s is away while nothing can be received into DATA_DIR',
  async (_where, start) => {
    const place = await start();
    const logged: string[] = [];
    const log = pino({ level: 'warn' }, { write: text => void logged.push(text) });
    const service = await startService(place.environment, undefined, log);
    try {
      const admin = (await service.as('admin')).with(systemHeaders);
      expect((await admin.get('/readyz')).body.storage).toBe('ok');
      expect(await readdir(place.incoming)).toEqual([]);
      // As a folder that belongs to another user, or a disk that is full or read-only: also root cannot write here.
      await rm(place.incoming, { recursive: true });
      await writeFile(place.incoming, 'where a folder should be');
      expect(await admin.get('/readyz')).toMatchObject({ status: 200, body: { storage: 'away' } });
      expectProblem(await admin.post(files, aFile()), 503, 'UNAVAILABLE');
      expect(logged.join('')).toContain(
        `nothing can be written into ${place.incoming}, which is in DATA_DIR: E`,
      );
      await rm(place.incoming);
      expect((await admin.get('/readyz')).body.storage).toBe('ok');
      expect((await admin.post(files, aFile())).status).toBe(201);
    } finally {
      await service.stop();
      await place.stop();
    }
  },
);

test('a bucket that does not exist is away', async () => {
  const bucket = await startBucket();
  const service = await startService({ ...bucket.environment, FILES_S3_BUCKET: 'not-created' });
  try {
    expect(await service.anyone.get('/readyz')).toMatchObject({ status: 200, body: { storage: 'away' } });
    const admin = (await service.as('admin')).with(systemHeaders);
    expectProblem(await admin.get(`${files}/1`), 503, 'UNAVAILABLE');
  } finally {
    await service.stop();
    await bucket.stop();
  }
});

describe('a start', () => {
  const processes = useProcesses();

  it('warns when it cannot use the folder of files', async () => {
    const database = await cloneDatabase();
    try {
      const DATA_DIR = await processes.dataFolder();
      await writeFile(join(DATA_DIR, 'files'), 'where a folder should be');
      const run = processes.service({ DATABASE_URL: database.url, DATA_DIR, LOG_LEVEL: 'warn' });
      await run.ready();
      await run.logged('storage not checked');
      expect(run.stderr).toContain('ENOTDIR');
      await run.logged('the storage of digital files does not answer');
    } finally {
      await database.drop();
    }
  });

  it('says that nothing can be written into DATA_DIR, and serves everything else', async () => {
    const database = await cloneDatabase();
    try {
      const DATA_DIR = await processes.dataFolder();
      await copyDemoFiles(DATA_DIR);
      await rm(join(DATA_DIR, 'files/incoming'), { recursive: true, force: true });
      await writeFile(join(DATA_DIR, 'files/incoming'), 'where a folder should be');
      const run = processes.service({ DATABASE_URL: database.url, DATA_DIR, LOG_LEVEL: 'warn' });
      const client = await run.client();
      await run.logged(
        `nothing can be written into ${join(DATA_DIR, 'files/incoming')}, which is in DATA_DIR`,
      );
      expect(await client.get('/readyz')).toMatchObject({ status: 200, body: { storage: 'away' } });
    } finally {
      await database.drop();
    }
  });
});
