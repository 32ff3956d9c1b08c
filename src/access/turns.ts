/** A place may come free in another process, which cannot tell. */
const LOOK_AGAIN_MS = 100;

/** Who waits for the same thing takes turns: only the first looks whether it is there. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();
  readonly #wake = new Map<string, () => void>();

  /** Whether somebody waits already, who comes first. */
  isAwaited(key: string): boolean {
    return this.#last.has(key);
  }

  /** Does the work when its turn has come. `freed` ends when something may have come free. */
  async take<T>(key: string, work: (freed: () => Promise<void>) => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(() => work(() => this.#freed(key)));
    const over = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, over);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === over) this.#last.delete(key);
    }
  }

  /** Tells whoever is first that something came free. */
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
