import { parseArgs, type ParseArgsConfig } from 'node:util';
import { OperatorError } from '../errors.ts';

/** The options of a command without positional arguments. @throws OperatorError with the usage */
export function options<const T extends NonNullable<ParseArgsConfig['options']>>(known: T, usage: string) {
  try {
    return parseArgs({ args: process.argv.slice(2), options: known, allowPositionals: false }).values;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${usage}`);
  }
}

/** A whole number of at least `min`; undefined if the option was not given. @throws OperatorError */
export function wholeNumber(name: string, value: string | undefined, min: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value) && Number(value) >= min) return Number(value);
  throw new OperatorError(`--${name} must be a whole number from ${min}.`);
}
