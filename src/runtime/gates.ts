/**
 * Ends a wait: a time on the clock of `performance`, or a signal. A signal with its own time-out costs far more than a
 * timer, and stays in memory until that time.
 */
export type WaitEnd = number | AbortSignal;

/** Admits a limited amount at a time. `tryEnter` enters if there is room. `wait` queues in order of arrival. */
export class Gate {
  #inside = 0;
  #isAdmitting = false;
  readonly #waiting = new Set<() => void>();

  /**
   * `paced`: whether only one waiting caller enters per turn of the event loop. Then other work of the process runs in
   * between, however many callers wait.
   */
  constructor(
    private readonly most: number | (() => number),
    private readonly mostWaiting = Infinity,
    private readonly paced = false,
  ) {}

  get waiting(): number {
    return this.#waiting.size;
  }

  get isEmpty(): boolean {
    return this.#inside === 0;
  }

  /** Enters if there is room. If the gate is empty, any amount may enter. It never overtakes a waiting caller. */
  tryEnter(amount = 1): boolean {
    return this.#waiting.size === 0 && this.#enters(amount);
  }

  /** Waits until it has entered. Returns false when too many wait already, or when `end` comes first. */
  wait(end?: WaitEnd): Promise<boolean> {
    const signal = typeof end === 'object' ? end : undefined;
    if (this.#waiting.size >= this.mostWaiting || signal?.aborted) return Promise.resolve(false);
    return new Promise(resolve => {
      const enter = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const giveUp = (): void => {
        this.#waiting.delete(enter);
        resolve(false);
      };
      const timer = typeof end === 'number' ? setTimeout(giveUp, end - performance.now()) : undefined;
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(enter);
    });
  }

  leave(amount = 1): void {
    this.#inside -= amount;
    this.#admit();
  }

  #enters(amount = 1): boolean {
    const most = typeof this.most === 'number' ? this.most : this.most();
    if (!this.isEmpty && this.#inside + amount > most) return false;
    this.#inside += amount;
    return true;
  }

  #admit(): void {
    if (!this.paced) for (const next of this.#waiting) if (!this.#admitOne(next)) return;
    if (this.#isAdmitting || this.#waiting.size === 0) return;
    this.#isAdmitting = true;
    setImmediate(() => {
      this.#isAdmitting = false;
      const [next] = this.#waiting;
      if (next && this.#admitOne(next)) this.#admit();
    });
  }

  #admitOne(next: () => void): boolean {
    if (!this.#enters()) return false;
    this.#waiting.delete(next);
    next();
    return true;
  }
}

/** A gate for each key. It exists only while somebody is inside. */
export class Gates<Key> {
  readonly #gates = new Map<Key, Gate>();

  constructor(
    private readonly most: number,
    private readonly mostWaiting?: number,
  ) {}

  /** Whether anybody is inside the gate of this key. */
  has(key: Key): boolean {
    return this.#gates.has(key);
  }

  tryEnter(key: Key, amount?: number): boolean {
    return this.#of(key).tryEnter(amount);
  }

  wait(key: Key, end?: WaitEnd): Promise<boolean> {
    return this.#of(key).wait(end);
  }

  leave(key: Key, amount?: number): void {
    const gate = this.#of(key);
    gate.leave(amount);
    if (gate.isEmpty) this.#gates.delete(key);
  }

  #of(key: Key): Gate {
    const known = this.#gates.get(key);
    if (known) return known;
    const gate = new Gate(this.most, this.mostWaiting);
    this.#gates.set(key, gate);
    return gate;
  }
}
