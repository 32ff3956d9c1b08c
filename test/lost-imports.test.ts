import { beforeAll, describe, expect, it } from 'vitest';
import { openOrm } from '../src/database/orm.ts';
import { endLost } from '../src/imports/progress.ts';
import { databaseSettings } from '../src/services.ts';
import type { Client } from './support/client.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import { useImports } from './support/imports.ts';
import { eventually } from './support/process.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService();
const { file, run } = useImports(service);
const sql = (text: string, values: unknown[] = []): Promise<unknown[][]> => service().sql(text, values);

const IMPORTS = '/institucional/importacoes';
const KINDS = '/almoxarifadoquimicos/tipos-empresas';
let imported = 0;

/** Holds up each insert into the table until the gate is open, and keeps the settings of its connection. */
beforeAll(async () => {
  await sql('create table portao as select true as aberto');
  await sql('create table ajustes (aplicacao text, ocioso text, sondas text)');
  await sql(`create function passar() returns trigger language plpgsql as $$ begin
      insert into ajustes select current_setting('application_name'),
        current_setting('idle_in_transaction_session_timeout'), current_setting('tcp_keepalives_idle') || ' '
        || current_setting('tcp_keepalives_interval') || ' ' || current_setting('tcp_keepalives_count');
      while not (select aberto from portao) loop perform pg_sleep(0.02); end loop;
      return null;
    end $$`);
  await sql('create trigger passar after insert on tipo_empresa execute function passar()');
});

const gate = (open: boolean) => sql('update portao set aberto = $1', [open]);

const csv = (): string => `descricao;obriga_cnpj\nImportado ${++imported};N`;

const importBy = async (client: Client) =>
  (
    await client.post(IMPORTS, {
      registros: 'tipos-empresa',
      nome_arquivo: 'tipos.csv',
      conteudo: Buffer.from(csv()).toString('base64'),
    })
  ).body as { id: number; situacao: string };

const stateOf = async (client: Client, id: number) => (await client.get(`${IMPORTS}/${id}`)).body.situacao;

/** The connection of the import that has locked the table, once it is in this state. */
const backend = (state: string): Promise<number> =>
  eventually(async () => {
    const rows = await sql(
      `select pid from pg_locks join pg_stat_activity using (pid) where relation = 'tipo_empresa'::regclass
        and mode = 'ShareRowExclusiveLock' and state = $1`,
      [state],
    );
    expect(rows).toHaveLength(1);
    return rows[0]![0] as number;
  });

const notSeenForAMinute = (id: number) =>
  sql(`update andamento_importacao set visto_em = now() - interval '2 minutes' where id_importacao = $1`, [
    id,
  ]);

const endLostOnes = () => endLost(service().services.listing.reader, 'Perdeu-se.');

describe('an import', () => {
  let admin: Client;
  let far: { proxy: FaultProxy; service: TestService; admin: Client };

  beforeAll(async () => {
    admin = await service().as('admin');
    const { proxy, url } = await FaultProxy.before(service().databaseUrl);
    const other = await startService({}, { databaseUrl: url });
    far = { proxy, service: other, admin: await other.as('admin') };
    return async () => {
      proxy.end();
      await other.stop();
      await proxy.stop();
    };
  });

  /** Begins an import at the far process. The fault begins when it has locked its table, and writes. */
  async function befallen(begin: () => void): Promise<{ id: number; pid: number }> {
    await gate(false);
    const { id, situacao } = await importBy(far.admin);
    expect(situacao).toBe('em_andamento');
    await backend('active');
    begin();
    await gate(true);
    const pid = await backend('idle in transaction');
    expect((await admin.put(`${KINDS}/1`, { descricao: `Tipo ${id}` })).status).toBe(503);
    return { id, pid };
  }

  const expectFree = (id: number) =>
    eventually(async () =>
      expect((await admin.put(`${KINDS}/1`, { descricao: `Tipo ${id}` })).status).toBe(200),
    );

  it('frees its table when it is marked as lost, although its suspended process keeps the connection', async () => {
    const { id } = await befallen(() => far.proxy.begin({ kind: 'stall' }));
    await notSeenForAMinute(id);
    await endLostOnes();
    expect(await stateOf(admin, id)).toBe('interrompida');
    await expectFree(id);
    far.proxy.end();
    const next = await eventually(() =>
      importBy(far.admin).then(({ id: other }) => (expect(other).toBeTruthy(), other)),
    );
    await eventually(async () => expect(await stateOf(admin, next)).toBe('concluida'));
    expect(await stateOf(admin, id)).toBe('interrompida');
  });

  it('is lost when the server has ended its connection, of which its process hears nothing, and the next one runs', async () => {
    const { id, pid } = await befallen(() => far.proxy.forget());
    // As the server does after its time limit.
    await sql('select pg_terminate_backend($1)', [pid]);
    await expectFree(id);
    await notSeenForAMinute(id);
    const next = await eventually(() =>
      importBy(far.admin).then(({ id: other }) => (expect(other).toBeTruthy(), other)),
    );
    await eventually(async () => {
      await endLostOnes();
      expect(await stateOf(admin, id)).toBe('interrompida');
    });
    await eventually(async () => expect(await stateOf(admin, next)).toBe('concluida'));
  });

  it('that is alive is not lost, and its connection stays', async () => {
    await gate(false);
    const { id } = await importBy(admin);
    await backend('active');
    await endLostOnes();
    expect(await stateOf(admin, id)).toBe('em_andamento');
    await gate(true);
    await eventually(async () => expect(await stateOf(admin, id)).toBe('concluida'));
  });

  it.each([
    ['of a client', '2min', async () => void (await importBy(admin))],
    ['of the shell', '2min', async () => void (await run(0, 'tipos-empresa', await file(csv())))],
  ])('%s may be silent for two minutes, and the server looks after its machine', async (_, idle, work) => {
    await sql('delete from ajustes');
    await work();
    expect(await sql('select distinct ocioso, sondas from ajustes')).toEqual([[idle, '10 5 3']]);
  });
});

it('a write may be silent as long as a statement may take, and a migration for two minutes', async () => {
  await sql('delete from ajustes');
  const admin = await service().as('admin');
  await admin.post(KINDS, { descricao: 'Escrito', obriga_cnpj: 'N', criado_por: 1, alterado_por: 1 });
  expect(await sql('select ocioso, sondas from ajustes')).toEqual([['15s', '10 5 3']]);
  const { config } = service().services;
  const own = await openOrm({ ...databaseSettings(config, service().databaseUrl), statementTimeoutMs: 0 });
  try {
    const [row] = await own.em
      .fork()
      .execute(`select current_setting('idle_in_transaction_session_timeout') as idle`);
    expect(row).toEqual({ idle: '2min' });
  } finally {
    await own.close();
  }
});
