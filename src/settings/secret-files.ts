import { readFileSync } from 'node:fs';
import { OperatorError } from '../errors.ts';

/**
 * Reads settings from files, as containers receive secrets: `DATABASE_URL_FILE` names the file with the value of
 * `DATABASE_URL`, and is used when that is not set. A line break at the end is removed.
 * @throws OperatorError for an unreadable or empty file
 */
export function fromFiles(environment: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const kept = names.filter(name => !environment[name] && environment[`${name}_FILE`]);
  return Object.fromEntries(kept.map(name => [name, content(`${name}_FILE`, environment[`${name}_FILE`]!)]));
}

/** An empty file is a secret that was not written. The setting would count as absent, and the demo could start. */
function content(variable: string, path: string): string {
  const value = read(variable, path).replace(/\r?\n$/, '');
  if (value.trim() === '') throw new OperatorError(`${variable} names an empty file: ${path}`);
  return value;
}

function read(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`${variable} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
