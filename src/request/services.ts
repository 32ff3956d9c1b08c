import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { CallingSystems } from '../access/calling-system.ts';
import type { InFlight } from '../access/in-flight.ts';
import type { Sessions } from '../access/session.ts';
import type { ReadPlaces } from '../access/read-places.ts';
import type { sharesOf } from '../access/shares.ts';
import type { Throttle } from '../access/throttle.ts';
import type { Config } from '../config.ts';
import type { ReadLane } from '../database/read-lane.ts';
import type { Reader } from '../database/reader.ts';
import type { Servers } from '../database/servers.ts';
import type { Standbys } from '../database/standbys.ts';
import type { Turns } from '../database/turns.ts';
import type { Writability } from '../database/writability.ts';
import type { Listing } from '../listing/listing.ts';
import type { Bulkhead } from '../runtime/bulkhead.ts';
import type { Dependency } from '../runtime/dependency.ts';
import type { Gate } from '../runtime/gates.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Storage } from '../storage/storage.ts';
import type { Refusals } from './refusals.ts';

/**
 * Everything that the whole process shares, created once at start (`services.ts`). A room above this one adds what it
 * provides:
 *
 *     declare module '../request/services.ts' {
 *       interface Services { directory: Directory }
 *     }
 */
export interface Services {
  config: Config;
  log: Logger;
  orm: MikroORM;
  /** Which server is the primary. */
  servers: Servers;
  listing: Listing;
  /** Connections for exports only. Each export holds one until it ends. */
  exportPool: Pool;
  /** Limits the exports that run at a time to the number of their connections. */
  exporting: Bulkhead;
  /** Decides when a write may use a connection. */
  turns: Turns;
  /** Limits the connections that queries use at a time. */
  readLane: ReadLane;
  /** Reads for queries, in that lane. */
  queryReader: Reader;
  sessions: Sessions;
  systems: CallingSystems;
  /** Standbys of the database to read from; empty unless they are configured. */
  standbys: Standbys;
  /** The servers that sessions read from. */
  reads: ReadPlaces;
  throttle: Throttle;
  /** Limits the concurrent requests of each person. */
  inFlight: InFlight;
  metrics: Metrics;
  /** Refusals that wait to be written to the audit trail. */
  refusals: Refusals;
  /** Called after each committed write. */
  wrote: () => void;
  /** Contents of digital files. */
  storage: Storage;
  /** What the service asks whether it is there. The directory is undefined when it is in the database. */
  dependencies: { storage: Dependency; directory: Dependency | undefined };
  /** Limits the contents of files inside JSON answers, which cannot be streamed. */
  contents: Gate;
  writability: Writability;
  /** Limits what one person may hold of scarce resources. */
  shares: ReturnType<typeof sharesOf>;
  /** Whether the process is draining before its end. */
  lifecycle: { stopping: boolean };
}
