import { AppError, type FieldError } from '../errors.ts';
import { LONGEST_DAYS } from '../entities/almoxarifado/reconhecimento-alerta.ts';
import { fieldMessages, messages, type Text } from '../messages.ts';
import { databaseTexts } from './messages.ts';
import { recordNames } from './record-names.ts';

/** The relevant fields of PostgreSQL's errors. `detail` contains row values and is never shown. */
interface DatabaseError {
  code: string;
  detail?: string;
  constraint?: string;
  table?: string;
}

/** Why a connection failed. An AggregateError (a host name with several addresses) has no message of its own. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || String(code);
}

const RETRY_SECONDS = 2;
const away = (cause: unknown, detail: Text = databaseTexts.databaseAway): AppError =>
  new AppError('UNAVAILABLE', { detail, retryAfter: RETRY_SECONDS, cause });

const READ_ONLY_RETRY_SECONDS = 10;
const readOnly = (cause: unknown): AppError =>
  new AppError('UNAVAILABLE', {
    detail: databaseTexts.databaseReadOnly,
    retryAfter: READ_ONLY_RETRY_SECONDS,
    cause,
  });

/** Client messages by name of the check constraint. Other constraints get a general message. */
const rules: Readonly<Record<string, Text>> = {
  reconhecimento_alerta_ate_check: databaseTexts.withinDays(LONGEST_DAYS),
  responsavel_laboratorio_data_fim_check: fieldMessages.beforeStart,
  codigo_pf_codigo_check: databaseTexts.codePf,
  material_codigo_pf_check: databaseTexts.codePf,
  substancia_controlada_codigo_pf_check: databaseTexts.codePf,
  material_ncm_check: databaseTexts.ncm,
  material_densidade_check: databaseTexts.density,
  material_concentracao_check: databaseTexts.percent,
  substancia_controlada_concentracao_check: databaseTexts.percent,
};

/** The field of a check constraint. Such constraints are named `<table>_<column>_check`. */
function brokenField({ table = '', constraint = '' }: DatabaseError): FieldError[] {
  const [, column] = /^(.+)_check$/.exec(constraint.slice(table.length + 1)) ?? [];
  return column ? [{ field: camelCase(column), message: rules[constraint] ?? databaseTexts.notAllowed }] : [];
}

function brokenRule(cause: DatabaseError): AppError {
  const errors = brokenField(cause);
  return errors.length > 0
    ? new AppError('VALIDATION_FAILED', { detail: messages.brokenFields, errors, cause })
    : new AppError('VALIDATION_FAILED', { detail: databaseTexts.brokenRule, cause });
}

/** The error that names the records which link to this one. */
function referenced(cause: DatabaseError): AppError {
  const by = recordNames[cause.table ?? ''] ?? { pt: 'outro registro', en: 'another record' };
  return new AppError('REFERENCED', { detail: databaseTexts.referencedBy(by), cause });
}

const camelCase = (column: string): string =>
  column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The fields of a unique key. In every language, `detail` lists them before their values: `(id_lote, id_local)=(1, 2)`.
 */
