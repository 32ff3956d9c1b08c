import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { InFlight } from '../access/in-flight.ts';
import type { Sessions } from '../access/session.ts';
import type { ReadPlaces } from '../access/session-reads.ts';
import type { sharesOf } from '../access/shares.ts';
import type { Throttle } from '../access/throttle.ts';
import type { Config } from '../config.ts';
import type { ReadLane } from '../database/read-lane.ts';
import type { Standbys } from '../database/standbys.ts';
import type { Turns } from '../database/turns.ts';
import type { Writability } from '../database/writability.ts';
import type { Listing } from '../listing/read.ts';
import type { Bulkhead } from '../runtime/bulkhead.ts';
import type { Gate } from '../runtime/gates.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Storage } from '../storage/storage.ts';
import type { Refusals } from './refusals.ts';

/**
 * What the whole process shares, made once at start (`services.ts`). A room above this one adds what it provides:
 *
 *     declare module '../request/services.ts' {
 *       interface Services { directory: Directory }
 *     }
 */
export interface Services {
  config: Config;
  log: Logger;
  orm: MikroORM;
  listing: Listing;
  /** Connections for exports alone, which hold one each until they end. */
  exportPool: Pool;
  /** As many exports at a time as there are connections for them. */
  exporting: Bulkhead;
  /** Who may use a connection for a write, and when. */
  turns: Turns;
  /** How many connections queries use at a time. */
  readLane: ReadLane;
  sessions: Sessions;
  /** Standbys of the database that are read from; none unless they are configured. */
  standbys: Standbys;
  /** Where the sessions read. */
  reads: ReadPlaces;
  throttle: Throttle;
  /** Requests that are worked on, by person. */
  inFlight: InFlight;
  metrics: Metrics;
  /** What was refused, on its way to the audit trail. */
  refusals: Refusals;
  /** Called after each committed write. */
  wrote: () => void;
  /** Contents of digital files. */
  storage: Storage;
  /** Contents in answers that are JSON, which cannot be streamed. */
  contents: Gate;
  writability: Writability;
  /** What one person may hold of what is scarce. */
  shares: ReturnType<typeof sharesOf>;
  /** Whether the process is draining before its end. */
  lifecycle: { stopping: boolean };
}
