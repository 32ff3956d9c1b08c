import { parseArgs, type ParseArgsConfig } from 'node:util';
import { OperatorError } from '../errors.ts';

type Known = NonNullable<ParseArgsConfig['options']>;

/**
 * What stands behind the name of a command. `--help` prints the usage and ends the process; a wrong argument ends it
 * with 1, and with a sentence and the usage on standard error.
 */
export function commandLine<const T extends Known>(known: T, usage: string, allowPositionals = false) {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ args, options: known, allowPositionals });
  } catch (error) {
    // Node adds how to write a file name that looks like an option.
    return misused((error as Error).message.replace(/\. To specify .*/s, '.'), usage);
  }
}

/** The options of a command without other arguments, as `commandLine` reads them. */
export const options = <const T extends Known>(known: T, usage: string) => commandLine(known, usage).values;

/** Ends the process because an argument is wrong, before the command has begun. */
export function misused(problem: string, usage: string): never {
  process.stderr.write(`${problem}\n${usage}\n`);
  process.exit(1);
}

/** A whole number of at least `min`; undefined if the option was not given. @throws OperatorError */
export function wholeNumber(name: string, value: string | undefined, min: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value) && Number(value) >= min) return Number(value);
  throw new OperatorError(`--${name} must be a whole number from ${min}.`);
}
