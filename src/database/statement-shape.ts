import { createHash } from 'node:crypto';

/** What may be logged of a statement: nothing that came from a client. */
export interface StatementShape {
  /** `select`, `insert`, … */
  operation: string;
  /** The same for all statements that differ only in their values. */
  hash: string;
  /** Its text with `?` for values. */
  text: string;
}

/** Quoted names, which stay; and texts, parameters and numbers, which are values. */
const PARTS =
  /("(?:[^"]|"")*")|\be'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|\$\d+|\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi;
/** Lists of values, and lists of rows, of any length. */
const LISTS = /\?(?:\s*,\s*\?)+/g;
const ROWS = /\(\?\)(?:\s*,\s*\(\?\))+/g;

/** The shape of a statement. The ORM writes values into the text of its statements, so they are replaced. */
export function statementShape(statement: string): StatementShape {
  const text = statement
    .replace(PARTS, (_part, name?: string) => name ?? '?')
    .replace(LISTS, '?')
    .replace(ROWS, '(?)')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const operation = /^\w+/.exec(text)?.[0].toLowerCase() ?? 'other';
  return { operation, hash: createHash('sha256').update(text).digest('hex').slice(0, 12), text };
}
