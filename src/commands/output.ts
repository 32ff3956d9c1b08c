import { OperatorError } from '../errors.ts';
import { ignored } from '../runtime/background.ts';

/** Why nobody can read standard output, once that is known. */
let refusal: Error | undefined;

// A stream also emits the error of a write. Without a listener that would end the process before anything is closed.
process.stdout.on('error', error => (refusal ??= error));
process.stderr.on('error', ignored);

/**
 * Writes lines to standard output, and waits until the system has taken them.
 * @throws OperatorError if nobody can read them, or could read earlier ones
 */
export const print = (lines: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const refused = (cause: Error): void =>
      reject(new OperatorError(`Standard output cannot be written: ${cause.message}`, { cause }));
    if (refusal) return refused(refusal);
    if (lines.length === 0) return resolve();
    process.stdout.write(lines.map(line => `${line}\n`).join(''), error => {
      if (error) refused(error);
      else resolve();
    });
  });

/** Writes a line to standard error, if anybody can read it. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}
