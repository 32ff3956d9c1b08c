import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, InstalledPostgres } from './support/installed-postgres.ts';
import { hasPgBouncer, IGNORED, startPgBouncer } from './support/pgbouncer.ts';
import { build, useProcesses } from './support/process.ts';

describe.runIf(hasPgBouncer() && hasPostgres())('a standby behind PgBouncer', () => {
  const { service, command, dataFolder } = useProcesses();
  const cleanUp: (() => unknown)[] = [];
  let primary: InstalledPostgres;
  let standby: InstalledPostgres;

  beforeAll(async () => {
    await build();
    primary = await InstalledPostgres.start(await dataFolder());
    await primary.create('sii');
    await command('seed-demo', { DATABASE_URL: primary.url('sii'), DATA_DIR: await dataFolder() }).exited;
    standby = await primary.standby(await dataFolder());
  });
  afterAll(async () => {
    for (const one of cleanUp.toReversed()) await one();
    await Promise.all([primary, standby].map(server => server.stop()));
  });

  async function behind(settings: Record<string, string>): Promise<string> {
    const { url, stop } = await startPgBouncer(standby.url('sii'), await dataFolder(), settings);
    cleanUp.push(stop);
    return url;
  }

  it.each([
    [
      { pool_mode: 'transaction', ignore_startup_parameters: IGNORED },
      'does not pass on connection settings',
    ],
    [{ pool_mode: 'session', ignore_startup_parameters: IGNORED }, 'does not pass on connection settings'],
    [{ pool_mode: 'transaction' }, 'does not accept connection settings'],
  ])('is never read from: %j', async (settings, reason) => {
    const run = service({
      DATABASE_URL: primary.url('sii'),
      DATABASE_READ_URLS: `${await behind(settings)},${standby.url('sii')}`,
    });
    const admin = await (await run.client()).login('admin');
    // The other one is used.
    await run.logged('"reads go to the standby"');
    await run.logged('no reads go to the standby');
    expect(run.stderr).toMatch(/points to a connection pooler, such as PgBouncer/);
    expect(run.stderr).toContain(reason);
    expect(run.stderr).toContain('Connect to PostgreSQL directly');
    expect(run.stderr.split('"reads go to the standby"')).toHaveLength(2);
    expect((await admin.get('/almoxarifadoquimicos/materiais/1')).status).toBe(200);
  });

  it('ends the start when it is a further server of DATABASE_URL', async () => {
    const pooler = new URL(await behind({ pool_mode: 'transaction', ignore_startup_parameters: IGNORED }));
    const DATABASE_URL = `postgresql://postgres@127.0.0.1:${primary.port},${pooler.host}/sii`;
    const run = service({ DATABASE_URL });
    expect((await run.exited).code).toBe(1);
    expect(run.stderr).toContain(`${pooler.host}/sii points to a connection pooler`);
    const migrate = command('migrate', { DATABASE_URL });
    expect((await migrate.exited).code).toBe(1);
    expect(migrate.stderr).toContain('points to a connection pooler');
  });

  it('does not stop a start while a further server is away', async () => {
    const DATABASE_URL = `postgresql://postgres@127.0.0.1:${primary.port},127.0.0.1:1/sii`;
    expect(await service({ DATABASE_URL }).ready()).toMatch(/^http:/);
  });
});
