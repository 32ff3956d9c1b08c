import { parseEnv } from 'node:util';
import { OperatorError } from '../errors.ts';

/** A variable with what is between its quotes and what follows them, or with the rest of its line. */
const VARIABLE = /^[^\S\n]*(?:export\s+)?([^\s=#]+)[^\S\n]*=(?:[^\S\n]*(["'`])[^]*?\2([^\n]*)|([^\n]*))/gm;

/**
 * The variables in the text of a file `.env`.
 * @throws OperatorError, without the value, for a value that Node.js would cut where its author may not mean it to end
 */
export function parseEnvFile(text: string): NodeJS.Dict<string> {
  for (const [, name, , behindQuotes = '', unquoted = ''] of text.matchAll(VARIABLE))
    if (!/^\s*(#|$)/.test(behindQuotes) || /^#|\S#|^\s*["'`]/.test(unquoted))
      throw new OperatorError(
        `The file .env does not show where the value of ${name} ends: outside quotes a # begins a comment, and a quote ends where it comes again. Put the whole value between ', " or \`, whichever it does not contain, and a blank before the # of a comment.`,
      );
  return parseEnv(text);
}
