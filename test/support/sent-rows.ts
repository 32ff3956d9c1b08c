import { SentRows, type Field } from '../../src/database/sent-rows.ts';

/** Marks a text that is the JSON of a value. No text of a test begins with it. */
const JSON_MARK = '\u0002json:';

/** A value as the text that a server would send for it, or as marked JSON. */
function sent(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || Number.isNaN(value)) return String(value);
  return JSON_MARK + JSON.stringify(value);
}

const parse = (text: string): unknown =>
  text.startsWith(JSON_MARK) ? (JSON.parse(text.slice(JSON_MARK.length)) as unknown) : text;

/**
 * Rows in the form in which PostgreSQL sends them. Columns that have only texts are shown as they were sent, unless
 * `isText` says otherwise.
 */
export function sentRows(
  rows: readonly (readonly unknown[])[],
  { width = rows[0]?.length ?? 0, isText }: { width?: number; isText?: boolean } = {},
): SentRows {
  const places = rows.map(row => {
    const parts: Buffer[] = [Buffer.alloc(2)];
    parts[0]!.writeUInt16BE(row.length);
    for (const value of row) {
      const length = Buffer.alloc(4);
      const text = value === null || value === undefined ? undefined : Buffer.from(sent(value));
      length.writeInt32BE(text?.length ?? -1);
      parts.push(length, text ?? Buffer.alloc(0));
    }
    return { bytes: Buffer.concat(parts), at: 0 };
  });
  const isTextAt = (i: number): boolean =>
    rows.every(row => row[i] === null || row[i] === undefined || !sent(row[i]).startsWith(JSON_MARK));
  const fields = Array.from({ length: width }, (_, i): Field => ({ parse, isText: isText ?? isTextAt(i) }));
  return new SentRows(places, fields);
}
