import { inTime } from '../../runtime/in-time.ts';

/** Longest that a scrape waits for a new value, in milliseconds. */
const PATIENCE_MS = 1_000;

/** A metric that needs a query. It is cached, and only one query runs at a time. */
export class Figure<T = number> {
  #value: T | undefined;
  #readAt = -Infinity;
  #reading: Promise<T | undefined> | undefined;

  /**
   * @param seconds how long a value is cached
   * @param lateSeconds how much longer it stands in for a new value that is not there in time
   */
  constructor(
    private readonly seconds: number,
    private readonly read: () => Promise<T>,
    private readonly lateSeconds = 60,
  ) {}

  /** The value, after a second at most. Undefined when the query fails, or takes longer and there is no value to stand in. */
  async current(): Promise<T | undefined> {
    if (this.#isYounger(this.seconds)) return this.#value;
    this.#reading ??= this.#renew();
    return inTime(this.#reading, PATIENCE_MS, () =>
      this.#isYounger(this.seconds + this.lateSeconds) ? this.#value : undefined,
    );
  }

  #isYounger(seconds: number): boolean {
    return performance.now() - this.#readAt <= seconds * 1000;
  }

  async #renew(): Promise<T | undefined> {
    try {
      this.#value = await this.read();
      this.#readAt = performance.now();
      return this.#value;
    } catch {
      // The next call tries again.
      this.#readAt = -Infinity;
      return undefined;
    } finally {
      this.#reading = undefined;
    }
  }
}
