/** Cleanup functions. They run in reverse order. */
export class Closers {
  readonly #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Runs all of them, even if one fails. */
  async close(say: (message: string) => void): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed())
      try {
        await close();
      } catch (error) {
        say(String(error));
      }
  }
}
