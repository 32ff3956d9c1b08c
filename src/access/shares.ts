import { AppError } from '../errors.ts';
import type { Text } from '../messages.ts';

/** How much of something scarce each person may hold at a time, so that there is some left for others. */
export class Shares {
  readonly #held = new Map<number, number>();

  constructor(
    private readonly each: number,
    private readonly refusal: (each: number) => Text,
    private readonly retrySeconds: number,
  ) {}

  /**
   * Takes part of a person's share, until the function answered is called. Whoever holds nothing may take anything.
   * @throws RATE_LIMITED when it is more than their share
   */
  take(idPessoa: number, amount = 1): () => void {
    const held = this.#held.get(idPessoa) ?? 0;
    if (held > 0 && held + amount > this.each)
      throw new AppError('RATE_LIMITED', { detail: this.refusal(this.each), retryAfter: this.retrySeconds });
    this.#set(idPessoa, held + amount);
    return () => this.#set(idPessoa, (this.#held.get(idPessoa) ?? 0) - amount);
  }

  /** Does the work with part of a person's share. @throws RATE_LIMITED */
  async during<T>(idPessoa: number, work: () => Promise<T>): Promise<T> {
    const giveBack = this.take(idPessoa);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  #set(idPessoa: number, held: number): void {
    if (held > 0) this.#held.set(idPessoa, held);
    else this.#held.delete(idPessoa);
  }
}
