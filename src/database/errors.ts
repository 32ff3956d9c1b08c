import { AppError, type FieldError } from '../errors.ts';
import { fieldMessages, messages, type Text } from '../messages.ts';
import { recordNames } from './record-names.ts';

/** The fields of PostgreSQL's errors that say what happened; `detail` has row values and is never shown. */
interface DatabaseError {
  code: string;
  detail?: string;
  constraint?: string;
  table?: string;
}

const RETRY_SECONDS = 2;
const away = (cause: unknown, detail: Text = messages.databaseAway): AppError =>
  new AppError('UNAVAILABLE', { detail, retryAfter: RETRY_SECONDS, cause });

const READ_ONLY_RETRY_SECONDS = 10;
const readOnly = (cause: unknown): AppError =>
  new AppError('UNAVAILABLE', {
    detail: messages.databaseReadOnly,
    retryAfter: READ_ONLY_RETRY_SECONDS,
    cause,
  });

/** What people are told of a rule of a table, by its name; of any other it is that the value is not allowed. */
const rules: Readonly<Record<string, Text>> = {
  responsavel_laboratorio_data_fim_check: fieldMessages.beforeStart,
};

/** The field of a rule, which is named `<table>_<column>_check`. */
function brokenField({ table = '', constraint = '' }: DatabaseError): FieldError[] {
  const [, column] = /^(.+)_check$/.exec(constraint.slice(table.length + 1)) ?? [];
  return column ? [{ field: camelCase(column), message: rules[constraint] ?? fieldMessages.notAllowed }] : [];
}

/** What links to the record, in words. */
function referenced(cause: DatabaseError): AppError {
  const by = recordNames[cause.table ?? ''] ?? { pt: 'outro registro', en: 'another record' };
  return new AppError('REFERENCED', { detail: messages.referencedBy(by), cause });
}

const camelCase = (column: string): string =>
  column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The fields of a unique key, which `detail` names before their values in any language: `(id_lote, id_local)=(1, 2)`. */
function repeatedFields({ detail = '' }: DatabaseError): FieldError[] {
  const [, columns] = /^[^(]*\(([a-z_, ]+)\)=\(/.exec(detail) ?? [];
  const fields = columns ? camelCase(columns).split(', ') : [];
  return fields.map(field => ({ field, message: fieldMessages.repeatedValue }));
}

/** By SQLSTATE, exact or by class (the first two characters). */
const bySqlState: Record<string, (error: DatabaseError) => AppError> = {
  '23505': cause =>
    new AppError('DUPLICATE', { detail: messages.duplicate, errors: repeatedFields(cause), cause }),
  '23001': referenced,
  '23503': referenced,
  '23514': cause =>
    new AppError('VALIDATION_FAILED', { detail: messages.brokenFields, errors: brokenField(cause), cause }),
  '23P01': cause => new AppError('DUPLICATE', { detail: messages.overlaps, cause }),
  // Arithmetic on stock that leaves what an integer holds.
  '22003': cause => new AppError('CONFLICT', { detail: messages.numberTooLarge, cause }),
  // Raised by the ledger's own triggers (migration of the ledger).
  SI001: cause => new AppError('INVALID_STATE', { detail: messages.notPending, cause }),
  '22': cause => new AppError('BAD_REQUEST', { cause }),
  '40001': cause => away(cause, messages.recordHeld),
  '40P01': cause => away(cause, messages.recordHeld),
  '55P03': cause => away(cause, messages.recordHeld),
  '57': cause => away(cause),
  '08': cause => away(cause),
  '53': cause => away(cause),
  // Refused at the door (password, rights, no such database), idle too long in a transaction: the
  // request is right, the database is not there for it.
  '28': cause => away(cause),
  '3D': cause => away(cause),
  '25P03': cause => away(cause),
  '25006': readOnly,
};

/** Codes of Node's socket errors, and the words of driver and pool, when the server cannot be reached. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const LOST =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|is not queryable|cannot use a pool after/i;

/** What the driver says of a connection that it knows to be lost: the statement was not even sent. */
const NOT_SENT = /is not queryable/i;

/** SQLSTATEs of a server that ends the connection: failures of it, and its shutdowns. */
const ENDED = /^(08...|57P..)$/;

/** Whether a statement failed because its connection was lost, or fell silent. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Partial<DatabaseError>;
  return (code !== undefined && (UNREACHABLE.has(code) || ENDED.test(code))) || LOST.test(error.message);
}

/** A commit that was sent and whose answer never came: what it was to make durable stands, or does not. */
export class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super('the connection was lost in the middle of a commit', { cause });
  }

  /** The error that a failed commit is. */
  static of(error: unknown): unknown {
    return error instanceof Error && isLost(error) && !NOT_SENT.test(error.message)
      ? new UnknownOutcome(error)
      : error;
  }
}

/** The catalogued error behind an error of the database or its driver; undefined for any other. */
export function fromDatabase(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UnknownOutcome)
    return new AppError('UNAVAILABLE', {
      detail: messages.outcomeUnknown,
      retryAfter: RETRY_SECONDS,
      cause: error,
    });
  const { code } = error as Partial<DatabaseError>;
  if (typeof code === 'string') {
    if (UNREACHABLE.has(code)) return away(error);
    const known = bySqlState[code] ?? bySqlState[code.slice(0, 2)];
    if (known && /^[0-9A-Z]{5}$/.test(code)) return known(error as unknown as DatabaseError);
  }
  if (LOST.test(error.message)) return away(error);
  // Of a name with several addresses, Node tells the failure of each.
  const causes = error instanceof AggregateError ? error.errors : [error.cause];
  return causes.map(fromDatabase).find(known => known !== undefined);
}
