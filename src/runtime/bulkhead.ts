import { AppError } from '../errors.ts';
import type { Text } from '../messages.ts';
import { Gate } from './gates.ts';
import { timed } from './trace.ts';

/** Limits of a class of work in this process, and the text of a refusal. */
interface Limits {
  /** How much of it is done at a time. */
  most: number;
  /** How much of it may wait; 0 refuses at once. */
  waiting: number;
  /** Longest wait, in milliseconds. */
  patienceMs: number;
  /** Whether those who wait enter one in a turn of the event loop. */
  paced?: boolean;
  refusal: Text;
  /** Seconds after which a refused request may be sent again. */
  retryAfter: number;
}

/**
 * Keeps a class of work from taking what other classes need. So much of it is done at a time, the rest waits in order of
 * arrival, and is refused when too much waits or it has waited too long.
 */
export class Bulkhead {
  readonly #gate: Gate;
  #refused = 0;

  constructor(private readonly limits: Limits) {
    this.#gate = new Gate(limits.most, limits.waiting, limits.paced);
  }

  /** How much of it waits. */
  get waiting(): number {
    return this.#gate.waiting;
  }

  /** How much of it was refused since the start. */
  get refused(): number {
    return this.#refused;
  }

  /** Runs the work when there is room. @throws UNAVAILABLE when too much waits, or this waits too long */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const gate = this.#gate;
    if (!gate.tryEnter() && !(await this.#wait())) {
      this.#refused += 1;
      const { refusal, retryAfter } = this.limits;
      throw new AppError('UNAVAILABLE', { detail: refusal, retryAfter });
    }
    try {
      return await work();
    } finally {
      gate.leave();
    }
  }

  #wait(): Promise<boolean> {
    return timed(this.#gate.wait(performance.now() + this.limits.patienceMs));
  }
}
