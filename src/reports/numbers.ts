import { asText, isNumeric, rowReader, type Column, type Row } from './table.ts';

/** A number, or what PostgreSQL sends for one that JavaScript may not hold exactly (`numeric`, `bigint`), as digits: `-1234.50`. */
export function digitsOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? plain(value) : asText(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? text : undefined;
}

/** JavaScript writes very large and very small numbers with an exponent. */
const plain = (value: number): string => {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? String(BigInt(value)) : value.toFixed(20).replace(/\.?0+$/, '');
};

/** Adds up what is to be added up of the rows of a table, exactly, whatever the number of digits. */
export class Totals {
  readonly #columns: readonly Column[];
  readonly #sums: (Sum | undefined)[];
  readonly #read: (row: Row) => unknown[];

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#sums = columns.map(({ total, type }) => (total && isNumeric(type) ? new Sum() : undefined));
    this.#read = rowReader(columns, value => value);
  }

  /** Whether there is anything to add up. */
  get wanted(): boolean {
    return this.#sums.some(Boolean);
  }

  add(rows: readonly Row[]): void {
    if (!this.wanted) return;
    for (const row of rows) this.#read(row).forEach((value, i) => this.#sums[i]?.add(value));
  }

  /** One cell a column: its sum, undefined where there is none, `Total` in the first of those. */
  cells(): (string | undefined)[] {
    const label = this.#columns.findIndex((_, i) => !this.#sums[i]);
    return this.#sums.map((sum, i) => sum?.digits ?? (i === label ? 'Total' : undefined));
  }
}

/** A sum as a whole number of the smallest place after the point that was met. */
class Sum {
  #units = 0n;
  #places = 0;

  add(value: unknown): void {
    const digits = value === null || value === undefined ? undefined : digitsOf(value);
    if (digits === undefined) return;
    const [whole = '', fraction = ''] = digits.split('.');
    if (fraction.length > this.#places) {
      this.#units *= 10n ** BigInt(fraction.length - this.#places);
      this.#places = fraction.length;
    }
    this.#units += BigInt(whole + fraction.padEnd(this.#places, '0'));
  }

  get digits(): string {
    if (this.#places === 0) return String(this.#units);
    const sign = this.#units < 0n ? '-' : '';
    const digits = String(this.#units)
      .replace('-', '')
      .padStart(this.#places + 1, '0');
    return `${sign}${digits.slice(0, -this.#places)}.${digits.slice(-this.#places)}`;
  }
}
