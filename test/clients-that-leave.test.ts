import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Client as Connection } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemHeaders, type Client } from './support/client.ts';
import { temporaryFolder } from './support/folder.ts';
import { lockWaits } from './support/lock-waits.ts';
import { eventually } from './support/process.ts';
import { startService, type TestService } from './support/service.ts';

const FILES = '/arquivosdigitais/arquivos-digitais';
const IMPORTS = '/institucional/importacoes';

describe('a request with a file', () => {
  const logged: { msg: string; finished?: boolean; err?: { message: string } }[] = [];
  let folder: string;
  let service: TestService;
  let admin: Client;
  let other: Connection;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const log = pino({ level: 'info' }, { write: text => void logged.push(JSON.parse(text)) });
    service = await startService({ DATA_DIR: folder }, undefined, log);
    admin = (await service.as('admin')).with(systemHeaders);
    other = new Connection({ connectionString: service.databaseUrl });
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const incoming = () => readdir(join(folder, 'files/incoming'));

  /** Sends a request that waits for the table, and leaves before it goes on. */
  async function leaveWhileLocked(table: string, path: string, body: object): Promise<void> {
    logged.length = 0;
    await other.query(`begin; lock table ${table} in share mode`);
    const text = JSON.stringify(body);
    const headers = { ...admin.headers, 'content-type': 'application/json', 'content-length': text.length };
    const sent = request(`${admin.url}${path}`, { method: 'POST', headers });
    sent.on('error', () => undefined);
    sent.end(text);
    const waits = lockWaits(`locktype = 'relation'`);
    await eventually(async () => expect(await service.sql(waits)).not.toEqual([]));
    sent.destroy();
    await eventually(() => expect(logged).toContainEqual(expect.objectContaining({ finished: false })));
    await other.query('commit');
  }

  it('to import is carried out if its client leaves while it is recorded', async () => {
    await leaveWhileLocked('importacao', IMPORTS, {
      registros: 'tipos-empresa',
      nome_arquivo: 'tipos.csv',
      conteudo: Buffer.from('descricao;obriga_cnpj\nDeixado;N\n').toString('base64'),
    });
    await eventually(async () =>
      expect(await service.sql('select situacao from importacao')).toEqual([['concluida']]),
    );
    await eventually(async () => expect(await incoming()).toEqual([]));
  });

  it('to import leaves no file if it cannot be recorded', async () => {
    const before = await service.sql('select count(*) from importacao');
    await service.sql(`create function recusar() returns trigger language plpgsql as $$ begin
        raise 'recusado' using errcode = 'PT001'; end $$`);
    await service.sql('create trigger recusar before insert on importacao execute function recusar()');
    const { status } = await admin.post(IMPORTS, {
      registros: 'tipos-empresa',
      nome_arquivo: 'tipos.csv',
      conteudo: Buffer.from('descricao;obriga_cnpj\nRecusado;N\n').toString('base64'),
    });
    expect(status).toBe(500);
    expect(await service.sql('select count(*) from importacao')).toEqual(before);
    await eventually(async () => expect(await incoming()).toEqual([]));
    await service.sql('drop trigger recusar on importacao');
  });

  it('to keep is given up if its client leaves while it waits, and the log blames no storage', async () => {
    const content = randomBytes(1000);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const put = vi.spyOn(service.services.storage, 'put');
    await leaveWhileLocked('envio_arquivo', FILES, {
      id_tabela_origem: 9,
      nome_tabela_origem: 'lote',
      nome: 'laudo.bin',
      tipo_mime: 'application/octet-stream',
      conteudo: content.toString('base64'),
    });
    await eventually(() => expect(put.mock.settledResults[0]?.type).toBe('rejected'));
    // By the end of another request, the first one has logged what it logs.
    expect((await admin.get('/almoxarifadoquimicos/unidades-medida')).status).toBe(200);
    expect(logged.filter(({ err }) => err)).toEqual([]);
    expect(await service.sql('select from arquivo_digital where sha256 = $1', [sha256])).toEqual([]);
    expect(await incoming()).toEqual([]);
  });
});
