/** A place may come free in another process, which cannot tell. */
const LOOK_AGAIN_MS = 100;

/** Who waits for the same thing takes turns: only the first looks whether it is there. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();
  readonly #wake = new Map<string, () => void>();

  /** Whether somebody waits already, who comes first. */
  isAwaited(key: Buffer): boolean {
    return this.#last.has(nameOf(key));
  }

  /** Does the work when its turn has come. `freed` ends when something may have come free. */
  async take<T>(key: Buffer, work: (freed: () => Promise<void>) => Promise<T>): Promise<T> {
    const name = nameOf(key);
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(() => work(() => this.#freed(name)));
    const over = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(name, over);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === over) this.#last.delete(name);
    }
  }

  /** Tells whoever is first that something came free. */
  free(key: Buffer): void {
    this.#wake.get(nameOf(key))?.();
  }

  #freed(name: string): Promise<void> {
    return new Promise(resolve => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wake.delete(name);
        resolve();
      };
      const timer = setTimeout(done, LOOK_AGAIN_MS);
      this.#wake.set(name, done);
    });
  }
}

const nameOf = (key: Buffer): string => key.toString('base64');
