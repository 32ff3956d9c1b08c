import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { hasPostgres, InstalledPostgres } from './support/installed-postgres.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { expectProblem } from './support/problem.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { sql } from './support/sql.ts';
import { nextChanges, nextPage, transports } from './support/subscriptions.ts';

const icons = '/almoxarifadoquimicos/icones-risco';

const hostOf = ({ port }: InstalledPostgres): string => `127.0.0.1:${port}`;

describe.runIf(hasPostgres())('a standby that is promoted while the old primary still accepts writes', () => {
  const processes = useProcesses(afterAll);
  let old: InstalledPostgres;
  let promoted: InstalledPostgres;
  /** Is promoted as well. */
  let twin: InstalledPostgres;
  /** A standby of the promoted one, which the service reads from. */
  let follower: InstalledPostgres;
  let run: Run;
  let admin: Client;

  beforeAll(async () => {
    await build();
    const folder = () => processes.dataFolder();
    old = await InstalledPostgres.start(await folder());
    await old.create('sii');
    await processes.command('seed-demo', { DATABASE_URL: old.url('sii'), DATA_DIR: await folder() }).exited;
    const standbys = [await old.standby(await folder()), await old.standby(await folder())];
    [twin, promoted] = standbys.toSorted((a, b) => (hostOf(a) < hostOf(b) ? -1 : 1)) as [
      InstalledPostgres,
      InstalledPostgres,
    ];
    follower = await promoted.standby(await folder());
    run = serve([old, twin, promoted]);
    admin = await (await run.client()).login('admin');
  });
  afterAll(() => Promise.all([old, promoted, follower].map(server => server.stop())));

  const urlOf = (hosts: readonly InstalledPostgres[]): string =>
    `postgresql://postgres@${hosts.map(hostOf).join()}/sii?target_session_attrs=read-write`;
  const serve = (hosts: readonly InstalledPostgres[]): Run =>
    processes.service({
      DATABASE_URL: urlOf(hosts),
      DATABASE_READ_URLS: follower.url('sii'),
      METRICS_PORT: '0',
    });

  const make = async (nome: string): Promise<number> => {
    const { status, body } = await admin.post(icons, { nome });
    expect(status).toBe(201);
    return body.id;
  };
  const isOn = async (server: InstalledPostgres, nome: string): Promise<void> =>
    expect(await sql(server.url('sii'), `select nome from icone_risco where nome = '${nome}'`)).toEqual([
      [nome],
    ]);
  const readsOnStandby = async (): Promise<number> =>
    valueOf((await scrape(run)).samples, 'sii_reads_total', { server: 'standby' })!;

  /** Begins imports by the command and by a client. Their inserts on the old primary wait until `goOn`. */
  async function importing() {
    const onOld = (text: string) => sql(old.url('sii'), text);
    await onOld(`create table portao as select false as aberto;
      create function espera() returns trigger language plpgsql as $$ begin
        while not (select aberto from portao) loop perform pg_sleep(0.02); end loop;
        return null;
      end $$;
      create trigger espera after insert on curso execute function espera();
      create trigger espera after insert on lotacao execute function espera()`);
    const file = join(await processes.dataFolder(), 'cursos.csv');
    await writeFile(file, 'codigo;nome;modalidade\nNOVO;Curso novo;Presencial\n');
    const command = processes.command('import', { DATABASE_URL: urlOf([old, twin, promoted]) }, [
      'cursos',
      file,
    ]);
    const { status, body } = await admin.post('/institucional/importacoes', {
      registros: 'lotacoes',
      nome_arquivo: 'lotacoes.csv',
      conteudo: Buffer.from('sigla;nome\nNOVA;Unidade nova\n').toString('base64'),
    });
    expect(status).toBe(201);
    const waiting = `select count(*)::int from pg_stat_activity where query like 'insert into%' and wait_event = 'PgSleep'`;
    await eventually(async () => expect(await onOld(waiting)).toEqual([[2]]));
    return { id: body.id as number, command, goOn: () => onOld('update portao set aberto = true') };
  }

  it('is the primary of processes that run, too, for writes, subscriptions and reads on standbys', async () => {
    const subscription = transports['WebSocket']!(admin, { tabelas: ['icone_risco'] });
    await nextPage(subscription);
    const changed = async () => (await nextChanges(subscription, 1)).map(({ registro }) => registro.id);
    const antes = await make('Antes');
    expect(await changed()).toEqual([antes]);
    await isOn(old, 'Antes');
    await eventually(() => Promise.all([isOn(promoted, 'Antes'), isOn(twin, 'Antes')]));
    const imports = await importing();
    await Promise.all([twin.promote(), promoted.promote()]);
    await imports.goOn();
    expect((await imports.command.exited).code).toBe(1);
    expect(imports.command.stderr).toBe(
      'Another server of DATABASE_URL has become the primary meanwhile. Nothing was changed; begin again.\n',
    );
    await run.logged(`"rivals":["${hostOf(twin)}","${hostOf(old)}"]`);
    expect(valueOf((await scrape(run)).samples, 'sii_database_rivals')).toBe(2);
    await eventually(async () =>
      expect((await admin.get(`/institucional/importacoes/${imports.id}`)).body).toMatchObject({
        situacao: 'interrompida',
        detalhe: 'A importação falhou por um erro do serviço. Nada foi importado.',
      }),
    );
    const depois = await make('Depois');
    await isOn(promoted, 'Depois');
    expect(await changed()).toEqual([depois]);
    // The old one goes ahead of the follower. What it writes does not count any more.
    await sql(old.url('sii'), `create table beside as select generate_series(1, 100000)`);
    const before = await readsOnStandby();
    await eventually(async () => {
      expect((await admin.get(icons)).status).toBe(200);
      expect(await readsOnStandby()).toBeGreaterThan(before);
    });
  });

  it('is the primary of all processes, when another one was promoted as well', async () => {
    const other = await (await serve([promoted, old, twin]).client()).login('admin');
    let tries = 0;
    // On a busy machine the right server may answer too late at first.
    await eventually(async () => {
      const nome = `De outro ${++tries}`;
      expect((await other.post(icons, { nome })).status).toBe(201);
      await isOn(promoted, nome);
    });
  });

  it('remains the primary when it is lost and the old one is there', async () => {
    await Promise.all([twin.stop(), promoted.stop()]);
    await eventually(async () =>
      expectProblem(await admin.post(icons, { nome: 'Perdido' }), 503, 'UNAVAILABLE'),
    );
    await expect(isOn(old, 'Perdido')).rejects.toThrow();
    await promoted.begin();
    await eventually(() => make('De volta'));
    await isOn(promoted, 'De volta');
  });
});
