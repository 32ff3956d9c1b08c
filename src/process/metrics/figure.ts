import { setTimeout as sleep } from 'node:timers/promises';

/** Longest that a scrape waits for a new value, in milliseconds. After that it gets the old value. */
const PATIENCE_MS = 1_000;
const STALE_MS = 60_000;

/** A metric that needs a query. It is cached, and only one query runs at a time. */
export class Figure<T = number> {
  #value: T | undefined;
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;

  /** @param seconds how long a value is cached */
  constructor(
    private readonly seconds: number,
    private readonly read: () => Promise<T>,
  ) {}

  /** The value, after a second at most. Undefined when the query fails, or when the first query takes longer. */
  async current(): Promise<T | undefined> {
    if (this.#age > this.seconds * 1000) {
      this.#reading ??= this.#renew();
      await Promise.race([this.#reading, sleep(PATIENCE_MS, undefined, { ref: false })]);
    }
    return this.#age > this.seconds * 1000 + STALE_MS ? undefined : this.#value;
  }

  get #age(): number {
    return performance.now() - this.#readAt;
  }

  async #renew(): Promise<void> {
    try {
      this.#value = await this.read();
      this.#readAt = performance.now();
    } catch {
      // The next call tries again.
      this.#readAt = -Infinity;
    } finally {
      this.#reading = undefined;
    }
  }
}
