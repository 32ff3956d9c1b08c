import { types } from 'pg';

/** Where a row begins: the bytes with its message, and the offset of the number of its fields. */
export interface RowPlace {
  bytes: Buffer;
  at: number;
}

/** How a field of the rows is read. */
export interface Field {
  /** Converts PostgreSQL's text to the driver's value. */
  parse: (text: string) => unknown;
  /** Whether a file shows PostgreSQL's text as it is. */
  isText: boolean;
}

const { TEXT, VARCHAR, BPCHAR, INT2, INT4, INT8, NUMERIC, DATE, TIMESTAMP, TIMESTAMPTZ } = types.builtins;
const SHOWN_AS_SENT: ReadonlySet<number> = new Set([
  TEXT,
  VARCHAR,
  BPCHAR,
  INT2,
  INT4,
  INT8,
  NUMERIC,
  DATE,
  TIMESTAMP,
  TIMESTAMPTZ,
]);

/** The field of a type, by the type's number. */
export const fieldOf = (type: number, parse: Field['parse']): Field => ({
  parse,
  isText: SHOWN_AS_SENT.has(type),
});

/**
 * Rows as PostgreSQL sent them, in the text format: UTF-8 in the order of the statement's columns. To read all values
 * takes several times as long as to copy their bytes.
 */
export class SentRows {
  readonly #ends: Int32Array;

  constructor(
    private readonly places: readonly RowPlace[],
    private readonly all: readonly Field[],
    /** Which fields of the statement the rows have, in this order. */
    private readonly indexes: readonly number[] = all.map((_, i) => i),
  ) {
    this.#ends = new Int32Array(all.length);
  }

  get length(): number {
    return this.places.length;
  }

  get fields(): Field[] {
    return this.indexes.map(index => this.all[index]!);
  }

  /** The same rows with some of their fields, in this order. */
  with(indexes: readonly number[]): SentRows {
    return new SentRows(this.places, this.all, indexes);
  }

  /** The driver's values of the rows from `start` to before `end`. */
  values(start: number, end: number): unknown[][] {
    const { fields } = this;
    const found = new Int32Array(2 * fields.length);
    return this.places.slice(start, end).map((_, i) => {
      const bytes = this.find(start + i, found);
      return fields.map(({ parse }, k) => {
        const at = found[2 * k]!;
        return at < 0 ? null : parse(bytes.toString('utf8', at, found[2 * k + 1]));
      });
    });
  }

  /** Finds where each field of a row begins and ends. A null begins at -1. Returns the bytes that contain them. */
  find(row: number, found: Int32Array): Buffer {
    const { bytes, at: start } = this.places[row]!;
    const { indexes } = this;
    const ends = this.#endsOf(bytes, start);
    for (let k = 0; k < indexes.length; k++) {
      const index = indexes[k]!;
      const end = ends[index]!;
      found[2 * k] = end < 0 ? -1 : (index === 0 ? start + 2 : Math.abs(ends[index - 1]!)) + 4;
      found[2 * k + 1] = end;
    }
    return bytes;
  }

  /** Where each field of the message ends; of a null the negative place. */
  #endsOf(bytes: Buffer, start: number): Int32Array {
    const ends = this.#ends;
    let at = start + 2;
    for (let i = 0; i < ends.length; i++) {
      const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
      at += 4;
      if (length < 0) ends[i] = -at;
      else ends[i] = at += length;
    }
    return ends;
  }
}
