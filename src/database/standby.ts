import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { reasonOf } from './errors.ts';
import { UnsupportedPooler } from './pooler.ts';
import type { ReadLane } from './read-lane.ts';
import type { PipeliningReader } from './reader.ts';

/**
 * SQL of the position in the log up to which the primary's changes are visible, in bytes. Visible changes are flushed,
 * unless commits do not wait for the disk.
 */
export const POSITION = `(case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
  else pg_current_wal_flush_lsn() end)`;

/** SQL that converts a position to a number, exact up to 9 petabytes. */
export const bytesOf = (position: string): string => `(${position} - '0/0')::float8`;

/** SQL that identifies the server and database, the same on the primary and its standbys. */
export const PLACE = 'mudancas_lugar()';

/** The position is null on a server that is not a standby. */
const REPLAYED = `select case when pg_is_in_recovery() then ${bytesOf('pg_last_wal_replay_lsn()')} end as c0, ${PLACE} as c1`;

/** Interval at which primary and standbys are asked for their positions, in milliseconds. */
export const LOOK_MS = 100;
/** Longest wait for a standby to reach a position, and the pause between two checks meanwhile. */
const WAIT_MS = 100;
const PAUSE_MS = 2;
/** Reads do not wait for a standby with more lag than this. */
const QUICK_MS = LOOK_MS + WAIT_MS;
/** Most positions of the primary that are remembered until a standby reaches them. */
const MOST = 600;

/** The primary's position at a time of this process's clock. */
export interface Moment {
  at: number;
  position: number;
  /** Changes when another server becomes the primary. */
  timeline: string;
  place: string;
}

/** A pool and its reader. */
export interface Connections {
  pool: Pool;
  reader: PipeliningReader;
}

export interface StandbyConnections {
  reads: Connections;
  /** The class of its reads. */
  lane: ReadLane;
  exports: Pool;
  /** Checks that the connections lead to the server itself. @throws UnsupportedPooler */
  checkDirect: () => Promise<void>;
  /** For position checks only, which must not wait behind reads. */
  observer: Connections;
}

/**
 * A standby server, and the position that it has replayed as far as known. Positions only grow while the server runs,
 * so all values here are lower bounds.
 */
export class Standby {
  #replayed = -1;
  /** Time of this process's clock. The standby has everything that was visible on the primary then. */
  #coveredAt = -Infinity;
  #ahead: Moment[] = [];
  #timeline: string | undefined;
  #place: string | undefined;
  #problem: string | undefined;
  /** Undefined until the standby is known to be a server itself or a pooler, which is never asked again. */
  #isDirect: boolean | undefined;
  /** The standby is not trusted until it has passed this position. */
  #doubtUntil = -1;
  #asking: Promise<void> | undefined;

  constructor(
    /** Host and port. */
    readonly name: string,
    readonly connections: StandbyConnections,
    private readonly maxLagMs: number,
  ) {}

  get replayed(): number {
    return this.#replayed;
  }

  /** Upper bound of the lag behind the primary, in milliseconds. */
  get lagMs(): number {
    return performance.now() - this.#coveredAt;
  }

  /** Whether the standby may be used for reads. */
  get isFresh(): boolean {
    return this.lagMs < this.maxLagMs;
  }

  /** Why nothing can be read from the standby; undefined while it answers as the standby that it should be. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Stores the position of the primary. `had`: the standby's position before the primary was asked. If it was ahead,
   * the standby has a different history and is not trusted.
   */
  expect(moment: Moment, had: number): void {
    if (this.#timeline !== moment.timeline) {
      if (this.#timeline !== undefined) this.#doubt(this.#replayed);
      this.#timeline = moment.timeline;
    }
    this.#place = moment.place;
    if (moment.position < had) this.#doubt(Infinity);
    if (this.#ahead.length < MOST) this.#ahead.push(moment);
  }

  /** Asks the standby for its position. */
  look(): Promise<void> {
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  /** Whether the standby has reached a position, now or within a short wait. */
  async reach(position: number): Promise<boolean> {
    const end = performance.now() + WAIT_MS;
    while (this.#replayed < position) {
      if (!this.#isQuick || performance.now() > end) return false;
      await this.look();
      if (this.#replayed < position) await sleep(PAUSE_MS);
    }
    return true;
  }

  get #isQuick(): boolean {
    const [oldest] = this.#ahead;
    return this.isFresh && (!oldest || performance.now() - oldest.at < QUICK_MS);
  }

  async #ask(): Promise<void> {
    if (this.#isDirect === false) return;
    try {
      if (!this.#isDirect) await this.connections.checkDirect();
      this.#isDirect = true;
      const [row] = await this.connections.observer.reader.rows(REPLAYED, []);
      const [position, place] = row as [number | null, string];
      if (position === null) this.#refuse('it is not a standby');
      else if (this.#place !== undefined && place !== this.#place)
        this.#refuse('it is another database than that of DATABASE_URL');
      else this.#has(position);
    } catch (error) {
      // What answers when the standby comes back may be another one.
      const isPooler = error instanceof UnsupportedPooler;
      this.#isDirect = isPooler ? false : undefined;
      // The advice of a failed check is for DATABASE_URL.
      this.#problem = reasonOf(isPooler ? error : ((error as Error).cause ?? error));
      // When the standby comes back, it may have been rewound to a different history.
      this.#forget();
      this.#doubtUntil = -1;
    }
  }

  #refuse(problem: string): void {
    this.#problem = problem;
    this.#forget();
  }

  #has(position: number): void {
    this.#problem = undefined;
    if (position <= this.#doubtUntil) return;
    this.#doubtUntil = -1;
    this.#replayed = position;
    const covered = this.#ahead.findIndex(moment => moment.position > position);
    const reached = this.#ahead.splice(0, covered === -1 ? this.#ahead.length : covered);
    this.#coveredAt = reached.at(-1)?.at ?? this.#coveredAt;
  }

  #doubt(until: number): void {
    this.#forget();
    this.#doubtUntil = until;
  }

  #forget(): void {
    this.#replayed = -1;
    this.#coveredAt = -Infinity;
    this.#ahead = [];
  }
}
