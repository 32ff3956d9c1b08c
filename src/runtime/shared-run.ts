/**
 * Shares the result of some work among concurrent callers. Each caller gets a run that began after the call, so that it
 * includes everything that the caller knew. At most one run is active, and one waits.
 */
export class SharedRun<T> {
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(private readonly work: () => Promise<T>) {}

  run(): Promise<T> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#begin();
    const begin = (): Promise<T> => this.#begin();
    return (this.#next = this.#running.then(begin, begin));
  }

  #begin(): Promise<T> {
    this.#next = undefined;
    const run = this.work().finally(() => (this.#running = undefined));
    return (this.#running = run);
  }
}

/** A `SharedRun` for each key. A key is forgotten when no caller waits for it. */
export class SharedRuns<T> {
  readonly #shared = new Map<string, { run: SharedRun<T>; callers: number }>();

  /** The result of the work for this key. The work may be that of another caller. */
  async run(key: string, work: () => Promise<T>): Promise<T> {
    let shared = this.#shared.get(key);
    if (!shared) this.#shared.set(key, (shared = { run: new SharedRun(work), callers: 0 }));
    shared.callers += 1;
    try {
      return await shared.run.run();
    } finally {
      shared.callers -= 1;
      if (shared.callers === 0) this.#shared.delete(key);
    }
  }
}
