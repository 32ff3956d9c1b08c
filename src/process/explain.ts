import { isLost } from '../database/errors.ts';
import { AppError, OperatorError } from '../errors.ts';

/** The message for an error that ends the process. Where the cause is outside the service, a stack would say nothing. */
export function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof AppError || isOutside(error)) return [...new Set(reasonsOf(error))].join('\n');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

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