function repeatedFields({ detail = '' }: DatabaseError): FieldError[] {
  const [, columns] = /^[^(]*\(([a-z_, ]+)\)=\(/.exec(detail) ?? [];
  const fields = columns ? camelCase(columns).split(', ') : [];
  return fields.map(field => ({ field, message: fieldMessages.repeatedValue }));
}

/**
 * What the ledger's trigger reports about a reversal: its index among those of the statement, and how much of it can be
 * undone.
 */
interface TooMuch {
  ordem: number | null;
  resta: number;
}

/**
 * The error that says how much of each reversal is possible. The trigger itself writes `detail`, without row values.
 */
function notReversible(cause: DatabaseError): AppError {
  const reversals = JSON.parse(cause.detail ?? '[]') as TooMuch[];
  const errors = reversals.map(({ ordem, resta }) => ({
    field: ordem === null ? 'quantidade' : `movimentacoes[${ordem}].quantidade`,
    message: fieldMessages.reversible(resta),
  }));
  return new AppError('NOT_REVERSIBLE', { errors, cause });
}

/** The error of a change that the ledger's own triggers refuse. */
function refusedByLedger(cause: DatabaseError): AppError {
  if (cause.constraint === 'estorno_quantidade') return notReversible(cause);
  const detail = cause.constraint === 'lote_rejeitado' ? databaseTexts.entryRejected : messages.notPending;
  return new AppError('INVALID_STATE', { detail, cause });
}

/** The error that names the closed month. The trigger itself writes `detail`, without row values. */
function mapIsClosed(cause: DatabaseError): AppError {
  const { ano, mes } = JSON.parse(cause.detail ?? '{}') as { ano: number; mes: number };
  return new AppError('CONFLICT', { detail: databaseTexts.mapIsClosed(ano, mes), cause });
}

/** By SQLSTATE, or by its class (the first two characters). */
const bySqlState: Record<string, (error: DatabaseError) => AppError> = {
  '23505': cause =>
    new AppError('DUPLICATE', { detail: messages.duplicate, errors: repeatedFields(cause), cause }),
  '23001': referenced,
  '23503': referenced,
  '23514': brokenRule,
  '23P01': cause => new AppError('DUPLICATE', { detail: databaseTexts.overlaps, cause }),
  // Stock arithmetic exceeded the integer range.
  '22003': cause => new AppError('CONFLICT', { detail: databaseTexts.numberTooLarge, cause }),
  SI001: refusedByLedger,
  SI003: mapIsClosed,
  '22': cause => new AppError('BAD_REQUEST', { cause }),
  '40001': cause => away(cause, databaseTexts.recordHeld),
  '40P01': cause => away(cause, databaseTexts.recordHeld),
  '55P03': cause => away(cause, databaseTexts.recordHeld),
  '57014': cause => away(cause, databaseTexts.tookTooLong),
  '57': cause => away(cause),
  '08': cause => away(cause),
  '53': cause => away(cause),
  // Connection rejected (password, rights, missing database), or transaction idle for too long. The request itself is
  // valid, so the client gets 503.
  '28': cause => away(cause),
  '3D': cause => away(cause),
  '25P03': cause => away(cause),
  '25006': readOnly,
};

/** Codes of Node's socket errors, and messages of the driver and the pool, when the server cannot be reached. */
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

/** The driver's message for a lost connection. The statement was not sent. */
const NOT_SENT = /is not queryable/i;

/** SQLSTATEs with which a server ends the connection: failures and shutdowns. */
const ENDED = /^(08...|57P..)$/;

/** Whether a statement failed because its connection was lost or the answer took too long. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Partial<DatabaseError>;
  return (code !== undefined && (UNREACHABLE.has(code) || ENDED.test(code))) || LOST.test(error.message);
}

/** Whether a statement failed because others have locked a row or a table for too long. */
export const isLocked = (error: unknown): boolean => (error as Partial<DatabaseError>).code === '55P03';

/** A commit was sent but not confirmed. Its changes may or may not have been stored. */
export class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super('the connection was lost in the middle of a commit', { cause });
  }

  /** Converts the error of a failed commit: `UnknownOutcome` if the connection was lost. */
  static of(error: unknown): unknown {
    return error instanceof Error && isLost(error) && !NOT_SENT.test(error.message)
      ? new UnknownOutcome(error)
      : error;
  }
}

/** Converts an error of the database or its driver to a catalogued error; undefined for other errors. */
export function fromDatabase(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return undefined;
  if (error instanceof UnknownOutcome)
    return new AppError('UNAVAILABLE', {
      detail: databaseTexts.outcomeUnknown,
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
  // For a host name with several addresses, Node reports one error for each.
  const causes = error instanceof AggregateError ? error.errors : [error.cause];
  return causes.map(fromDatabase).find(known => known !== undefined);
}
