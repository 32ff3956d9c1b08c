import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Row } from './table.ts';

/** A file being sent. `add` resolves when the client keeps up again; both resolve early when it left. */
export interface Sheet {
  add(rows: readonly Row[]): Promise<void>;
  finish(): Promise<void>;
}

/** Longest that a client may take for what it was sent, a thousand rows or less, as which it holds a connection to the database. */
export const STALLED_MS = 60_000;

/** Waits for the emitter's event or for the client to leave; one that does not read is left. */
export function until(
  res: ServerResponse,
  event: 'drain' | 'finish',
  emitter: EventEmitter = res,
): Promise<void> {
  return new Promise(resolve => {
    const stalled = setTimeout(() => res.destroy(), STALLED_MS);
    const settle = () => {
      clearTimeout(stalled);
      emitter.off(event, settle);
      res.off('close', settle);
      resolve();
    };
    emitter.on(event, settle);
    res.on('close', settle);
  });
}
