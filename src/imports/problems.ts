import { OperatorError } from '../errors.ts';

/** Something in a file that cannot be imported. */
export interface Problem {
  row: number;
  /** Header of the column. */
  field: string;
  expected: string;
  found: string;
}

/** Maximum number of listed problems. Further ones are only counted. */
export const MAX_LISTED = 100;
const LONGEST_FOUND = 60;

/** The problems of a file: the first ones by row, and their total number. */
export class Problems {
  #first: Problem[] = [];
  total = 0;

  /** Adds problems. `more` is the number of problems that were counted but not listed. */
  add(problems: readonly Problem[], more = 0): void {
    this.total += problems.length + more;
    if (this.#first.length >= 2 * MAX_LISTED) this.#cut();
    this.#first.push(...problems);
  }

  /** @throws OperatorError that lists the problems, if there are any */
  throwIfAny(file: string): void {
    if (this.total === 0) return;
    this.#cut();
    const listed = this.#first.map(
      ({ row, field, expected, found }) =>
        `  row ${row}, ${field}: expected ${expected}, found ${shown(found)}`,
    );
    const rest = this.total - listed.length;
    throw new OperatorError(
      [
        `Nothing was imported: ${file} has ${this.total} ${this.total === 1 ? 'problem' : 'problems'}.`,
        ...listed,
        ...(rest > 0 ? [`  and ${rest} more`] : []),
      ].join('\n'),
    );
  }

  #cut(): void {
    this.#first = this.#first.toSorted((a, b) => a.row - b.row).slice(0, MAX_LISTED);
  }
}

const shown = (text: string): string =>
  text === ''
    ? 'nothing'
    : JSON.stringify(text.length > LONGEST_FOUND ? `${text.slice(0, LONGEST_FOUND)}…` : text);
