import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';

/** How much of one person is worked on at a time. */
export interface InFlightLimits {
  /** Requests that are worked on. */
  requests: number;
  /** Longest that a further one waits for one of them to end, in milliseconds. */
  waitMs: number;
}

/** A person's requests that wait are as many times those that are worked on, at most. */
const WAITING = 100;
const RETRY_SECONDS = 2;

interface Mine {
  running: number;
  /** Those that wait, the longest first. */
  waiting: Set<() => void>;
}

/**
 * Bounds the requests of one person that are worked on at a time, so that nobody can occupy all connections to the
 * database. Further ones wait a little. It counts in this process alone, as each has connections of its own.
 */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #people = new Map<number, Mine>();

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /** What the work answers, once it is the person's turn. @throws RATE_LIMITED when that does not come soon */
  async run<T>(idPessoa: number, work: () => Promise<T>): Promise<T> {
    const mine = this.#people.get(idPessoa) ?? { running: 0, waiting: new Set() };
    this.#people.set(idPessoa, mine);
    if (mine.running < this.#limits.requests) mine.running += 1;
    else await this.#turn(mine);
    try {
      return await work();
    } finally {
      this.#leave(idPessoa, mine);
    }
  }

  #turn({ waiting }: Mine): Promise<void> {
    if (waiting.size >= this.#limits.requests * WAITING) throw tooMany();
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(tooMany());
      }, this.#limits.waitMs);
      waiting.add(begin);
    });
  }

  /** Hands the place on to who has waited longest. */
  #leave(idPessoa: number, mine: Mine): void {
    const [next] = mine.waiting;
    if (next) {
      mine.waiting.delete(next);
      next();
    } else if (--mine.running === 0) this.#people.delete(idPessoa);
  }
}

const tooMany = (): AppError =>
  new AppError('RATE_LIMITED', { detail: messages.tooManyRequests, retryAfter: RETRY_SECONDS });
