import { AppError } from '../errors.ts';
import type { Text } from '../messages.ts';
import { Gate } from './gates.ts';
import { timed } from './trace.ts';

/** Limits of a class of work in this process, and the message of a refusal. */
interface Limits {
  /** Most runs at the same time. */
  most: number;
  /** Most runs that may wait; with 0, further ones are refused at once. */
  waiting: number;
  /** Longest wait, in milliseconds. */
  patienceMs: number;
  /** Whether only one waiting run starts per turn of the event loop. */
  paced?: boolean;
  refusal: Text;
  /** Seconds after which a refused request may be sent again. */
  retryAfter: number;
}

/**
 * Limits a class of work, so that it does not take the resources of other classes. Further runs wait in order of
 * arrival. They are refused when too many wait or they have waited too long.
 */
export class Bulkhead {
  readonly #gate: Gate;
  #refused = 0;
  #latest = 0;

  constructor(private readonly limits: Limits) {
    this.#gate = new Gate(limits.most, limits.waiting, limits.paced);
  }

  /** Number of waiting runs. */
  get waiting(): number {
    return this.#gate.waiting;
  }

  /** When the latest run came, on the clock of `performance`. */
  get latest(): number {
    return this.#latest;
  }

  /** Number of refused runs since the start. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Runs the work when there is a free slot. @throws UNAVAILABLE when too many runs wait, or this one waits too long
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const gate = this.#gate;
    this.#latest = performance.now();
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
