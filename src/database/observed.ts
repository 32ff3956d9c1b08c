import { openSpan } from '../runtime/spans.ts';
import { currentTrace, timed } from '../runtime/trace.ts';
import type { NoteStatement } from './slow-statements.ts';
import { statementShape } from './statement-shape.ts';

/** Begins to watch a statement. Returns what ends it: it is shown in the trace of its request, and noted. */
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

/** The answer to a statement that is watched. Its time is counted for its request. */
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

/** The same for the callback of a statement, whose time the pool counts. */
export function observing(text: string, callback: Callback, note?: NoteStatement): Callback {
  const end = watched(text, note);
  return (error, ...rest) => {
    end(Boolean(error));
    return callback(error, ...rest);
  };
}
