/** Bytes that may be held at a time by all requests together. */
export class Budget {
  #taken = 0;

  constructor(private readonly total: number) {}

  /** Takes bytes, to be given back by the function answered; undefined when others hold too many. One is never alone too large. */
  take(bytes: number): (() => void) | undefined {
    if (this.#taken > 0 && this.#taken + bytes > this.total) return undefined;
    this.#taken += bytes;
    return () => {
      this.#taken -= bytes;
    };
  }
}
