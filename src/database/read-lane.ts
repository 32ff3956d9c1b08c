import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import { Gate } from '../runtime/gates.ts';
import { timed } from '../runtime/trace.ts';
import type { Reader } from './reader.ts';

const RETRY_SECONDS = 2;
/** Reads that may wait for each place. */
const WAITING_EACH = 100;

/** Limits the connections that queries use at a time, so that some are left for writes, logins and sessions. */
export class ReadLane {
  readonly #gate: Gate;

  /** `pool`: connections of the process. `patienceMs`: longest wait for a place, the same as for a connection. */
  constructor(
    pool: number,
    private readonly patienceMs: number,
  ) {
    const most = Math.max(1, Math.floor(pool * 0.7));
    this.#gate = new Gate(most, most * WAITING_EACH);
  }

  /** The same reader in this lane. @throws UNAVAILABLE when too many reads wait, or one waits too long */
  over(reader: Reader): Reader {
    return {
      rows: (...read) => this.#run(() => reader.rows(...read)),
      ...(reader.both && { both: (...read) => this.#run(() => reader.both!(...read)) }),
    };
  }

  async #run<T>(read: () => Promise<T>): Promise<T> {
    const gate = this.#gate;
    if (!gate.tryEnter() && !(await timed(gate.wait(AbortSignal.timeout(this.patienceMs)))))
      throw new AppError('UNAVAILABLE', { detail: messages.overloaded, retryAfter: RETRY_SECONDS });
    try {
      return await read();
    } finally {
      gate.leave();
    }
  }
}
