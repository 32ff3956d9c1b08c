import pg from 'pg';
import { beforeAll, beforeEach, afterEach, expect, it } from 'vitest';
import { takeSessionLock } from '../src/database/locks.ts';
import { migrate } from '../src/database/migrate.ts';
import { databaseSettings } from '../src/services.ts';
import { lockWaits } from './support/lock-waits.ts';
import { build, eventually, useProcesses } from './support/process.ts';
import { useService } from './support/service.ts';

const service = useService();
const processes = useProcesses();
/** Changes triggers of the audit trail, which every write needs. */
const PENDING = 'Migration20261122000065';
let reader: pg.Client;

beforeAll(build);
beforeEach(async () => {
  await service().services.orm.migrator.down({ migrations: [PENDING] });
  reader = new pg.Client({ connectionString: service().databaseUrl, application_name: 'monthly-report' });
  await reader.connect();
  await reader.query('begin; select from auditoria limit 1');
});
afterEach(() => reader.end());

const environment = async () => ({
  DATABASE_URL: service().databaseUrl,
  DATA_DIR: await processes.dataFolder(),
});

const isMigrated = async (): Promise<boolean> =>
  (await service().services.orm.migrator.getPending()).length === 0;

const waits = async (): Promise<number> =>
  (await service().sql(lockWaits(`locktype = 'relation' and mode = 'AccessExclusiveLock'`))).length;

it('a migration that waits for a table lets requests on the table pass', async () => {
  const admin = await service().as('admin');
  const run = processes.command('migrate', await environment());
  const statuses: number[] = [];
  let attempts = 0;
  // The second wait shows that the migration tried again.
  for (let round = 0; round < 2; round++) {
    await eventually(async () => expect(await waits()).toBe(1));
    attempts += 1;
    const answers = await Promise.all([
      ...[1, 2, 3].map(id =>
        admin.put(`/almoxarifadoquimicos/tipos-empresas/${id}`, { descricao: `Tipo ${round}.${id}` }),
      ),
      admin.post('/graphql', { query: '{ trilhaAuditoria(itemsPerPage: 1) { data { id } } }' }),
    ]);
    statuses.push(...answers.map(({ status }) => status));
    await eventually(async () => expect(await waits()).toBe(0));
  }
  expect([attempts, ...new Set(statuses)]).toEqual([2, 200]);
  await run.logged(`process ${(reader as pg.Client & { processID: number }).processID} (monthly-report`);
  expect(await isMigrated()).toBe(false);
  await reader.query('commit');
  expect((await run.exited).code).toBe(0);
  expect(await isMigrated()).toBe(true);
});

it('a migration whose tables are in use for too long says by whom', async () => {
  const { services, databaseUrl } = service();
  const settings = databaseSettings(services.config, databaseUrl);
  const { processID } = reader as pg.Client & { processID: number };
  await expect(migrate(services, settings, async () => [], { patienceMs: 1 })).rejects.toThrow(
    new RegExp(`in use for too long, by process ${processID} \\(monthly-report of user sii, since \\d`),
  );
  expect(await isMigrated()).toBe(false);
});

it('a migration that changes functions of the audit trail waits for writes, because they may be about to call them', async () => {
  const change = 'Migration20261126000107';
  const { orm } = service().services;
  await reader.query('commit');
  await orm.migrator.up();
  await orm.migrator.down({ migrations: [change] });
  await reader.query(`begin; update unidade_medida set descricao = descricao || '.' where id = 1`);
  const run = processes.command('migrate', await environment());
  await run.logged(`process ${(reader as pg.Client & { processID: number }).processID} (monthly-report`);
  expect(await isMigrated()).toBe(false);
  await reader.query('commit');
  expect((await run.exited).code).toBe(0);
  expect(await isMigrated()).toBe(true);
});

it('a command that waits for its turn to migrate says who has it, and goes on when that one ends', async () => {
  await reader.query('commit');
  await takeSessionLock(reader, 'migrations');
  const run = processes.command('migrate', await environment());
  await run.logged(`process ${(reader as pg.Client & { processID: number }).processID} (monthly-report`);
  expect(run.stderr).toContain('waiting for the turn to migrate');
  await reader.end();
  expect((await run.exited).code).toBe(0);
  expect(await isMigrated()).toBe(true);
});

it('a service that waits for a table to migrate ends on SIGTERM', async () => {
  const run = processes.service(await environment());
  await run.logged('waiting for locked tables');
  expect(await run.stop()).toEqual({ code: 0, signal: null });
});
