import { Pool, type CustomTypesConfig, type PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { checkDirect } from './check.ts';
import { useFewer } from './few-connections.ts';
import { answerTimeoutMs, bound, connectionSettings, type DatabaseSettings } from './orm.ts';
import { exportPool, surviving } from './pools.ts';
import { followPrimary } from './primary.ts';
import { inLane, ReadLane } from './read-lane.ts';
import { pipeliningReader } from './reader.ts';
import { Servers } from './servers.ts';
import { sharingTrips } from './shared-trips.ts';
import { Standby, type Connections } from './standby.ts';
import { Standbys } from './standbys.ts';

/** Longest wait for the position of a server, in milliseconds. */
const LOOK_TIMEOUT_MS = 1_000;

interface Options {
  urls: readonly string[];
  maxLagMs: number;
  exports: number;
  /** Type parsers of the primary's pool, so that rows have the same types. */
  types: CustomTypesConfig | undefined;
}

/** Opens the configured standbys. They need not be reachable yet. */
export function openStandbys(settings: DatabaseSettings, options: Options, log: Logger): Standbys {
  const all = options.urls.map(url => openStandby({ ...settings, servers: new Servers(url) }, options, log));
  return new Standbys(all, observerOf(settings, log), log);
}

function openStandby(
  settings: DatabaseSettings,
  { maxLagMs, exports, types }: Options,
  log: Logger,
): Standby {
  const reads = quietly(
    new Pool({
      ...connectionSettings(settings),
      query_timeout: answerTimeoutMs(settings.statementTimeoutMs),
      max: settings.pool,
      types,
    }),
    log,
  );
  bound(reads, settings);
  const lane = new ReadLane(settings.pool);
  const connections = {
    lane,
    reads: { pool: reads, reader: sharingTrips(inLane(lane, pipeliningReader(reads))) },
    exports: exportPool(settings, exports, log),
    observer: observerOf(settings, log),
    checkDirect: () => checkDirect(settings),
  };
  return new Standby(new URL(settings.servers.urls[0]!).host, connections, maxLagMs);
}

/** A separate connection, so that position checks never wait behind requests. */
function observerOf(settings: DatabaseSettings, log: Logger): Connections {
  const config: PoolConfig = {
    ...connectionSettings(settings),
    query_timeout: LOOK_TIMEOUT_MS,
    connectionTimeoutMillis: LOOK_TIMEOUT_MS,
    max: 1,
  };
  const pool = quietly(new Pool(config), log);
  useFewer(pool, settings.servers);
  followPrimary(pool, settings.servers);
  return { pool, reader: pipeliningReader(pool) };
}

const quietly = (pool: Pool, log: Logger): Pool =>
  surviving(pool, error => log.debug({ err: error }, 'connection lost'));
