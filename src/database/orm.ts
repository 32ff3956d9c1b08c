import { MetadataStorage, type EntityClass } from '@mikro-orm/core';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM, type Options } from '@mikro-orm/postgresql';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { exportsBelow } from '../runtime/modules.ts';
import { giveRoom, useFewer } from './few-connections.ts';
import { WITHOUT_ENTITIES } from './own-tables.ts';
import { holdWrites } from './held-writes.ts';
import { followPrimary } from './primary.ts';
import { proveIdle } from './proven.ts';
import { boundQueue } from './queue.ts';
import type { Servers } from './servers.ts';
import { sessionSettings } from './session-settings.ts';
import type { NoteStatement } from './slow-statements.ts';
import { TransactionClient } from './transaction-client.ts';
import { ATTEMPT_MS } from './table-locks.ts';
import { countWaits } from './waits.ts';

const isEntity = (value: unknown): value is EntityClass<object> =>
  typeof value === 'function' && MetadataStorage.isKnownEntity(value.name);

export interface DatabaseSettings {
  servers: Servers;
  /** Maximum number of connections. */
  pool: number;
  /** 0 for migrations, whose statements have no time limit. */
  statementTimeoutMs: number;
  /** Time zone of calendar days. */
  timeZone: string;
  /** Notes each statement. */
  note?: NoteStatement | undefined;
  /** Settings of the institution that SQL reads with `current_setting`, by name below `sii.`. */
  institution?: Readonly<Record<string, string>>;
}

/** Name of the connections that serve requests. What runs there has a time limit. */
export const SERVICE_NAME = 'sii';

/** Name of the connections that run migrations. */
export const MIGRATION = 'sii-migration';

/**
 * Longest wait for a row lock. It is shorter than the wait for a connection, so that waiting requests still get one.
 */
const LOCK_TIMEOUT_MS = 2_000;
/** Longest wait for a connection, from the pool or from the server. */
export const CONNECT_TIMEOUT_MS = 3_000;
/**
 * Extra time for the answer, in addition to the server's own limit. A server that is still silent then counts as lost.
 */
export const SILENCE_MS = 1_000;
/**
 * Longest time between two statements of a transaction. A process that is suspended, or whose connection is silent, keeps its
 * locks for so long. The longest work between two statements of an import is to read the largest workbook with nearly
 * empty rows, which takes half a minute.
 */
export const MOST_IDLE_MS = 120_000;
/** Requests that may wait for each connection of the pool. Further ones would only run into the time-out. */
const WAITING_PER_CONNECTION = 100;

/** Longest wait for the answer to a statement. After it the connection is closed. */
export const answerTimeoutMs = (statementTimeoutMs: number): number => statementTimeoutMs + SILENCE_MS;

/**
 * Idle connections are closed after this time. New ones have no plans yet, so the first requests of each kind take
 * longer there.
 */
const IDLE_MS = 300_000;
/** Connections are replaced after about this age, so that none stays with an old server after a failover. */
const LIFETIME_SECONDS = 3_600;

/** TCP keep-alive makes firewalls remember idle connections, and detects lost ones. */
export const keepAliveSettings = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Settings of every connection of the service, in all pools. */
export const connectionSettings = (settings: DatabaseSettings) => ({
  servers: () => settings.servers,
  Client: TransactionClient,
  statement_timeout: settings.statementTimeoutMs,
  lock_timeout: settings.statementTimeoutMs > 0 ? LOCK_TIMEOUT_MS : ATTEMPT_MS,
  idle_in_transaction_session_timeout: Math.min(settings.statementTimeoutMs || MOST_IDLE_MS, MOST_IDLE_MS),
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  ...keepAliveSettings,
  note: settings.note,
  idleTimeoutMillis: IDLE_MS,
  maxLifetimeSeconds: LIFETIME_SECONDS,
  application_name: settings.statementTimeoutMs > 0 ? SERVICE_NAME : MIGRATION,
  options: sessionSettings({
    TimeZone: settings.timeZone,
    ...Object.fromEntries(
      Object.entries(settings.institution ?? {}).map(([name, value]) => [`sii.${name}`, value]),
    ),
  }),
});

/** Applies the settings that all pools for requests share. */
export function bound(pool: Pool, settings: DatabaseSettings): void {
  giveRoom(settings.servers, useFewer(pool, settings.servers));
  followPrimary(pool, settings.servers);
  proveIdle(pool);
  holdWrites(pool, settings.servers);
  boundQueue(pool, settings.pool * WAITING_PER_CONNECTION);
  countWaits(pool);
}

const migrations = fileURLToPath(new URL('./migrations', import.meta.url));

/** The ORM's configuration, also for its command line. */
export async function ormOptions(settings: DatabaseSettings): Promise<Options> {
  const found = [
    exportsBelow(new URL('../entities/', import.meta.url)),
    exportsBelow(new URL('../reports/relatorios/', import.meta.url)),
    exportsBelow(new URL('../reports/catalogue/', import.meta.url)),
  ];
  const entities = (await Promise.all(found)).flat().filter(isEntity);
  return defineConfig({
    clientUrl: settings.servers.urls[0]!,
    entities,
    metadataProvider: ReflectMetadataProvider,
    extensions: [Migrator],
    pool: { min: 0, max: settings.pool },
    driverOptions: {
      ...connectionSettings(settings),
      // Migrations have no limit on the server, so they get none here.
      ...(settings.statementTimeoutMs > 0 && { query_timeout: answerTimeoutMs(settings.statementTimeoutMs) }),
      // Statements of a connection that do not need each other's results are sent together.
      pipeline: true,
      onPoolCreated: (pool: Pool) => bound(pool, settings),
    },
    migrations: {
      path: migrations,
      pathTs: migrations,
      glob: '!(*.d).{js,ts}',
      snapshot: false,
      silent: true,
    },
    schemaGenerator: {
      skipTables: [...WITHOUT_ENTITIES, /^auditoria/],
      ignoreRoutines: true,
      ignoreTriggers: true,
    },
  });
}

export const openOrm = async (settings: DatabaseSettings): Promise<MikroORM> =>
  MikroORM.init(await ormOptions(settings));
