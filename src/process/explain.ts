import { isLost } from '../database/errors.ts';
import { lacksLock } from '../database/table-locks.ts';
import { AppError, OperatorError } from '../errors.ts';

/** The message for an error that ends the process. Where the cause is outside the service, a stack would say nothing. */
export function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (isLockedOut(error)) return LOCKED;
  if (error instanceof AppError || isOutside(error)) return [...new Set(reasonsOf(error))].join('\n');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const LOCKED =
  "Another transaction, perhaps of the same command, held for too long what this command needs. Wait until it ends, or end it: select pid, application_name, query from pg_stat_activity where state <> 'idle'. Then start again.";

/** Whether a transaction did not get a lock in time, or was ended in a deadlock. */
const isLockedOut = (error: unknown): boolean =>
  error instanceof Error && (lacksLock(error) || isLockedOut(error.cause));

/** Classes of SQLSTATE for a server that refuses the connection, or ends it. */
const REFUSED = /^(28|3D|53|57)...$/;

/** Whether a system call failed, such as one for a connection, or the database is not available. */
function isOutside(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  const causes: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return 'syscall' in error || REFUSED.test(code) || isLost(error) || causes.some(isOutside);
}

/** The messages of an error and of its causes. An AggregateError (a host name with several addresses) has none. */
function reasonsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { message, code } = error as NodeJS.ErrnoException;
  return [message || String(code), ...reasonsOf(error.cause)];
}
