import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client } from './support/client.ts';
import { checkHistory } from './support/history.ts';
import { hasPostgres, InstalledPostgres } from './support/installed-postgres.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { startService } from './support/service.ts';
import { sql } from './support/sql.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const materials = '/almoxarifadoquimicos/materiais';
const icons = '/almoxarifadoquimicos/icones-risco';

describe.runIf(hasPostgres())('over a primary and two standbys', () => {
  const processes = useProcesses(afterAll);
  let primary: InstalledPostgres;
  let quick: InstalledPostgres;
  let late: InstalledPostgres;
  let runs: Run[];
  let urls: string[];
  let admins: Client[];
  const servers = new Set<InstalledPostgres>();

  const started = async (starting: Promise<InstalledPostgres>): Promise<InstalledPostgres> => {
    const server = await starting;
    servers.add(server);
    return server;
  };

  beforeAll(async () => {
    await build();
    primary = await started(InstalledPostgres.start(await processes.dataFolder()));
    await primary.create('sii');
    const url = primary.url('sii');
    await processes.command('seed-demo', { DATABASE_URL: url, DATA_DIR: await processes.dataFolder() })
      .exited;
    quick = await started(primary.standby(await processes.dataFolder()));
    late = await started(
      primary.standby(await processes.dataFolder(), ["recovery_min_apply_delay = '300ms'"]),
    );
    runs = [1, 2].map(() =>
      processes.service({
        DATABASE_URL: `postgresql://postgres@127.0.0.1:${quick.port},127.0.0.1:${primary.port}/sii?target_session_attrs=read-write`,
        DATABASE_READ_URLS: [quick, late].map(standby => standby.url('sii')).join(','),
        METRICS_PORT: '0',
      }),
    );
    urls = await Promise.all(runs.map(run => run.ready()));
    const anyone = new Client(urls[0]!);
    admins = await Promise.all(Array.from({ length: 6 }, () => anyone.login('admin')));
    await eventually(async () => {
      const known = await Promise.all(runs.map(lags));
      if (known.flat().length < 4) throw new Error('not all standbys are read from');
    });
  });
  afterAll(async () => {
    await Promise.all([...servers].map(server => server.stop()));
  });

  const lags = async (run: Run) =>
    (await scrape(run)).samples.filter(({ name, value }) => name === 'sii_standby_lag_seconds' && value < 1);

  const readsOn = async (server: 'primary' | 'standby'): Promise<number[]> =>
    Promise.all(runs.map(async run => valueOf((await scrape(run)).samples, 'sii_reads_total', { server })!));

  /** The same session at both processes. */
  const everywhere = ({ headers }: Client): Client[] => urls.map(url => new Client(url, headers));

  it('nobody misses what they wrote or saw before, and most is read on the standbys', async () => {
    const before = await readsOn('standby');
    expect(await checkHistory(urls, admins, 60)).toEqual([]);
    const after = await readsOn('standby');
    for (const [i, reads] of after.entries()) expect(reads - before[i]!).toBeGreaterThan(50);
    for (const reads of await readsOn('primary')) expect(reads).toBeGreaterThan(0);
  });

  it('a right that was taken away is gone at the next request', async () => {
    const clerk = await new Client(urls[0]!).login('tecnico');
    const set = (situacao: string) =>
      sql(
        primary.url('sii'),
        `update permissao set situacao = '${situacao}' where id_pessoa = (select id from pessoa where usuario = 'tecnico')`,
      );
    for (let turn = 0; turn < 5; turn++)
      for (const [situacao, status] of [
        ['I', 403],
        ['A', 200],
      ] as const) {
        await set(situacao);
        for (const client of everywhere(clerk)) expect((await client.get(`${icons}/1`)).status).toBe(status);
      }
    expect((await everywhere(clerk)[1]!.graphql('mutation { sair }')).data).toEqual({ sair: true });
    for (const client of everywhere(clerk)) expect((await client.get(`${icons}/1`)).status).toBe(401);
  });

  it('an export has what its reader wrote', async () => {
    for (const admin of admins) {
      const [first, second] = everywhere(admin) as [Client, Client];
      const titulo = `Exportado ${performance.now()}`;
      const material = {
        titulo,
        descricao: 'D',
        id_unidade_medida: 1,
        estado_fisico: 'L',
        criado_por: 1,
        alterado_por: 1,
      };
      expect((await first.post(materials, material)).status).toBe(201);
      const { status, body } = await second.get(`${materials}?export=true`);
      expect(status).toBe(200);
      expect(String(body).includes(titulo)).toBe(true);
    }
  });

  it('reads go on when the connections to a standby are lost', async () => {
    const clients = admins.flatMap(everywhere);
    let isOver = false;
    const reading = Promise.all(
      clients.map(async client => {
        while (!isOver)
          expect((await client.get(`${icons}?itemsPerPage=50&pagination=true`)).status).toBe(200);
      }),
    );
    for (let turn = 0; turn < 5; turn++)
      await sql(
        quick.url('sii'),
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sii'`,
      );
    isOver = true;
    await reading;
  });

  it('a name that leads to another primary is followed by the first write', async () => {
    let target = primary.port;
    const name = createServer(client => {
      const server = connect(target, '127.0.0.1');
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const)
        one
          .pipe(other)
          .on('error', () => one.destroy())
          .on('close', () => one.destroy());
      client.on('error', () => server.destroy());
    }).listen(0, '127.0.0.1');
    await once(name, 'listening');
    const databaseUrl = `postgresql://postgres@127.0.0.1:${(name.address() as AddressInfo).port}/sii`;
    const service = await startService({}, { databaseUrl });
    try {
      const admin = await service.as('admin');
      await late.promote();
      await sql(primary.url('sii'), 'alter system set default_transaction_read_only = on');
      await sql(primary.url('sii'), 'select pg_reload_conf()');
      target = late.port;
      const { status, body } = await eventually(async () => {
        const answer = await admin.post(icons, { nome: 'No novo primário' });
        expect(answer.status).toBe(201);
        return answer;
      });
      expect(status).toBe(201);
      expect(await sql(late.url('sii'), `select nome from icone_risco where id = ${body.id}`)).toEqual([
        ['No novo primário'],
      ]);
    } finally {
      await service.stop();
      name.close();
      await sql(primary.url('sii'), 'alter system reset default_transaction_read_only');
      await sql(primary.url('sii'), 'select pg_reload_conf()');
    }
  });

  it('the primary is found among several hosts, and the next one after it is lost', async () => {
    const [admin] = everywhere(admins[0]!) as [Client];
    const { body } = await admin.post(icons, { nome: 'Antes' });
    await eventually(async () =>
      expect(await sql(quick.url('sii'), `select 1 from icone_risco where id = ${body.id}`)).toHaveLength(1),
    );
    await primary.stop();
    servers.delete(primary);
    await quick.promote();
    for (const client of everywhere(admin)) {
      await eventually(async () =>
        expect((await client.put(`${icons}/${body.id}`, { nome: 'Depois' })).status).toBe(200),
      );
      expect((await client.get(`${icons}/${body.id}`)).body.nome).toBe('Depois');
      expect((await client.get('/readyz')).body.database).toBe('ok');
    }
  });
});
