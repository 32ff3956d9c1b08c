import { Bulkhead } from '../runtime/bulkhead.ts';
import { SharedRuns } from '../runtime/shared-run.ts';
import type { Budget } from './budget.ts';
import { databaseTexts } from './messages.ts';
import { CONNECT_TIMEOUT_MS } from './orm.ts';
import { readAll, type PipeliningReader, type Reader } from './reader.ts';

const RETRY_SECONDS = 2;
/** Number of reads that may wait for each slot. */
const WAITING_EACH = 100;

/**
 * Limits the connections that queries use at a time, so that some are left for writes, logins and sessions. When reads
 * are waiting, one starts per turn of the event loop.
 */
export class ReadLane extends Bulkhead {
  readonly #shared = new SharedRuns<{ rows: unknown[][]; spent: Budget | undefined }>();

  constructor(connections: number) {
    const most = Math.max(1, connections);
    super({
      most,
      waiting: most * WAITING_EACH,
      patienceMs: CONNECT_TIMEOUT_MS,
      paced: true,
      refusal: databaseTexts.overloaded,
      retryAfter: RETRY_SECONDS,
    });
  }

  /** The rows of a statement in this lane. Callers who run the same shared statement at the same time use one slot. */
  async rows(reader: Reader, ...[text, values, composed]: Parameters<Reader['rows']>): Promise<unknown[][]> {
    if (!composed?.isShared) return this.run(() => reader.rows(text, values, composed));
    const { budget } = composed;
    // The result depends only on text and values. They also contain the caller's permissions.
    const { rows, spent } = await this.#shared.run(JSON.stringify([text, values]), async () => {
      // What the first caller has read before must not count for the others.
      const own = budget?.anew();
      const found = await this.run(() => reader.rows(text, values, { budget: own }));
      own?.read(found.length);
      return { rows: found, spent: own };
    });
    if (spent) budget?.spend(spent);
    return rows;
  }
}

/** A reader that runs its statements in this lane. A shared statement takes its own trip to the database. */
export function inLane(lane: ReadLane, reader: PipeliningReader): PipeliningReader {
  const rows: Reader['rows'] = (...read) => lane.rows(reader, ...read);
  return {
    rows,
    together: statements =>
      statements.some(({ composed }) => composed?.isShared)
        ? readAll({ rows }, statements)
        : lane.run(() => reader.together(statements)),
  };
}
