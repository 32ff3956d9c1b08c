import { asText, isNumeric, type Column, type Row, type Table } from './table.ts';

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
  readonly #by: number;
  /** Sums by the value of the column that tells them apart; all under one where none does. */
  readonly #sums = new Map<unknown, (Sum | undefined)[]>();

  constructor({ columns, totalsBy }: Pick<Table, 'columns' | 'totalsBy'>) {
    this.#columns = columns;
    this.#by = columns.findIndex(({ path }) => path === totalsBy);
    if (this.#by < 0) this.#of(undefined);
  }

  /** Whether there is anything to add up. */
  get wanted(): boolean {
    return this.#columns.some(isSummed);
  }

  add(rows: readonly Row[]): void {
    if (!this.wanted) return;
    for (const row of rows) {
      const sums = this.#of(row[this.#by]);
      row.forEach((value, i) => sums[i]?.add(value));
    }
  }

  /** Rows of one cell a column: its sum, undefined where there is none, `Total` in the first of those. */
  rows(): (string | undefined)[][] {
    const label = this.#columns.findIndex((column, i) => !isSummed(column) && i !== this.#by);
    return [...this.#sums]
      .map(([value, sums]) =>
        sums.map((sum, i) =>
          i === this.#by ? asText(value) : (sum?.digits ?? (i === label ? 'Total' : undefined)),
        ),
      )
      .toSorted((one, other) => ((one[this.#by] ?? '') < (other[this.#by] ?? '') ? -1 : 1));
  }

  #of(value: unknown): (Sum | undefined)[] {
    let known = this.#sums.get(value);
    if (!known)
      this.#sums.set(
        value,
        (known = this.#columns.map(column => (isSummed(column) ? new Sum() : undefined))),
      );
    return known;
  }
}

const isSummed = ({ total, type }: Column): boolean => total === true && isNumeric(type);

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
