import { AppError, invalidField } from '../errors.ts';
import { changeTexts } from './messages.ts';

/** A position in the feed: after an entry of a numbered transaction. */
export interface Position {
  /** History of the database. A restore starts a new one. */
  history: string;
  /** Number of the transaction; 0 before the first one. */
  number: number;
  /** Random mark of the number. It differs if the number is used again after a restore; 0 before the first one. */
  mark: number;
  /** Id of the entry in the audit trail; `WHOLE` means after all entries of the transaction. */
  entry: number;
}

/** Larger than any id. */
export const WHOLE = Number.MAX_SAFE_INTEGER;

const CURSOR = /^([0-9a-f-]{36})\.(\d{1,15})\.(\d{1,10})\.(\d{1,16})$/;

/** The cursor of a position, which is opaque to clients. */
export const cursorOf = ({ history, number, mark, entry }: Position): string =>
  Buffer.from(`${history}.${number}.${mark}.${entry}`).toString('base64url');

/** The position of a cursor. @throws BAD_REQUEST if it is not a cursor */
export function positionOf(cursor: string): Position {
  const [, history, ...numbers] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (!history) throw invalidField('BAD_REQUEST', 'after', changeTexts.noCursor);
  const [number, mark, entry] = numbers.map(Number) as [number, number, number];
  return { history, number, mark, entry };
}

/** Whether one position comes after another of the same history. */
export const isAfter = (one: Position, other: Position): boolean =>
  one.number > other.number || (one.number === other.number && one.entry > other.entry);

/** The error 410 for a position that this history does not contain. Its message says what to do. */
export const gone = (): AppError => new AppError('GONE', { detail: changeTexts.gone });
