import { openSpan } from '../runtime/spans.ts';
import { currentTrace, timed } from '../runtime/trace.ts';
import type { NoteStatement } from './slow-statements.ts';
import { statementShape } from './statement-shape.ts';

/**
 * Starts to measure a statement. Returns a function for its end, which adds it to the trace of its request and to the
 * log of slow statements.
 */
function watched(text: string, note: NoteStatement | undefined): (failed: boolean) => void {
  const start = performance.now();
  const request = currentTrace();
  const span = openSpan('client', () => {
    const { operation, hash } = statementShape(text);
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'sii.statement': hash,
    };
    return { name: `${operation} ${hash}`, attributes };
  });
  return failed => {
    span?.end({ failed });
    note?.(text, performance.now() - start, request);
  };
}

/** Awaits the answer of a statement, and adds its time to its request. */
export async function observed<T>(text: string, answer: Promise<T>, note?: NoteStatement): Promise<T> {
  const end = watched(text, note);
  try {
    const result = await timed(answer);
    end(false);
    return result;
  } catch (error) {
    end(true);
    throw error;
  }
}

export type Callback = (error: unknown, ...rest: unknown[]) => unknown;

/** Measures a statement with a callback. The pool has already added its time to the request. */
export function observing(text: string, callback: Callback, note?: NoteStatement): Callback {
  const end = watched(text, note);
  return (error, ...rest) => {
    end(Boolean(error));
    return callback(error, ...rest);
  };
}
