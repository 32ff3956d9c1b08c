import { asText, isNumeric, type Column, type Row, type Table } from './table.ts';

/**
 * A number as digits: `-1234.50`. PostgreSQL sends `numeric` and `bigint` as text, because JavaScript may not hold
 * them exactly. Undefined for other values.
 */
export function digitsOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? plain(value) : asText(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? text : undefined;
}

/** Without an exponent, which JavaScript uses for very large and very small numbers. */
const plain = (value: number): string => {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? String(BigInt(value)) : value.toFixed(20).replace(/\.?0+$/, '');
};

/** Sums the columns of a table that have a total, exactly, for any number of digits. */
export class Totals {
  readonly #columns: readonly Column[];
  /**
   * Indexes of the columns that group the sums, and of further ones that group only rows whose first such column has a
   * value.
   */
  readonly #by: readonly number[];
  readonly #fromTo: readonly number[];
  /** Sums by the values of the group columns; one sum when there are none. */
  readonly #sums = new Map<string, { values: readonly unknown[]; sums: (Sum | undefined)[] }>();

  constructor({
    columns,
    totalsBy = [],
    totalsFromTo,
  }: Pick<Table, 'columns' | 'totalsBy' | 'totalsFromTo'>) {
    const indexOf = (by: string): number => columns.findIndex(({ path }) => path === by);
    this.#columns = columns;
    this.#by = totalsBy.map(indexOf);
    this.#fromTo = totalsFromTo?.map(indexOf) ?? [];
    if (this.#by.length === 0) this.#of([]);
  }

  /** The columns that group the sums, and the columns with sums. */
  get columns(): number[] {
    const summed = this.#columns.flatMap((column, i) => (isSummed(column) ? [i] : []));
    return [...this.#grouping, ...summed];
  }

  get #grouping(): readonly number[] {
    return [...this.#by, ...this.#fromTo];
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
   * Rows with one cell for each column: its sum, or the group value; undefined for a sum with a value that is
   * missing, and for other columns. The first of those shows `Total`. The rows are ordered by their group values.
   */
  rows(): (string | undefined)[][] {
    const grouping = this.#grouping;
    const label = this.#columns.findIndex((column, i) => !isSummed(column) && !grouping.includes(i));
    return [...this.#sums.values()]
      .toSorted((one, other) => inOrder(one.values, other.values))
      .map(({ values, sums }) => {
        const said = new Map(grouping.map((column, i) => [column, values[i]]));
        return sums.map((sum, i) => {
          const value = said.get(i);
          if (value !== undefined && value !== null) return asText(value);
          return sum?.digits ?? (i === label ? 'Total' : undefined);
        });
      });
  }

  #of(row: readonly unknown[]): (Sum | undefined)[] {
    const [from] = this.#fromTo;
    const hasMoved = from !== undefined && row[from] != null;
    const values = [...this.#by.map(i => row[i]), ...this.#fromTo.map(i => (hasMoved ? row[i] : null))];
    const key = JSON.stringify(values);
    let known = this.#sums.get(key);
    if (!known) {
      const sums = this.#columns.map(column => (isSummed(column) ? new Sum() : undefined));
      this.#sums.set(key, (known = { values, sums }));
    }
    return known.sums;
  }
}

const { compare } = new Intl.Collator('pt-BR', { numeric: true });

/** Compares the values of groups, column by column. Empty values come last. */
function inOrder(ones: readonly unknown[], others: readonly unknown[]): number {
  for (const [i, one] of ones.entries()) {
    const other = others[i];
    if (one == null || other == null) {
      if ((one == null) !== (other == null)) return one == null ? 1 : -1;
      continue;
    }
    const order = compare(asText(one), asText(other));
    if (order !== 0) return order;
  }
  return 0;
}

const isSummed = ({ total, type }: Column): boolean => total === true && isNumeric(type);

/** A sum as an integer, scaled by the most decimal places seen. */
class Sum {
  #units = 0n;
  #places = 0;
  #isKnown = true;

  add(value: unknown): void {
    const digits = value === null || value === undefined ? undefined : digitsOf(value);
    if (digits === undefined) {
      this.#isKnown = false;
      return;
    }
    const [whole = '', fraction = ''] = digits.split('.');
    if (fraction.length > this.#places) {
      this.#units *= 10n ** BigInt(fraction.length - this.#places);
      this.#places = fraction.length;
    }
    this.#units += BigInt(whole + fraction.padEnd(this.#places, '0'));
  }

  /** Undefined if a value was missing. The sum of no values is 0. */
  get digits(): string | undefined {
    if (!this.#isKnown) return undefined;
    if (this.#places === 0) return String(this.#units);
    const sign = this.#units < 0n ? '-' : '';
    const digits = String(this.#units)
      .replace('-', '')
      .padStart(this.#places + 1, '0');
    return `${sign}${digits.slice(0, -this.#places)}.${digits.slice(-this.#places)}`;
  }
}
