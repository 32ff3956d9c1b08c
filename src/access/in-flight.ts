import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';

/** Limits for the concurrent requests of one person. */
export interface InFlightLimits {
  /** Most requests that run at a time. */
  requests: number;
  /** Longest wait of a further request, in milliseconds. */
  waitMs: number;
}

/** A person may have this many times as many waiting requests as running ones. */
const WAITING = 100;
const RETRY_SECONDS = 2;

interface Mine {
  running: number;
  /** Waiting requests, the oldest first. */
  waiting: Set<() => void>;
}

/**
 * Limits the concurrent requests of one person, so that nobody can occupy all database connections. Further requests
 * wait for a short time. Each process counts for itself, because each has its own connections.
 */
export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #people = new Map<number, Mine>();

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /**
   * Runs the work when the person has a free slot and returns its result. @throws RATE_LIMITED when none is free in
   * time
   */
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

  /** Gives the free slot to the request that has waited longest. */
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
