import type { Logger } from 'pino';
import { ignored, inBackground } from '../runtime/background.ts';
import { TIMELINE } from './asked-server.ts';
import { bytesOf, LOOK_MS, PLACE, POSITION, type Connections, type Standby } from './standby.ts';

const PRIMARY = `select ${bytesOf(POSITION)} as c0, ${TIMELINE} as c1, ${PLACE} as c2`;

/** Time after the start in which a standby may still connect and catch up, in milliseconds. */
const CATCHING_UP_MS = 5_000;

/** Number of statements that ran on the primary and on standbys. */
export interface ReadCounts {
  primary: number;
  standby: number;
}

/** The configured standbys. Their positions are checked several times a second. */
export class Standbys {
  readonly counts: ReadCounts = { primary: 0, standby: 0 };
  /** Whether each standby was fresh, as the log has it. */
  readonly #logged = new Map<Standby, boolean>();
  readonly #since = performance.now();
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(
    readonly all: readonly Standby[],
    private readonly primary: Connections,
    private readonly log: Logger,
  ) {
    const every = (look: () => Promise<void>): void => {
      let isLooking = false;
      const next = async (): Promise<void> => {
        if (isLooking) return;
        isLooking = true;
        await look().finally(() => (isLooking = false));
      };
      this.#timers.push(setInterval(() => inBackground(next(), ignored), LOOK_MS));
    };
    if (all.length > 0) every(() => this.#lookAtPrimary());
    for (const standby of all) every(() => this.#lookAt(standby));
  }

  /** The standby of a session; undefined if there are none. It is the same in all processes and does not change. */
  of(idSessao: number): Standby | undefined {
    return this.all[idSessao % this.all.length];
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const pools = this.all.flatMap(({ connections }) => [
      connections.reads.pool,
      connections.exports,
      connections.observer.pool,
    ]);
    await Promise.allSettled([this.primary.pool, ...pools].map(pool => pool.end()));
  }

  async #lookAtPrimary(): Promise<void> {
    // If the primary does not answer, no standby counts as fresh after a while.
    const had = this.all.map(standby => standby.replayed);
    const at = performance.now();
    const [row] = await this.primary.reader.rows(PRIMARY, []);
    const [position, timeline, place] = row as [number, string, string];
    for (const [i, standby] of this.all.entries()) standby.expect({ at, position, timeline, place }, had[i]!);
  }

  async #lookAt(standby: Standby): Promise<void> {
    await standby.look();
    const { isFresh, name, problem } = standby;
    const was = this.#logged.get(standby);
    const mayCatchUp = was === undefined && performance.now() - this.#since < CATCHING_UP_MS;
    if (isFresh === was || (!isFresh && mayCatchUp)) return;
    this.#logged.set(standby, isFresh);
    if (isFresh) this.log.info({ standby: name }, 'reads go to the standby');
    else
      this.log.warn(
        { standby: name, problem: problem ?? 'it is not known to be up to date' },
        'no reads go to the standby: they go to the primary',
      );
  }
}
