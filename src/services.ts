import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { LoginThrottle } from './access/throttle.ts';
import type { Config } from './config.ts';
import { exportPool, openOrm, type DatabaseSettings } from './database/orm.ts';
import type { Listing } from './listing/read.ts';
import { poolReader } from './listing/reader.ts';

/** What the whole process shares, made once at start. */
export interface Services {
  config: Config;
  log: Logger;
  orm: MikroORM;
  listing: Listing;
  /** Connections for exports alone, which hold one each until they end. */
  exportPool: Pool;
  throttle: LoginThrottle;
  /** Whether the process is draining before its end. */
  lifecycle: { stopping: boolean };
}

/** Opens everything a service process needs on a database that exists. */
export async function openServices(config: Config, databaseUrl: string, log: Logger): Promise<Services> {
  const database = databaseSettings(config, databaseUrl);
  const orm = await openOrm(database);
  const pool: Pool = await orm.em.getConnection().getNativeClient();
  return {
    config,
    log,
    orm,
    listing: {
      metadata: orm.getMetadata(),
      reader: poolReader(pool),
      limits: { itemsPerPage: config.MAX_ITEMS_PER_PAGE, unpaginatedRows: config.MAX_UNPAGINATED_ROWS },
    },
    exportPool: exportPool(database, config.EXPORT_POOL, log),
    throttle: new LoginThrottle(pool),
    lifecycle: { stopping: false },
  };
}

export async function closeServices(services: Services): Promise<void> {
  await services.exportPool.end();
  await services.orm.close();
}

export const databaseSettings = (config: Config, url: string): DatabaseSettings => ({
  url,
  pool: config.DATABASE_POOL,
  statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
  timeZone: config.INSTITUTION_TZ,
});
