import type { CustomTypesConfig } from 'pg';
import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';

/** What one request may read and answer, from the configuration. */
export interface BudgetLimits {
  rows: number;
  bytes: number;
}

/** How much of an answer something is. A record that stands in it several times counts as often. */
export interface Weight {
  rows: number;
  bytes: number;
}

/** About what a value takes beside its text: in memory, or in an answer under its name. */
const VALUE_BYTES = 16;

/**
 * Counts what a request reads and what its answer will hold, while it reads. A record that is reached by many ways
 * is one row in the database and many in the answer, so the answer is counted by itself.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  #rows = 0;
  #bytes = 0;
  readonly #answered: Weight = { rows: 0, bytes: 0 };

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Most rows that a statement may be asked for: one more than may be read, so that it shows. */
  get most(): number {
    return this.#limits.rows + 1;
  }

  /** Counts rows that were read. @throws RESULT_TOO_LARGE */
  read(rows: number): void {
    this.#rows += rows;
    if (this.#rows > this.#limits.rows || this.#bytes > this.#limits.bytes) throw this.#passed();
  }

  /**
   * Parsers that count values as they arrive. Past the limit they keep none, so that neither memory nor the connection
   * suffers until the statement has ended and `read` refuses it.
   */
  counting(types: CustomTypesConfig): CustomTypesConfig {
    return {
      getTypeParser: ((oid: number, format: 'text') => {
        const parse = types.getTypeParser(oid, format) as (value: string) => unknown;
        return (value: string): unknown => {
          this.#bytes += value.length + VALUE_BYTES;
          return this.#bytes > this.#limits.bytes ? null : parse(value);
        };
      }) as CustomTypesConfig['getTypeParser'],
    };
  }

  /** For a part of the answer, before it is made. @throws RESULT_TOO_LARGE */
  check({ rows, bytes }: Weight): void {
    if (rows > this.#limits.rows || bytes > this.#limits.bytes) throw this.#passed();
  }

  /** Counts what is answered. @throws RESULT_TOO_LARGE */
  answer({ rows, bytes }: Weight): void {
    this.#answered.rows += rows;
    this.#answered.bytes += bytes;
    this.check(this.#answered);
  }

  #passed(): AppError {
    const { rows, bytes } = this.#limits;
    return new AppError('RESULT_TOO_LARGE', { detail: messages.answerTooLarge(rows, bytes) });
  }
}

/** About how many bytes a value takes as JSON. */
export function jsonBytes(value: unknown): number {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? 64 : 8;
  // Letters that JSON escapes take up to six times their length, which matters in long texts.
  return value.length > 100 ? Buffer.byteLength(JSON.stringify(value)) : value.length + 2;
}
