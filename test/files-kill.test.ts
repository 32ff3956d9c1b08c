import { createHash, randomBytes } from 'node:crypto';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { Client as Connection } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { storageTexts } from '../src/storage/messages.ts';
import { placeOf } from '../src/storage/storage.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { expectProblem } from './support/problem.ts';
import { startService } from './support/service.ts';
import { copyDemoFiles } from './support/storages.ts';

const files = '/arquivosdigitais/arquivos-digitais';
const bodyOf = (content: Buffer): string =>
  JSON.stringify({
    id_tabela_origem: 9,
    nome_tabela_origem: 'lote',
    nome: 'laudo.bin',
    tipo_mime: 'application/octet-stream',
    conteudo: content.toString('base64'),
  });

describe('a service that is killed during an upload', () => {
  const processes = useProcesses();
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let connection: Connection;
  let DATA_DIR: string;
  let kept: string;
  let service: Run;
  let admin: Client;

  beforeAll(build);
  async function start(): Promise<void> {
    database = await cloneDatabase();
    connection = new Connection({ connectionString: database.url });
    await connection.connect();
    DATA_DIR = await processes.dataFolder();
    kept = join(DATA_DIR, 'files');
    await copyDemoFiles(DATA_DIR);
    service = processes.service({ DATABASE_URL: database.url, DATA_DIR });
    admin = (await (await service.client()).login('admin')).with(systemHeaders);
  }
  async function stop(): Promise<void> {
    await connection.end();
    await database.drop();
  }

  const rows = async (): Promise<unknown> =>
    (await connection.query({ text: 'select count(*)::int from arquivo_digital', rowMode: 'array' })).rows;
  const incoming = (): Promise<string[]> => readdir(join(kept, 'incoming'));

  /** Sends the start of a body while the service is running. */
  function send(body: string, length: number): void {
    const headers = { ...admin.headers, 'content-type': 'application/json', 'content-length': length };
    const sent = request(`${admin.url}${files}`, { method: 'POST', headers });
    sent.on('error', () => undefined);
    sent.write(body);
  }

  /** The result of the sweep for files older than a day. */
  async function sweep(): Promise<string> {
    const run = processes.command('files-sweep', { DATABASE_URL: database.url, DATA_DIR });
    expect(await run.exited).toEqual({ code: 0, signal: null });
    return run.stdout;
  }

  it('while bytes arrive leaves no record, and a partial file that the sweep removes', async () => {
    await start();
    const before = await rows();
    const body = bodyOf(randomBytes(600_000));
    send(body.slice(0, 400_000), body.length);
    await eventually(async () => {
      const [part] = await incoming();
      expect((await stat(join(kept, 'incoming', part!))).size).toBeGreaterThan(100_000);
    });
    await service.stop('SIGKILL');
    expect(await rows()).toEqual(before);
    const [part] = await incoming();
    await utimes(join(kept, 'incoming', part!), new Date(0), new Date(0));
    expect(await sweep()).toContain('Incomplete uploads removed: 1\n');
    expect(await incoming()).toEqual([]);
    await stop();
  });

  it('leaves files that its next start removes: old ones, and those of imports that have ended', async () => {
    await start();
    // Imports wait at the gate.
    await connection.query(`create table portao as select true as fechado;
      create function passar() returns trigger language plpgsql as $$ begin
        while (select fechado from portao) loop perform pg_sleep(0.02); end loop;
        return null;
      end $$;
      create trigger passar after insert on tipo_empresa for each statement execute function passar()`);
    const importing = async (text: string): Promise<number> => {
      const { status, body } = await admin.post('/institucional/importacoes', {
        registros: 'tipos-empresa',
        nome_arquivo: 'tipos.csv',
        conteudo: Buffer.from(`descricao;obriga_cnpj\n${text};N\n`).toString('base64'),
      });
      expect({ status, situacao: body.situacao }).toEqual({ status: 201, situacao: 'em_andamento' });
      return body.id as number;
    };
    const ended = await importing('Um');
    const [ofEnded] = await incoming();
    await importing('Dois');
    const ofRunning = (await incoming()).find(name => name !== ofEnded)!;
    const body = bodyOf(randomBytes(600_000));
    send(body.slice(0, 400_000), body.length);
    await eventually(async () => expect(await incoming()).toHaveLength(3));
    await service.stop('SIGKILL');
    const partial = (await incoming()).find(name => name !== ofEnded && name !== ofRunning)!;
    const place = (name: string): string => join(kept, 'incoming', name);
    await writeFile(place('young'), 'x');
    for (const old of [partial, ofRunning]) await utimes(place(old), new Date(0), new Date(0));
    await connection.query(
      `update importacao set situacao = 'interrompida', terminada_em = now() where id = $1`,
      [ended],
    );
    const next = processes.service({ DATABASE_URL: database.url, DATA_DIR });
    await eventually(async () => expect(new Set(await incoming())).toEqual(new Set([ofRunning, 'young'])));
    await next.ready();
    expect((await next.stop()).code).toBe(0);
    await connection.query('update portao set fechado = false');
    await stop();
  });

  it('after it stored the bytes and before the record leaves a content that the sweep removes', async () => {
    await start();
    const before = await rows();
    const content = randomBytes(1000);
    const sha256 = createHash('sha256').update(content).digest('hex');
    await connection.query('begin; lock table arquivo_digital in share mode');
    const body = bodyOf(content);
    send(body, body.length);
    await eventually(() => stat(join(kept, placeOf(sha256))));
    await service.stop('SIGKILL');
    await connection.query('rollback');
    expect(await rows()).toEqual(before);
    await utimes(join(kept, placeOf(sha256)), new Date(0), new Date(0));
    await connection.query(`update envio_arquivo set momento = now() - interval '2 days'`);
    expect(await sweep()).toContain(
      `  ${sha256} (1000 bytes) is unused, and was removed\nUnused contents removed: 1 (1000 bytes)`,
    );
    await expect(stat(join(kept, placeOf(sha256)))).rejects.toThrow('ENOENT');
    await stop();
  });
});

