/** A problem that the operator can fix. Its message says how; it is shown without a stack. */
export class OperatorError extends Error {}

/** The text that is shown for an error that ends the process. */
export function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
