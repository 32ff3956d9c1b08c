import { readFileSync } from 'node:fs';
import { OperatorError } from '../errors.ts';

/**
 * Settings that stand in files, as containers are given their secrets: `DATABASE_URL_FILE` names the file with
 * `DATABASE_URL`, without which it counts. A line break at its end is no part of the value.
 * @throws OperatorError for a file that cannot be read
 */
export function fromFiles(environment: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const kept = names.filter(name => !environment[name] && environment[`${name}_FILE`]);
  return Object.fromEntries(kept.map(name => [name, content(`${name}_FILE`, environment[`${name}_FILE`]!)]));
}

function content(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new OperatorError(`${variable} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
