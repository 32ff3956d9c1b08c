import { OperatorError } from '../errors.ts';
import type { Text } from '../messages.ts';

/**
 * A file that cannot be imported. `text`, the reason, is shown to people who may not see what stands in the file, and is
 * kept for ever. Values of the file are only in `problems`.
 */
export class Unimportable extends OperatorError {
  constructor(
    readonly text: Text,
    readonly problems: readonly Problem[] = [],
    options?: ErrorOptions,
  ) {
    super([text.en, ...problems.slice(0, LISTED).map(inLine)].join('\n'), options);
  }
}

/** Something in a file that cannot be imported. */
export interface Problem {
  row: number;
  /** Header of the column. */
  field: string;
  found: string;
  /** What is wrong with the cell, and what would be right. */
  wrong: Text;
  expected: Text;
}

/** Number of problems that are listed. Further ones are only counted. */
const LISTED = 100;
const LONGEST_FOUND = 60;

/** The problems of a file: the first ones by row, and their total number. */
export class Problems {
  #first: Problem[] = [];
  total = 0;

  /** @param listed number of problems that are listed */
  constructor(readonly listed = LISTED) {}

  /** Adds problems. `more` is the number of problems that were counted but not listed. */
  add(problems: readonly Problem[], more = 0): void {
    this.total += problems.length + more;
    if (this.#first.length >= 2 * this.listed) this.#cut();
    this.#first.push(...problems);
  }

  /** The first ones, by row. */
  get first(): readonly Problem[] {
    this.#cut();
    return this.#first;
  }

  /** @throws OperatorError that lists the problems, if there are any */
  throwIfAny(file: string): void {
    if (this.total === 0) return;
    const listed = this.first.map(inLine);
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
    this.#first = this.#first.toSorted((a, b) => a.row - b.row).slice(0, this.listed);
  }
}

const inLine = ({ row, field, expected, found }: Problem): string =>
  `  row ${row}, ${field}: expected ${expected.en}, found ${shown(found)}`;

const shown = (text: string): string =>
  text === '' ? 'nothing' : JSON.stringify(shortened(text, LONGEST_FOUND));

/** The beginning of a long text. A character of two code units is not cut in two. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text;
