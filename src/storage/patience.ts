import { setTimeout as sleep } from 'node:timers/promises';
import { isStorageAway } from './away.ts';

/** Waits before another try, in milliseconds: a connection that was cut, and a server that starts again. */
const PAUSES_MS = [1_000, 5_000];
/** Most contents in a row that are passed over. If the next one is not answered either, the storage is away. */
const MOST_IN_A_ROW = 5;

/** Asks a storage about many contents one after another. It goes on if the storage does not answer for a few of them. */
export class Patience {
  #inARow = 0;

  /** Reads several times if the storage does not answer. Returns undefined if it never did. @throws as `once` does */
  read<T>(read: () => Promise<T>): Promise<T | undefined> {
    return this.once(async () => {
      for (const pause of PAUSES_MS) {
        try {
          return await read();
        } catch (error) {
          if (!isStorageAway(error)) throw error;
          await sleep(pause);
        }
      }
      return read();
    });
  }

  /**
   * Does some work on a content. Returns undefined if the storage does not answer.
   * @throws UNAVAILABLE after too many contents in a row for which the storage did not answer; other errors of the work
   */
  async once<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      this.answered();
      return result;
    } catch (error) {
      this.passOver(error);
      return undefined;
    }
  }

  answered(): void {
    this.#inARow = 0;
  }

  /** @throws the error if it is not of the storage, or after too many in a row */
  passOver(error: unknown): void {
    if (!isStorageAway(error) || ++this.#inARow > MOST_IN_A_ROW) throw error;
  }
}
