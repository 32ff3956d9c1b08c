import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { ignored, inBackground } from '../runtime/background.ts';
import { OperatorError } from '../errors.ts';
import { analyseUnknown } from './analyse.ts';
import { connectTo } from './check.ts';
import { takeSessionLock } from './locks.ts';
import { openOrm, type DatabaseSettings } from './orm.ts';
import { writeService } from './reference/service.ts';

/**
 * Runs pending migrations, repairs what a restore leaves out, and adds the service and its controllers to its own
 * permission tables. Processes that start at the same time take turns, so that each migration runs once. `signal` ends
 * the wait for the turn; a running migration is completed.
 * @throws OperatorError when the database user or server lacks what the schema needs
 */
export async function migrate(
  orm: MikroORM,
  settings: DatabaseSettings,
  controllers: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const client = await connectTo(settings.url, { application_name: 'sii-migrate' });
  try {
    await takeTurn(client, signal);
    await runPending(orm, settings).catch(refuse);
    await writeService(orm, controllers);
    await client.query('select auditoria_restaurada()');
    await analyseUnknown(async statement => (await client.query<{ name: string }>(statement)).rows);
  } finally {
    await client.end();
  }
}

/** Uses its own connections, because rewriting a large table may take longer than the limit for requests. */
async function runPending(orm: MikroORM, settings: DatabaseSettings): Promise<void> {
  if ((await orm.migrator.getPending()).length === 0) return;
  const patient = await openOrm({ ...settings, pool: 2, statementTimeoutMs: 0 });
  try {
    await patient.migrator.up();
    await patient.em.fork().execute('select auditar_tabelas(), versionar_tabelas()');
  } finally {
    await patient.close();
  }
}

async function takeTurn(client: Client, signal: AbortSignal | undefined): Promise<void> {
  const giveUp = (): void => inBackground(client.end(), ignored);
  signal?.addEventListener('abort', giveUp);
  try {
    await takeSessionLock(client, 'migrations');
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

/** SQLSTATEs for missing rights (42501) and for missing extensions or ICU (0A000, 58P01). */
const LACKING = new Set<unknown>(['42501', '0A000', '58P01']);

function refuse(error: Error & { code?: unknown }): never {
  if (!LACKING.has(error.code)) throw error;
  throw new OperatorError(
    `The tables cannot be created: ${error.message}\nThe database user must own the database, or the owner must run npm run migrate first. The server also needs ICU and the extensions unaccent and pg_trgm (package postgresql-contrib).`,
    { cause: error },
  );
}
