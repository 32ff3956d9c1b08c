import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { ReadLane } from './read-lane.ts';
import type { Reader } from './reader.ts';

/**
 * SQL of the position in the log up to which the primary's changes can be seen, in bytes. What can be seen is flushed,
 * unless the server does not wait for that.
 */
export const POSITION = `(case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
  else pg_current_wal_flush_lsn() end)`;

/** SQL of a position as a number, which is exact up to 9 petabytes. */
export const bytesOf = (position: string): string => `(${position} - '0/0')::float8`;

/** Nothing on a server that is not a standby. */
const REPLAYED = `select case when pg_is_in_recovery() then ${bytesOf('pg_last_wal_replay_lsn()')} end as c0`;

/** How often the positions of primary and standbys are asked, in milliseconds. */
export const LOOK_MS = 100;
/** Longest wait for a standby to reach a position, and the pause between two looks meanwhile. */
const WAIT_MS = 100;
const PAUSE_MS = 2;
/** A standby that is later than this is not waited for. */
const QUICK_MS = LOOK_MS + WAIT_MS;
/** Positions of the primary that are remembered until a standby reaches them. */
const MOST = 600;

/** Where the primary was at a moment of this process's clock. */
export interface Moment {
  at: number;
  position: number;
  /** Changes when another server becomes the primary. */
  timeline: string;
}

/** A pool and its reader. */
export interface Connections {
  pool: Pool;
  reader: Reader;
}

export interface StandbyConnections {
  reads: Connections;
  /** The class of its reads. */
  lane: ReadLane;
  exports: Pool;
  /** For looks alone, which must not wait behind reads. */
  observer: Connections;
}

/**
 * A standby server, and what it is known to have. All that it is known to have it keeps, as long as it runs: so
 * everything here is a lower bound.
 */
export class Standby {
  #replayed = -1;
  /** It has everything that could be seen on the primary at this moment. */
  #coveredAt = -Infinity;
  #ahead: Moment[] = [];
  #timeline: string | undefined;
  /** It is believed when it has come further than this. */
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

  /** How much older than the primary it may be, in milliseconds. */
  get lagMs(): number {
    return performance.now() - this.#coveredAt;
  }

  /** Whether it may be read from at all. */
  get isFresh(): boolean {
    return this.lagMs < this.maxLagMs;
  }

  /**
   * Notes where the primary is. `had` is where this standby was before the primary was asked. If it was further, it has
   * another history, and is not believed.
   */
  expect(moment: Moment, had: number): void {
    if (this.#timeline !== moment.timeline) {
      if (this.#timeline !== undefined) this.#doubt(this.#replayed);
      this.#timeline = moment.timeline;
    }
    if (moment.position < had) this.#doubt(Infinity);
    if (this.#ahead.length < MOST) this.#ahead.push(moment);
  }

  /** Asks where it is. */
  look(): Promise<void> {
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  /** Whether it has reached a position, now or within a short wait. */
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
    try {
      const [row] = await this.connections.observer.reader.rows(REPLAYED, []);
      const position = row![0] as number | null;
      if (position === null) this.#forget();
      else this.#has(position);
    } catch {
      // When it comes back, it may have been wound back to another history.
      this.#forget();
      this.#doubtUntil = -1;
    }
  }

  #has(position: number): void {
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
