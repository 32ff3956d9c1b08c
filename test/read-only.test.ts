import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemHeaders, type Client } from './support/client.ts';
import { hasPostgres, InstalledPostgres } from './support/installed-postgres.ts';
import { scrape, valueOf } from './support/metrics.ts';
import { expectProblem } from './support/problem.ts';
import { build, eventually, useProcesses, type Run } from './support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const icons = '/almoxarifadoquimicos/icones-risco';

describe.runIf(hasPostgres())('a database that takes no changes', () => {
  const processes = useProcesses(afterAll);
  let primary: InstalledPostgres;
  let db: pg.Client;
  let run: Run;
  let admin: Client;

  beforeAll(async () => {
    await build();
    primary = await InstalledPostgres.start(await processes.dataFolder());
    await primary.create('sii');
    const environment = { DATABASE_URL: primary.url('sii'), DATA_DIR: await processes.dataFolder() };
    await processes.command('seed-demo', environment).exited;
    db = new pg.Client({ connectionString: primary.url('sii') });
    await db.connect();
    run = processes.service({ ...environment, METRICS_PORT: '0' });
    admin = await (await run.client()).login('admin');
  });
  afterAll(async () => {
    await db.end();
    await primary.stop();
  });

  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    await db.query('set default_transaction_read_only = off');
    await db.query(`alter system set default_transaction_read_only = ${value}`);
    await db.query('select pg_reload_conf()');
  };

  const isWritable = async (): Promise<number | undefined> =>
    valueOf((await scrape(run)).samples, 'sii_database_writable');

  const refusalOf = async (DATABASE_URL: string): Promise<string> => {
    const started = processes.service({ DATABASE_URL });
    expect((await started.exited).code).toBe(1);
    return started.stderr;
  };

  it('because it is a standby lets no service start, and is named as the reason', async () => {
    const standby = await primary.standby(await processes.dataFolder());
    try {
      expect(await refusalOf(standby.url('sii'))).toBe(
        'The database is read-only: its server is a standby. Point DATABASE_URL at the primary.\n',
      );
    } finally {
      await standby.stop();
    }
  });

  it('while a service runs on it is read from, and writes get 503', async () => {
    expect(await isWritable()).toBe(1);
    await setReadOnly('on');
    try {
      const ready = await eventually(async () => {
        const answer = await admin.get('/readyz');
        expect(answer.body.database).toBe('read-only');
        return answer;
      });
      expect(ready).toMatchObject({ status: 200, body: { status: 'ready' } });
      expect(await isWritable()).toBe(0);
      await run.logged('the database is read-only');
      expect((await admin.get(`${icons}/1`)).status).toBe(200);
      expect((await admin.graphql('{ iconeRisco(id: 1) { nome } }')).errors).toBeUndefined();
      const login = { username: 'admin', password: 'demo-admin-2026' };
      for (const answer of [
        await admin.post(icons, { nome: 'x' }),
        await admin.delete(`${icons}/1`),
        await admin.with(systemHeaders).post('/auth/login', login),
      ]) {
        expectProblem(answer, 503, 'UNAVAILABLE');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(answer.body.detail).toContain('não aceita alterações');
      }
      const { errors } = await admin.graphql('mutation { criarIconeRisco(input: { nome: "x" }) { id } }');
      expect(errors![0]!.extensions).toMatchObject({ code: 'UNAVAILABLE', retryAfter: expect.any(Number) });
      expect(await refusalOf(primary.url('sii'))).toContain('default_transaction_read_only is on');
    } finally {
      await setReadOnly('off');
    }
    await eventually(async () => expect((await admin.post(icons, { nome: 'Escrito' })).status).toBe(201));
    expect((await admin.get('/readyz')).body.database).toBe('ok');
    await run.logged('the database accepts writes again');
  });
});
