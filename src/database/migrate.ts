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
 * Brings the database to the schema of this version, puts right what a restore leaves behind, and makes sure that the
 * service and its controllers stand in its own permission tables. Processes that start at the same time take turns, so that each migration runs once.
 * `signal` ends the wait for one's turn; a migration that runs is completed.
 * @throws OperatorError when the database's user or server lacks what the schema needs
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

/** On connections of its own: rewriting a large table takes longer than any request may. */
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

/** SQLSTATEs of a user without rights (42501) and of a server without the extensions or ICU (0A000, 58P01). */
const LACKING = new Set<unknown>(['42501', '0A000', '58P01']);

function refuse(error: Error & { code?: unknown }): never {
  if (!LACKING.has(error.code)) throw error;
  throw new OperatorError(
    `The tables cannot be created: ${error.message}\nThe database's user must own the database, or its owner runs npm run migrate first; and the server needs ICU and the extensions unaccent and pg_trgm (package postgresql-contrib).`,
    { cause: error },
  );
}
