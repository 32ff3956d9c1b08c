import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { hasPostgres, InstalledPostgres } from './support/installed-postgres.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { expectProblem } from './support/problem.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';
import { sql } from './support/sql.ts';
import { nextChanges, nextPage, transports } from './support/subscriptions.ts';

const icons = '/almoxarifadoquimicos/icones-risco';

describe.runIf(hasPostgres())('a standby that is promoted while the old primary still accepts writes', () => {
  const processes = useProcesses(afterAll);
  let old: InstalledPostgres;
  let promoted: InstalledPostgres;
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
    promoted = await old.standby(await folder());
    follower = await promoted.standby(await folder());
    const hosts = [old, promoted].map(({ port }) => `127.0.0.1:${port}`);
    run = processes.service({
      DATABASE_URL: `postgresql://postgres@${hosts.join()}/sii?target_session_attrs=read-write`,
      DATABASE_READ_URLS: follower.url('sii'),
      METRICS_PORT: '0',
    });
    admin = await (await run.client()).login('admin');
  });
  afterAll(() => Promise.all([old, promoted, follower].map(server => server.stop())));

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

  it('is the primary of processes that run, too, for writes, subscriptions and reads on standbys', async () => {
    const subscription = transports['WebSocket']!(admin, { tabelas: ['icone_risco'] });
    await nextPage(subscription);
    const changed = async () => (await nextChanges(subscription, 1)).map(({ registro }) => registro.id);
    const antes = await make('Antes');
    expect(await changed()).toEqual([antes]);
    await isOn(old, 'Antes');
    await eventually(() => isOn(promoted, 'Antes'));
    await promoted.promote();
    await run.logged(`"rivals":["127.0.0.1:${old.port}"]`);
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

  it('remains the primary when it is lost and the old one is there', async () => {
    await promoted.stop();
    await eventually(async () =>
      expectProblem(await admin.post(icons, { nome: 'Perdido' }), 503, 'UNAVAILABLE'),
    );
    await expect(isOn(old, 'Perdido')).rejects.toThrow();
    await promoted.begin();
    await eventually(() => make('De volta'));
    await isOn(promoted, 'De volta');
  });
});
