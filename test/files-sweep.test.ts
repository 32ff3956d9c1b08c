import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, test } from 'vitest';
import { storeDemoFiles } from '../src/demo/documents.ts';
import { demoRecords } from '../src/demo/files.ts';
import { sweepFiles } from '../src/domain/file-sweep.ts';
import { claimContent, whileUnused } from '../src/domain/uploads.ts';
import { placeOf } from '../src/storage/storage.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { lockWaits } from './support/lock-waits.ts';
import { build, eventually, useProcesses } from './support/process.ts';
import { startService, type TestService } from './support/service.ts';
import { storages, type TestStorage } from './support/storages.ts';

const files = '/arquivosdigitais/arquivos-digitais';
const nothing = { removed: [], incomplete: 0, broken: [] };

describe.each(storages)('a sweep of files %s', (_, start) => {
  let place: TestStorage;
  let service: TestService;
  let admin: Client;

  beforeAll(async () => {
    place = await start();
    service = await startService(place.environment);
    await storeDemoFiles(service.services.storage);
    admin = (await service.as('admin')).with(systemHeaders);
  });
  afterAll(async () => {
    await service.stop();
    await place.stop();
  });

  async function made(content = randomBytes(100)) {
    const answer = await admin.post(files, {
      id_tabela_origem: 77,
      nome_tabela_origem: 'lote',
      nome: 'x',
      tipo_mime: 'text/plain',
      conteudo: content.toString('base64'),
    });
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

  it('removes interrupted uploads, not those in progress', async () => {
    await mkdir(place.incoming, { recursive: true });
    const [old, young] = ['old', 'young'].map(name => join(place.incoming, name)) as [string, string];
    await writeFile(old, 'x');
    await writeFile(young, 'x');
    await utimes(old, new Date(0), new Date(0));
    expect((await sweep(3600)).incomplete).toBe(1);
    expect(await readdir(place.incoming)).toEqual(['young']);
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

describe('npm run files:sweep', () => {
  const processes = useProcesses();
  beforeAll(build);

  test('prints what it did, and exits 1 if something is missing', async () => {
    const database = await cloneDatabase();
    try {
      const DATA_DIR = await processes.dataFolder();
      const kept = join(DATA_DIR, 'files');
      await cp(join(inject('dataDir'), 'files'), kept, { recursive: true });
      const orphan = createHash('sha256').update('orphan').digest('hex');
      await mkdir(join(kept, placeOf(orphan), '..'), { recursive: true });
      await writeFile(join(kept, placeOf(orphan)), 'orphan');
      await utimes(join(kept, placeOf(orphan)), new Date(0), new Date(0));
      const run = async (folder: string) => {
        const sweep = processes.command('files-sweep', { DATABASE_URL: database.url, DATA_DIR: folder });
        const { code } = await sweep.exited;
        return { code, stdout: sweep.stdout, stderr: sweep.stderr };
      };
      expect(await run(DATA_DIR)).toEqual({
        code: 0,
        stdout: [
          'Unused contents removed: 1 (6 bytes)',
          `  ${orphan} (6 bytes)`,
          'Incomplete uploads removed: 0',
          `All ${demoFiles.length} contents in use are present and undamaged.`,
          '',
        ].join('\n'),
        stderr: '',
      });
      const { code, stdout, stderr } = await run(await processes.dataFolder());
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(
        `${demoFiles.length} of ${demoFiles.length} contents in use are missing or damaged:`,
      );
      expect(stderr).toMatch(/^ {2}[0-9a-f]{64} \(190 bytes\) is missing; files 1$/m);
    } finally {
      await database.drop();
    }
  });
});
