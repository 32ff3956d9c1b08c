import { setTimeout as sleep } from 'node:timers/promises';

/** Longest that a scrape waits for a figure, and longest that an old one stands for one that is being read. */
const PATIENCE_MS = 1_000;
const STALE_MS = 60_000;

/** A figure that costs a query: read once in a while, however often it is asked for, and by one query at a time. */
export class Figure {
  #value: number | undefined;
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;

  /** `seconds`: how long it is good for. */
  constructor(
    private readonly seconds: number,
    private readonly read: () => Promise<number>,
  ) {}

  /** Answers within a second; undefined when it cannot be read, or takes longer the first time. */
  async current(): Promise<number | undefined> {
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
      // Tried again by the next who asks.
      this.#readAt = -Infinity;
    } finally {
      this.#reading = undefined;
    }
  }
}
