import type { Config } from './config.ts';
import { AppError } from './errors.ts';
import { messages } from './messages.ts';
import { SLOWEST_BYTES_PER_MS } from './storage/storage.ts';

const RETRY_SECONDS = 5;

/** What a request may take beyond its longest statement: the wait for a connection (3 s), a silence (1 s), and itself. */
const BESIDE_STATEMENT_MS = 5_000;

/** A bound on the time that a request may take as a whole. It begins when it is made. */
export class Deadline {
  readonly #passed = Promise.withResolvers<never>();
  #timer: NodeJS.Timeout | undefined;
  #at: number;

  constructor({ STATEMENT_TIMEOUT_MS }: Config) {
    this.#at = performance.now() + STATEMENT_TIMEOUT_MS + BESIDE_STATEMENT_MS;
    this.#passed.promise.catch(() => undefined);
    this.#await();
  }

  /** Moves it, for work on the contents of files. */
  extend(bytes: number): void {
    this.#at += bytes / SLOWEST_BYTES_PER_MS;
  }

  /** What the work answers, unless the deadline comes first; the work is not waited for then. @throws UNAVAILABLE */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#passed.promise]);
  }

  /** For work before what it cannot take back. @throws UNAVAILABLE */
  check(): void {
    if (performance.now() >= this.#at) throw tooLate();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #await(): void {
    const left = this.#at - performance.now();
    if (left <= 0) this.#passed.reject(tooLate());
    else this.#timer = setTimeout(() => this.#await(), left);
  }
}

const tooLate = (): AppError =>
  new AppError('UNAVAILABLE', { detail: messages.tookTooLong, retryAfter: RETRY_SECONDS });
