import { asText, isNumeric, type Column, type Row, type Table } from './table.ts';

/**
 * A number as digits: `-1234.50`. PostgreSQL sends `numeric` and `bigint` as text, because JavaScript may not hold
 * them exactly. Undefined for other values.
 */
export function digitsOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? plain(value) : asText(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? text : undefined;
}

/** JavaScript writes very large and very small numbers with an exponent; this does not. */
const plain = (value: number): string => {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? String(BigInt(value)) : value.toFixed(20).replace(/\.?0+$/, '');
};

/** Sums the columns of a table that have a total, exactly, for any number of digits. */
export class Totals {
  readonly #columns: readonly Column[];
  readonly #by: ReadonlySet<number>;
  /** Sums by the values of the group columns; one sum when there are none. */
  readonly #sums = new Map<string, { values: readonly unknown[]; sums: (Sum | undefined)[] }>();

  constructor({ columns, totalsBy = [] }: Pick<Table, 'columns' | 'totalsBy'>) {
    this.#columns = columns;
    this.#by = new Set(totalsBy.map(by => columns.findIndex(({ path }) => path === by)));
    if (this.#by.size === 0) this.#of([]);
  }

  /** Whether any column has a total. */
  get isNeeded(): boolean {
    return this.#columns.some(isSummed);
  }

  add(rows: readonly Row[]): void {
    if (!this.isNeeded) return;
    for (const row of rows) {
      const sums = this.#of(row);
      row.forEach((value, i) => sums[i]?.add(value));
    }
  }

  /**
   * Rows with one cell for each column: its sum, or the group value; undefined for other columns. The first of those
   * says `Total`.
   */
  rows(): (string | undefined)[][] {
    const label = this.#columns.findIndex((column, i) => !isSummed(column) && !this.#by.has(i));
    return [...this.#sums]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { values, sums }]) =>
        sums.map((sum, i) =>
          this.#by.has(i) ? asText(values[i]) : (sum?.digits ?? (i === label ? 'Total' : undefined)),
        ),
      );
  }

  #of(values: readonly unknown[]): (Sum | undefined)[] {
    const key = JSON.stringify([...this.#by].map(i => values[i]));
    let known = this.#sums.get(key);
    if (!known) {
      const sums = this.#columns.map(column => (isSummed(column) ? new Sum() : undefined));
      this.#sums.set(key, (known = { values, sums }));
    }
    return known.sums;
  }
}

const isSummed = ({ total, type }: Column): boolean => total === true && isNumeric(type);

/** A sum as an integer, scaled by the most decimal places seen. */
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