describe('a bucket that takes connections and says nothing', () => {
  const sockets = new Set<Socket>();
  const listener = createServer(socket => void sockets.add(socket));
  let service: Awaited<ReturnType<typeof startService>>;

  beforeAll(async () => {
    await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
    service = await startService({
      DATA_DIR: inject('dataDir'),
      FILES_S3_BUCKET: 'silent',
      FILES_S3_ENDPOINT: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
      FILES_S3_ACCESS_KEY_ID: 'key',
      FILES_S3_SECRET_ACCESS_KEY: 'secret',
      FILES_S3_TIMEOUT_MS: '200',
    });
  });
  afterAll(async () => {
    await service.stop();
    for (const socket of sockets) socket.destroy();
    listener.close();
  });

  it('is given up within the configured time, with 503, for uploads and for reads', async () => {
    const admin = (await service.as('admin')).with(systemHeaders);
    const [[id, before]] = (await service.sql('select min(id), count(*)::int from arquivo_digital')) as [
      [number, number],
    ];
    const answers = await Promise.all([
      admin.post(files, JSON.parse(bodyOf(randomBytes(100)))),
      admin.get(`${files}/${id}`),
      admin.with({ accept: 'application/octet-stream' }).get(`${files}/${id}`),
    ]);
    for (const answer of answers) {
      expectProblem(answer, 503, 'UNAVAILABLE');
      // The storage's own limit must end the request. The limit of the whole request would also end it, but with a
      // different message.
      expect(answer.body.detail).toBe(storageTexts.storageAway.pt);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await service.sql('select count(*)::int from arquivo_digital')).toEqual([[before]]);
    expect((await admin.get('/almoxarifadoquimicos/unidades-medida')).status).toBe(200);
  });
});
