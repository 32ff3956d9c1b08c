import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { storeDemoFiles } from '../src/demo/documents.ts';
import { sweepFiles, type SweepReport } from '../src/domain/file-sweep.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { eventually } from './support/process.ts';
import { startService, type TestService } from './support/service.ts';
import { storages, type TestStorage } from './support/storages.ts';

const files = '/arquivosdigitais/arquivos-digitais';
const HOUR = 3600;

describe('what happens while a sweep works', () => {
  let place: TestStorage;
  let service: TestService;
  let admin: Client;
  const sql = (text: string, values: unknown[] = []) => service.sql(text, values);

  beforeAll(async () => {
    place = await storages[0]![1]();
    service = await startService(place.environment);
    await storeDemoFiles(service.services);
    await sweepFiles(service.services, HOUR);
    admin = (await service.as('admin')).with(systemHeaders);
    await sql('create table portao as select true as aberto');
    // A mark of a removal waits at the gate.
    await sql(`create function passar() returns trigger language plpgsql as $$ begin
        while not (select aberto from portao) loop perform pg_sleep(0.02); end loop;
        return new;
      end $$`);
    await sql(`create trigger passar before insert on envio_arquivo for each row
      when (new.removido_em is not null) execute function passar()`);
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(async () => {
    await service.stop();
    await place.stop();
  });

  async function made(row: number, content: Buffer = randomBytes(100)) {
    const answer = await admin.post(files, {
      id_tabela_origem: row,
      nome_tabela_origem: 'lote',
      nome: 'laudo.bin',
      tipo_mime: 'application/octet-stream',
      conteudo: content.toString('base64'),
    });
    expect(answer.status).toBe(201);
    return answer.body as { id: number; sha256: string };
  }
  const forget = (row: number) => admin.delete(`${files}/${row}:lote`);
  const isThere = (sha256: string) => service.services.storage.has(sha256);

  /** An old content that no record uses, and that was never announced. */
  async function unused(content: Buffer): Promise<string> {
    const { sha256 } = await made(70, content);
    await forget(70);
    await sql('delete from envio_arquivo where sha256 = $1', [sha256]);
    await place.age(sha256);
    return sha256;
  }

  /** Does something while a sweep that found a content unused waits to mark its removal. */
  async function whileMarking(meanwhile: () => Promise<unknown>): Promise<void> {
    await sql('update portao set aberto = false');
    const sweep = sweepFiles(service.services, HOUR).catch((error: Error) => error);
    const marking = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await eventually(async () => expect(await sql(marking)).toHaveLength(1));
    await meanwhile();
    await sql('update portao set aberto = true');
    await sweep;
  }

  it('a content that is uploaded after the sweep has lost the connection with its lock is kept', async () => {
    const content = randomBytes(100);
    const sha256 = await unused(content);
    await whileMarking(async () => {
      await sql(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`);
      await eventually(() => made(71, content));
    });
    expect(await isThere(sha256)).toBe(true);
    // Nothing marks it as being removed.
    await made(71, content);
    await forget(71);
  });

  it('a content that a record names without an announcement, as after a restore, is kept', async () => {
    const sha256 = await unused(randomBytes(100));
    await whileMarking(() =>
      sql(
        `insert into arquivo_digital (id_tabela_origem, nome_tabela_origem, nome, tipo_mime, sha256, tamanho, criado_por,
           alterado_por) values (72, 'lote', 'laudo.bin', 'application/octet-stream', $1, 100, 1, 1)`,
        [sha256],
      ),
    );
    expect(await isThere(sha256)).toBe(true);
    expect(await sql('select from envio_arquivo where sha256 = $1', [sha256])).toEqual([]);
    await forget(72);
  });

  it('the contents of a demo are kept until their records are there', async () => {
    await sql('create table guardados as select * from arquivo_digital');
    await sql('delete from arquivo_digital');
    await sql('delete from envio_arquivo');
    const stored = await storeDemoFiles(service.services);
    const digests = stored.map(({ sha256 }) => sha256);
    await Promise.all(digests.map(sha256 => place.age(sha256)));
    await sweepFiles(service.services, HOUR);
    expect(await Promise.all(digests.map(isThere))).toEqual(digests.map(() => true));
    await sql('insert into arquivo_digital select * from guardados');
  });

  /** Sweeps, and does something before it reads this content. */
  async function sweepAndBeforeReading(
    sha256: string,
    meanwhile: () => Promise<unknown>,
  ): Promise<SweepReport> {
    const { storage } = service.services;
    const open = storage.open.bind(storage);
    let isDone = false;
    vi.spyOn(storage, 'open').mockImplementation(async (wanted, range) => {
      if (wanted === sha256 && !isDone) {
        isDone = true;
        await meanwhile();
      }
      return open(wanted, range);
    });
    return sweepFiles(service.services, HOUR);
  }

  it('a content that another sweep removes after its record was deleted is not reported as missing', async () => {
    const content = randomBytes(100);
    const { sha256 } = await made(73, content);
    const { broken, checked } = await sweepAndBeforeReading(sha256, async () => {
      await forget(73);
      await sql('delete from envio_arquivo where sha256 = $1', [sha256]);
      await place.age(sha256);
      const { removed } = await sweepFiles(service.services, HOUR);
      expect(removed).toEqual([{ sha256, size: 100 }]);
    });
    expect(broken).toEqual([]);
    expect([[checked]]).toEqual(await sql('select count(distinct sha256)::int from arquivo_digital'));
  });

  it('a missing content is reported with those of its records that were not deleted', async () => {
    const content = randomBytes(100);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const [, stays] = [await made(74, content), await made(75, content)];
    const { broken } = await sweepAndBeforeReading(sha256, async () => {
      await forget(74);
      await place.lose(sha256);
    });
    expect(broken).toEqual([{ sha256, size: 100, reason: 'missing', records: [stays.id] }]);
    await forget(75);
  });
});
