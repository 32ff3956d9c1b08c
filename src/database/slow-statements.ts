import type { Logger } from 'pino';
import type { Trace } from '../runtime/trace.ts';
import { statementShape } from './statement-shape.ts';

/** Records a statement after its answer. */
export type NoteStatement = (text: string, ms: number, request: Trace | undefined) => void;

/** Most texts that the log is known to contain, by hash. */
const MOST_KNOWN = 500;
/** Longest text in the log. */
const MOST_TEXT = 2_000;

/**
 * Logs statements that took at least `ms` milliseconds; 0 logs none. A line names the request and the operation. The
 * first line of each hash also has the text, without values.
 */
export function slowStatements(ms: number, log: Logger): NoteStatement | undefined {
  if (ms === 0) return undefined;
  const known = new Set<string>();
  return (statement, took, request) => {
    if (took < ms) return;
    const { hash, text, operation: kind } = statementShape(statement);
    const isNew = !known.has(hash) && known.size < MOST_KNOWN;
    if (isNew) known.add(hash);
    log.warn(
      {
        requestId: request?.requestId,
        operation: request?.operation,
        kind,
        statement: hash,
        ms: Math.round(took),
        text: isNew ? text.slice(0, MOST_TEXT) : undefined,
      },
      'slow statement',
    );
  };
}
