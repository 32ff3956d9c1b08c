import { Pool, TypeOverrides, types } from 'pg';
import type { Logger } from 'pino';
import { useFewer } from './few-connections.ts';
import { holdWrites } from './held-writes.ts';
import { connectionSettings, MOST_IDLE_MS, type DatabaseSettings } from './orm.ts';
import { followPrimary } from './primary.ts';
import { proveIdle } from './proven.ts';
import { RowsClient } from './rows-client.ts';
import { countWaits } from './waits.ts';

/** Longest duration of an export. The server's limit includes the time in which the client reads. */
const EXPORT_STATEMENT_TIMEOUT_MS = 600_000;

/**
 * A small separate pool for exports. Each export holds a connection until it ends, and must not take it from requests.
 */
export function exportPool(settings: DatabaseSettings, max: number, log: Logger): Pool {
  const pool = new Pool({
    ...connectionSettings(settings),
    statement_timeout: EXPORT_STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: EXPORT_STATEMENT_TIMEOUT_MS,
    Client: RowsClient,
    max,
    types: plainText,
  });
  useFewer(pool, settings.servers);
  followPrimary(pool, settings.servers);
  proveIdle(pool);
  countWaits(pool);
  return surviving(pool, error => log.warn({ err: error }, 'export connection lost'));
}

/** Longest wait of an import for a lock. */
const IMPORT_LOCK_TIMEOUT_MS = 10_000;

/**
 * The connection of imports, which run one at a time. It waits for an answer as long as the server works, and never
 * makes requests wait.
 */
export function importPool(settings: DatabaseSettings, log: Logger): Pool {
  const pool = new Pool({
    ...connectionSettings(settings),
    statement_timeout: 0,
    lock_timeout: IMPORT_LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: MOST_IDLE_MS,
    max: 1,
    types: plainText,
  });
  useFewer(pool, settings.servers);
  followPrimary(pool, settings.servers);
  proveIdle(pool);
  holdWrites(pool, settings.servers);
  return surviving(pool, error => log.warn({ err: error }, 'import connection lost'));
}

/**
 * Makes a pool survive lost connections, and says which: those that are idle, and those in use, which the pool itself does
 * not watch. The next statement reports the loss.
 */
export function surviving(pool: Pool, lost: (error: Error) => void): Pool {
  pool.on('error', lost);
  pool.on('connect', client => client.on('error', lost));
  return pool;
}

/** Dates and timestamps as PostgreSQL's text, as in the ORM's pool. */
const plainText = new TypeOverrides();
for (const oid of [types.builtins.DATE, types.builtins.TIMESTAMP, types.builtins.TIMESTAMPTZ]) {
  plainText.setTypeParser(oid, value => value);
}
