/**
 * Work whose result many callers share. Each caller gets a run that began after the call, so that it cannot miss what
 * the caller knew. At most one run is under way, and one waits.
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

/** The same for work of several kinds, distinguished by a key. A key is forgotten when nobody waits for its work. */
export class SharedRuns<T> {
  readonly #shared = new Map<string, { run: SharedRun<T>; callers: number }>();

  /** The result of the work of this key, whoever of its callers brought it. */
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
