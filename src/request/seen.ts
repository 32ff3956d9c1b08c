import { hash } from 'node:crypto';
import type { Registro } from '../entities/registro.ts';
import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';

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

/** What a request says of the records that its caller has seen; undefined if it says nothing. */
interface Seeing {
  seen?: readonly Seen[] | undefined;
}

/**
 * Compares a locked record, or its earlier version, with what the caller has seen.
 * @throws PRECONDITION_FAILED if the caller sent tags or versions and none is the record's
 */
export function requireSeen(
  { seen }: Seeing,
  { id, constructor: { name }, versao }: Registro,
  version = versao,
): void {
  const mark = markOf(name, id);
  if (seen?.some(one => one.version === version && (one.mark ?? mark) === mark) === false)
    throw new AppError('PRECONDITION_FAILED', { detail: messages.changedMeanwhile });
}

/** Whether the caller sent a tag that names this record and its version. A version alone may be another record's. */
export const hasTagOf = ({ seen = [] }: Seeing, { id, constructor: { name }, versao }: Registro): boolean =>
  seen.some(one => one.version === versao && one.mark === markOf(name, id));
