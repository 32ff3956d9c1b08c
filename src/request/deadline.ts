import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { requestTexts } from './messages.ts';
import { SLOWEST_BYTES_PER_MS } from '../storage/storage.ts';

const RETRY_SECONDS = 5;

/**
 * Time for a request in addition to its longest statement: the wait for a connection (3 s), a silent server (1 s), and
 * its own work.
 */
const BESIDE_STATEMENT_MS = 5_000;

/** The time limit of a whole request. It starts when the object is created. */
export class Deadline {
  readonly #passed = Promise.withResolvers<never>();
  #timer: NodeJS.Timeout | undefined;
  #at: number;

  constructor({ STATEMENT_TIMEOUT_MS }: Config) {
    this.#at = performance.now() + STATEMENT_TIMEOUT_MS + BESIDE_STATEMENT_MS;
    this.#passed.promise.catch(() => undefined);
    this.#await();
  }

  /** Extends the deadline for work on the contents of files. */
  extend(bytes: number): void {
    this.#at += bytes / SLOWEST_BYTES_PER_MS;
  }

  /** Waits for the work until the deadline. @throws UNAVAILABLE */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#passed.promise]);
  }

  /** Call this before a step that cannot be undone. @throws UNAVAILABLE when the deadline has passed */
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
  new AppError('UNAVAILABLE', { detail: requestTexts.tookTooLong, retryAfter: RETRY_SECONDS });
