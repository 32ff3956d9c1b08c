import { AppError } from '../errors.ts';
import type { Config } from '../config.ts';
import type { Text } from '../messages.ts';
import { accessTexts } from './messages.ts';
import { Gates } from '../runtime/gates.ts';

/** How many of the largest files JSON answers may contain at a time. Each takes six times its size in memory. */
export const CONTENTS = 4;

/** Most documents of one person in the queue: a quarter of it. */
const DOCUMENTS_EACH = 5;
/** Most files that one person may send or download as streams at a time. Browsers open six connections. */
const TRANSFERS_EACH = 10;

/** Limits how much of a scarce resource each person may hold at a time, so that some is left for others. */
class Shares {
  readonly #people: Gates<number>;

  constructor(
    private readonly each: number,
    private readonly refusal: (each: number) => Text,
    private readonly retrySeconds: number,
  ) {
    this.#people = new Gates(each);
  }

  /**
   * Reserves a part of a person's share and returns a function that releases it. A person who holds nothing may
   * reserve any amount.
   * @throws RATE_LIMITED when the share is exceeded
   */
  take(idPessoa: number, amount = 1): () => void {
    if (!this.#people.tryEnter(idPessoa, amount))
      throw new AppError('RATE_LIMITED', { detail: this.refusal(this.each), retryAfter: this.retrySeconds });
    return () => this.#people.leave(idPessoa, amount);
  }

  /** Runs the work while holding a part of the person's share. @throws RATE_LIMITED */
  async during<T>(idPessoa: number, work: () => Promise<T>): Promise<T> {
    const release = this.take(idPessoa);
    try {
      return await work();
    } finally {
      release();
    }
  }
}

/** Most imports of one person that wait or run. */
const IMPORTS_EACH = 3;

/** The limits of each person. For resources that requests hold for long: half of the capacity, rounded up. */
export const sharesOf = ({ EXPORT_POOL, FILES_MAX_BYTES, MAX_SUBSCRIPTIONS_PER_PERSON }: Config) => ({
  exports: new Shares(Math.ceil(EXPORT_POOL / 2), accessTexts.yourExports, 10),
  documents: new Shares(DOCUMENTS_EACH, accessTexts.yourDocuments, 5),
  transfers: new Shares(TRANSFERS_EACH, accessTexts.yourTransfers, 5),
  imports: new Shares(IMPORTS_EACH, accessTexts.yourImports, 30),
  subscriptions: new Shares(MAX_SUBSCRIPTIONS_PER_PERSON, accessTexts.yourSubscriptions, 10),
  contents: new Shares((CONTENTS / 2) * FILES_MAX_BYTES, accessTexts.yourContents, 2),
});
