/** Limit of the bytes that all requests together may hold. */
export class Budget {
  #taken = 0;

  constructor(private readonly total: number) {}

  /**
   * Reserves bytes and returns a function that releases them; undefined when others hold too many. A single request is
   * always admitted.
   */
  take(bytes: number): (() => void) | undefined {
    if (this.#taken > 0 && this.#taken + bytes > this.total) return undefined;
    this.#taken += bytes;
    return () => {
      this.#taken -= bytes;
    };
  }
}
