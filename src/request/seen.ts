import { hash } from 'node:crypto';

/** What a caller has seen of the record that they change. */
export interface Seen {
  version: number;
  /** The mark of the record; undefined where the caller sent a version alone, which holds for any record. */
  mark?: string | undefined;
}

/** Hexadecimal characters of a mark. They tell apart records that a caller confuses, and are no secret. */
export const MARK_LENGTH = 8;

/** Tells a record from others of the same version. `type` is the name of its class, which GraphQL's type has, too. */
export const markOf = (type: string, id: number): string =>
  hash('sha256', `${type} ${id}`, 'hex').slice(0, MARK_LENGTH);
