import { OperatorError } from '../errors.ts';

/** Something in a file that cannot be imported. */
export interface Problem {
  row: number;
  /** Header of the column. */
  field: string;
  expected: string;
  found: string;
}

/** Most problems that are listed. Further ones are only counted. */
export const MOST_TOLD = 100;
const LONGEST_FOUND = 60;

/** The problems of a file: the first by row, and how many there are. */
export class Problems {
  #first: Problem[] = [];
  total = 0;

  /** Adds problems; `more` are those that were only counted. */
  add(problems: readonly Problem[], more = 0): void {
    this.total += problems.length + more;
    if (this.#first.length >= 2 * MOST_TOLD) this.#cut();
    this.#first.push(...problems);
  }

  /** @throws OperatorError that tells them, if there are any */
  throwIfAny(file: string): void {
    if (this.total === 0) return;
    this.#cut();
    const told = this.#first.map(
      ({ row, field, expected, found }) =>
        `  row ${row}, ${field}: expected ${expected}, found ${shown(found)}`,
    );
    const rest = this.total - told.length;
    throw new OperatorError(
      [
        `Nothing was imported: ${file} has ${this.total} ${this.total === 1 ? 'problem' : 'problems'}.`,
        ...told,
        ...(rest > 0 ? [`  and ${rest} more`] : []),
      ].join('\n'),
    );
  }

  #cut(): void {
    this.#first = this.#first.toSorted((a, b) => a.row - b.row).slice(0, MOST_TOLD);
  }
}

const shown = (text: string): string =>
  text === ''
    ? 'nothing'
    : JSON.stringify(text.length > LONGEST_FOUND ? `${text.slice(0, LONGEST_FOUND)}…` : text);
