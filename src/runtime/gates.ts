/** Admits a limited amount at a time. Others are told so; they may wait, and then enter in order of arrival. */
export class Gate {
  #inside = 0;
  readonly #waiting = new Set<() => void>();

  constructor(
    private readonly most: number,
    private readonly mostWaiting = Infinity,
  ) {}

  get isEmpty(): boolean {
    return this.#inside === 0;
  }

  /** Enters if there is room. Where nobody is inside, any amount may enter. It never overtakes a waiting one. */
  tryEnter(amount = 1): boolean {
    if (!this.isEmpty && this.#inside + amount > this.most) return false;
    this.#inside += amount;
    return true;
  }

  /** Waits until it has entered; false when too many wait already, or when the signal aborts first. */
  wait(late?: AbortSignal): Promise<boolean> {
    if (this.#waiting.size >= this.mostWaiting || late?.aborted) return Promise.resolve(false);
    return new Promise(resolve => {
      const enter = (): void => {
        late?.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const giveUp = (): void => {
        this.#waiting.delete(enter);
        resolve(false);
      };
      late?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(enter);
    });
  }

  leave(amount = 1): void {
    this.#inside -= amount;
    for (const next of this.#waiting) {
      if (!this.tryEnter()) return;
      this.#waiting.delete(next);
      next();
    }
  }
}

/** A gate for each key, which exists only while somebody is inside. */
export class Gates<Key> {
  readonly #gates = new Map<Key, Gate>();

  constructor(
    private readonly most: number,
    private readonly mostWaiting?: number,
  ) {}

  /** Whether somebody is inside. */
  has(key: Key): boolean {
    return this.#gates.has(key);
  }

  tryEnter(key: Key, amount?: number): boolean {
    return this.#of(key).tryEnter(amount);
  }

  wait(key: Key, late?: AbortSignal): Promise<boolean> {
    return this.#of(key).wait(late);
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
