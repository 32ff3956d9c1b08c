/** A problem that whoever runs the service can mend: its message says how, and it is shown without a stack. */
export class OperatorError extends Error {}

/** What is shown of an error that ends the process. */
export function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
