import { Gates } from '../runtime/gates.ts';

/** Retry interval. Another process may free a slot, which this one does not notice. */
const LOOK_AGAIN_MS = 100;

/** Serialises attempts on the same resource within a process: only the first in the queue checks whether it is free. */
export class AttemptQueue {
  readonly #gates = new Gates<string>(1);
  readonly #wake = new Map<string, () => void>();

  /** Whether another attempt is already in the queue for this key. */
  isAwaited(key: string): boolean {
    return this.#gates.has(key);
  }

  /** Runs the work when its turn comes. `freed` resolves when the resource may have become free. */
  async take<T>(key: string, work: (freed: () => Promise<void>) => Promise<T>): Promise<T> {
    if (!this.#gates.tryEnter(key)) await this.#gates.wait(key);
    try {
      return await work(() => this.#freed(key));
    } finally {
      this.#gates.leave(key);
    }
  }

  /** Wakes the first in the queue, because the resource may have become free. */
  free(key: string): void {
    this.#wake.get(key)?.();
  }

  #freed(key: string): Promise<void> {
    return new Promise(resolve => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wake.delete(key);
        resolve();
      };
      const timer = setTimeout(done, LOOK_AGAIN_MS);
      this.#wake.set(key, done);
    });
  }
}
