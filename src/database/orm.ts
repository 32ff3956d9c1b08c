import { MetadataStorage, type EntityClass } from '@mikro-orm/core';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM, type Options } from '@mikro-orm/postgresql';
import { fileURLToPath } from 'node:url';
import { Pool, TypeOverrides, types } from 'pg';
import type { Logger } from 'pino';
import { exportsBelow } from '../runtime/modules.ts';
import { proveIdle } from './proven.ts';
import { boundQueue } from './queue.ts';
import { PreparingClient } from './statements.ts';
import { countWaits } from './waits.ts';

const isEntity = (value: unknown): value is EntityClass<object> =>
  typeof value === 'function' && MetadataStorage.isKnownEntity(value.name);

export interface DatabaseSettings {
  url: string;
  /** Most connections at a time. */
  pool: number;
  statementTimeoutMs: number;
  /** Time zone in which calendar days begin and end. */
  timeZone: string;
}

/** Longest that a statement waits for a row that another transaction has locked: less than others wait for its connection. */
const LOCK_TIMEOUT_MS = 2_000;
/** The same for migrations, for whose connections nobody waits. */
const PATIENT_LOCK_TIMEOUT_MS = 5_000;
/** Longest that a connection may be waited for, from the pool or from the server. */
export const CONNECT_TIMEOUT_MS = 3_000;
/** How much longer a statement's answer is waited for than the server may work on it: then nobody is there to tell. */
const SILENCE_MS = 1_000;
/** Requests that may wait for each of the pool's connections; one more would only wait in vain. */
const WAITING_PER_CONNECTION = 100;

/** Longest wait for the answer to a statement, after which its connection is given up. */
export const answerTimeoutMs = (statementTimeoutMs: number): number => statementTimeoutMs + SILENCE_MS;

/** Idle connections are closed before a firewall forgets them. */
const IDLE_MS = 10_000;
/** A connection is closed some time after this age, so that those to a server that was replaced do not stay for ever. */
const LIFETIME_SECONDS = 3_600;

/** A connection that says nothing is asked by the kernel whether it lives, so that a firewall remembers it, and its loss is noticed. */
export const kept = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** How every connection of the service is set up, whichever pool it belongs to. */
const connectionSettings = (settings: DatabaseSettings) => ({
  statement_timeout: settings.statementTimeoutMs,
  lock_timeout: settings.statementTimeoutMs > 0 ? LOCK_TIMEOUT_MS : PATIENT_LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: settings.statementTimeoutMs,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  ...kept,
  idleTimeoutMillis: IDLE_MS,
  maxLifetimeSeconds: LIFETIME_SECONDS,
  application_name: 'sii',
  options: `-c TimeZone=${settings.timeZone}`,
});

const migrations = fileURLToPath(new URL('./migrations', import.meta.url));

/** The ORM's configuration; also what its command line reads. */
export async function ormOptions(settings: DatabaseSettings): Promise<Options> {
  const folders = ['../entities/', '../reports/relatorios/', '../reports/catalogue/'].map(
    name => new URL(name, import.meta.url),
  );
  const entities = (await Promise.all(folders.map(exportsBelow))).flat().filter(isEntity);
  return defineConfig({
    clientUrl: settings.url,
    entities,
    metadataProvider: ReflectMetadataProvider,
    extensions: [Migrator],
    pool: { min: 0, max: settings.pool },
    driverOptions: {
      ...connectionSettings(settings),
      // Without a bound on the server, as migrations work, there is none here.
      ...(settings.statementTimeoutMs > 0 && { query_timeout: answerTimeoutMs(settings.statementTimeoutMs) }),
      Client: PreparingClient,
      onPoolCreated: (pool: Pool) => {
        proveIdle(pool);
        boundQueue(pool, settings.pool * WAITING_PER_CONNECTION);
        countWaits(pool);
      },
    },
    migrations: {
      path: migrations,
      pathTs: migrations,
      glob: '!(*.d).{js,ts}',
      snapshot: false,
      silent: true,
    },
    // Kept by the throttle (`tentativa_login` by that of the version before), by the audit triggers, for repeated requests and for uploads, not by entities.
    schemaGenerator: {
      skipTables: ['tentativa_login', 'tentativa_senha', 'auditoria', 'idempotencia', 'envio_arquivo'],
      ignoreRoutines: true,
      ignoreTriggers: true,
    },
  });
}

export const openOrm = async (settings: DatabaseSettings): Promise<MikroORM> =>
  MikroORM.init(await ormOptions(settings));

/** Longest that an export may take as a whole: the server's clock runs on while the client reads. */
const EXPORT_STATEMENT_TIMEOUT_MS = 600_000;

/** A small pool of its own for exports: each holds a connection until it ends, and must not keep others from theirs. */
export function exportPool(settings: DatabaseSettings, max: number, log: Logger): Pool {
  const pool = new Pool({
    ...connectionSettings(settings),
    statement_timeout: EXPORT_STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: EXPORT_STATEMENT_TIMEOUT_MS,
    connectionString: settings.url,
    max,
    types: plainText,
  });
  proveIdle(pool);
  countWaits(pool);
  const lost = (error: Error): void => log.warn({ err: error }, 'export connection lost');
  pool.on('error', lost);
  // The pool does not listen to a client in use, whose loss between two batches would then end the process.
  pool.on('connect', client => client.on('error', lost));
  return pool;
}

/** Dates and moments as PostgreSQL's text, which is what the ORM's pool gives too. */
const plainText = new TypeOverrides();
for (const oid of [types.builtins.DATE, types.builtins.TIMESTAMP, types.builtins.TIMESTAMPTZ]) {
  plainText.setTypeParser(oid, value => value);
}
