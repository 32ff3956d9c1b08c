import type { Field, SentRows } from '../database/sent-rows.ts';
import type { CellType } from './table.ts';

/** The cell of a value. */
export type CellOf = (value: unknown, type: CellType) => string;

const code = (character: string): number => character.charCodeAt(0);
const [QUOTE, SEPARATOR, COMMA, POINT, MINUS, SLASH] = ['"', ';', ',', '.', '-', '/'].map(code) as [
  number,
  number,
  number,
  number,
  number,
  number,
];
const [CR, LF, ZERO, NINE] = ['\r', '\n', '0', '9'].map(code) as [number, number, number, number];

const isDigit = (byte: number | undefined): boolean => byte! >= ZERO && byte! <= NINE;
/** Whether a character of two bytes that begins so cannot be white space. */
const beginsLetter = (byte: number | undefined): boolean => byte! >= 0xc3 && byte! <= 0xdf;
/** ASCII that is neither white space nor a control character. */
const isVisible = (byte: number | undefined): boolean => byte! > 0x20 && byte! < 0x7f;

/** Which bytes may begin a text that no spreadsheet computes or trims. A date begins with a digit. */
const BEGINNINGS = Uint8Array.from({ length: 256 }, (_, byte) =>
  beginsLetter(byte) || (isVisible(byte) && !'=+-@"'.includes(String.fromCharCode(byte))) ? 1 : 0,
);

/** Length of `2026-11-20 10:45:00`. */
const LOCAL_TIME = 19;

/** Room for a part of the file before more is needed. */
const ROOM = 65_536;

/**
 * Writes rows as lines of a csv, in UTF-8. It copies the bytes of the usual values, which are the same in the file, and
 * asks `cellOf` for all others.
 */
export class CsvBytes {
  #bytes = Buffer.allocUnsafe(ROOM);
  #length = 0;

  constructor(
    private readonly types: readonly CellType[],
    private readonly cellOf: CellOf,
  ) {}

  /** What was written since the last call. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(ROOM);
    this.#length = 0;
    return taken;
  }

  /** Writes the rows from `start` to before `end`. */
  add(rows: SentRows, start: number, end: number): void {
    const { fields } = rows;
    const found = new Int32Array(2 * fields.length);
    for (let row = start; row < end; row++) {
      const bytes = rows.find(row, found);
      for (let k = 0; k < fields.length; k++) {
        if (k > 0) this.#end(SEPARATOR);
        const at = found[2 * k]!;
        if (at >= 0) this.#cell(bytes, at, found[2 * k + 1]!, fields[k]!, this.types[k]!);
      }
      this.#end(CR);
      this.#end(LF);
    }
  }

  #end(byte: number): void {
    this.#reserve(1);
    this.#put(byte);
  }

  #cell(bytes: Buffer, start: number, end: number, { parse, isText }: Field, type: CellType): void {
    // With quotes.
    this.#reserve(end - start + 2);
    if (isText && this.#copies(bytes, start, end, type)) return;
    const cell = this.cellOf(parse(bytes.toString('utf8', start, end)), type);
    this.#reserve(3 * cell.length);
    this.#length += this.#bytes.write(cell, this.#length);
  }

  /** Copies the bytes, if they are those of the cell. Otherwise nothing is written. */
  #copies(bytes: Buffer, start: number, end: number, type: CellType): boolean {
    switch (type) {
      case 'text':
        return this.#copiesText(bytes, start, end);
      case 'integer':
      case 'decimal':
        return this.#copiesNumber(bytes, start, end);
      case 'date':
        return isDigit(bytes[start]) && this.#copiesAll(bytes, start, end);
      case 'timestamp':
        return isTimestamp(bytes, start, end) && this.#copiesAll(bytes, start, start + LOCAL_TIME);
      default:
        return false;
    }
  }

  #copiesText(bytes: Buffer, start: number, end: number): boolean {
    if (start === end) return true;
    const first = bytes[start]!;
    const last = bytes[end - 1];
    const endsWell = isVisible(last) || (end - start > 1 && last! >= 0x80 && beginsLetter(bytes[end - 2]));
    if (BEGINNINGS[first] === 0 || !endsWell) return false;
    const mayBeDate = isDigit(first);
    const written = this.#bytes;
    const before = this.#length;
    let length = before;
    let isQuoted = false;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE || (mayBeDate && (byte === MINUS || byte === SLASH))) return false;
      if (byte === SEPARATOR || byte === COMMA || byte === CR || byte === LF) isQuoted = true;
      written[length++] = byte;
    }
    if (isQuoted) {
      written.copyWithin(before + 1, before, length++);
      written[before] = QUOTE;
      written[length++] = QUOTE;
    }
    this.#length = length;
    return true;
  }

  /** Digits, with a sign and a fraction if there are any. */
  #copiesNumber(bytes: Buffer, start: number, end: number): boolean {
    const first = bytes[start] === MINUS ? start + 1 : start;
    if (first === end) return false;
    let hasPoint = false;
    for (let at = first; at < end; at++) {
      const isPoint: boolean = bytes[at] === POINT && at > first && at < end - 1 && !hasPoint;
      if (!isPoint && !isDigit(bytes[at])) return false;
      hasPoint ||= isPoint;
    }
    for (let at = start; at < end; at++) this.#put(bytes[at] === POINT ? COMMA : bytes[at]!);
    return true;
  }

  #copiesAll(bytes: Buffer, start: number, end: number): true {
    for (let at = start; at < end; at++) this.#put(bytes[at]!);
    return true;
  }

  #put(byte: number): void {
    this.#bytes[this.#length++] = byte;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const TIMESTAMP = '0000-00-00 00:00:00';
const C = code('C');

/** Whether it is a timestamp of our era with four digits of the year. Others end in `BC` or have more. */
function isTimestamp(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < LOCAL_TIME || bytes[end - 1] === C) return false;
  for (let i = 0; i < LOCAL_TIME; i++) {
    const byte = bytes[start + i];
    if (TIMESTAMP[i] === '0' ? !isDigit(byte) : byte !== TIMESTAMP.charCodeAt(i)) return false;
  }
  return true;
}
