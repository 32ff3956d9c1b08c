import { AppError } from '../errors.ts';
import { databaseTexts } from './messages.ts';

/** Limits of one request, from the configuration. */
export interface BudgetLimits {
  rows: number;
  bytes: number;
}

/** Size of a part of the answer. A record that appears several times counts each time. */
export interface Weight {
  rows: number;
  bytes: number;
}

/** Estimated bytes of a value besides its text: overhead in memory, or its name in an answer. */
const VALUE_BYTES = 16;

/**
 * Counts the rows that a request reads and the size of its answer. Both are counted, because one row of the database
 * can appear many times in the answer.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  #rows = 0;
  #bytes = 0;
  readonly #answered: Weight = { rows: 0, bytes: 0 };

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** A new budget with the same limits. */
  anew(): Budget {
    return new Budget(this.#limits);
  }

  /** Row limit for the next statement: one more than may still be read, so that an excess is detected. */
  get most(): number {
    return this.#limits.rows + 1;
  }

  /** Counts rows that were read. @throws RESULT_TOO_LARGE */
  read(rows: number): void {
    this.#rows += rows;
    if (this.#rows > this.#limits.rows || this.#bytes > this.#limits.bytes) throw this.#passed();
  }

  /**
   * Counts a value when it arrives, by the length of its text. False if the limit is exceeded: the reader then drops
   * such values. This keeps memory bounded and the connection usable until the statement ends and `read` throws.
   */
  takes(length: number): boolean {
    this.#bytes += length + VALUE_BYTES;
    return this.#bytes <= this.#limits.bytes;
  }

  /** Adds the values that another budget has counted. `read` counts their rows. */
  spend(other: Budget): void {
    this.#bytes += other.#bytes;
  }

  /** Checks the size of a part of the answer before it is built. @throws RESULT_TOO_LARGE */
  check({ rows, bytes }: Weight): void {
    if (rows > this.#limits.rows || bytes > this.#limits.bytes) throw this.#passed();
  }

  /** Adds a part of the answer. @throws RESULT_TOO_LARGE */
  answer({ rows, bytes }: Weight): void {
    this.#answered.rows += rows;
    this.#answered.bytes += bytes;
    this.check(this.#answered);
  }

  #passed(): AppError {
    const { rows, bytes } = this.#limits;
    return new AppError('RESULT_TOO_LARGE', { detail: databaseTexts.answerTooLarge(rows, bytes) });
  }
}

/** Estimated bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? 64 : 8;
  // JSON escapes make characters up to six times longer, which matters in long texts.
  return value.length > 100 ? Buffer.byteLength(JSON.stringify(value)) : value.length + 2;
}
