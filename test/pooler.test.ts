import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from './support/clone.ts';
import { hasPgBouncer, IGNORED, startPgBouncer } from './support/pgbouncer.ts';
import { build, useProcesses } from './support/process.ts';
import { sql } from './support/sql.ts';

describe.runIf(hasPgBouncer())('through PgBouncer', () => {
  const { service, command, dataFolder } = useProcesses();
  const cleanUp: (() => unknown)[] = [];
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let name: string;

  beforeAll(async () => {
    await build();
    database = await cloneDatabase();
    name = new URL(database.url).pathname.slice(1);
  });
  afterAll(async () => {
    for (const one of cleanUp.toReversed()) await one();
    await database.drop();
  });

  /** The database's address behind a PgBouncer of its own. */
  async function behind(settings: Record<string, string>): Promise<string> {
    const { url, stop } = await startPgBouncer(database.url, await dataFolder(), settings);
    cleanUp.push(stop);
    return url;
  }

  const refusal = async (DATABASE_URL: string): Promise<string> => {
    const run = service({ DATABASE_URL });
    expect((await run.exited).code).toBe(1);
    expect(run.stderr).toMatch(/points to a connection pooler/);
    expect(run.stderr).toContain('Connect to PostgreSQL directly');
    return run.stderr;
  };

  it.each(['transaction', 'session'])(
    'in %s mode the service does not start if settings are refused',
    async pool_mode => {
      expect(await refusal(await behind({ pool_mode }))).toContain('does not accept connection settings');
    },
  );

  it.each(['transaction', 'session'])(
    'in %s mode it does not start if settings are dropped',
    async pool_mode => {
      const url = await behind({ pool_mode, ignore_startup_parameters: IGNORED });
      expect(await refusal(url)).toContain('does not pass on connection settings');
      const migrate = command('migrate', { DATABASE_URL: url });
      expect((await migrate.exited).code).toBe(1);
      expect(migrate.stderr).toContain('does not pass on connection settings');
    },
  );

  describe('to a database that already has the settings of the service', () => {
    beforeAll(async () => {
      await sql(database.url, `alter database ${name} set statement_timeout = 5000`);
      await sql(database.url, `alter database ${name} set timezone = 'America/Sao_Paulo'`);
    });

    it('does not let it start in transaction mode, where connections are shared', async () => {
      const url = await behind({ pool_mode: 'transaction', ignore_startup_parameters: IGNORED });
      expect(await refusal(url)).toContain('uses another server connection for each transaction');
    });

    it('lets it start in session mode', async () => {
      const url = await behind({ pool_mode: 'session', ignore_startup_parameters: IGNORED });
      const run = service({ DATABASE_URL: url });
      const admin = await (await run.client()).login('admin');
      expect((await admin.get('/almoxarifadoquimicos/materiais/1')).status).toBe(200);
    });
  });
});
