import { AppError } from '../errors.ts';
import { accessTexts } from './messages.ts';
import { Gates } from '../runtime/gates.ts';

/** Limits for the concurrent requests of one person. */
export interface InFlightLimits {
  /** Most requests that run at the same time. */
  requests: number;
  /** Longest wait of a further request, in milliseconds. */
  waitMs: number;
}

/** A person may have this many times as many waiting requests as running ones. */
const WAITING = 100;
const RETRY_SECONDS = 2;

/**
 * Limits the concurrent requests of one person, so that nobody can occupy all database connections. Further requests
 * wait for a short time. Each process counts its own requests, because each has its own connections.
 */
export class InFlight {
  readonly #people: Gates<number>;
  readonly #waitMs: number;

  constructor({ requests, waitMs }: InFlightLimits) {
    this.#people = new Gates(requests, requests * WAITING);
    this.#waitMs = waitMs;
  }

  /**
   * Runs the work when the person has a free slot and returns its result. It waits for a short time, or until `late`
   * aborts. @throws RATE_LIMITED when no slot is free in time
   */
  async run<T>(idPessoa: number, work: () => Promise<T>, late?: AbortSignal): Promise<T> {
    const people = this.#people;
    if (!people.tryEnter(idPessoa)) {
      const end = late ?? performance.now() + this.#waitMs;
      if (!(await people.wait(idPessoa, end))) throw tooMany();
    }
    try {
      return await work();
    } finally {
      people.leave(idPessoa);
    }
  }
}

const tooMany = (): AppError =>
  new AppError('RATE_LIMITED', { detail: accessTexts.tooManyRequests, retryAfter: RETRY_SECONDS });
