import type { Provenance } from './table.ts';
import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Rows } from './table.ts';

/** An xlsx sheet has 1,048,576 rows, some of which are for the header and the totals. A csv has no limit. */
export const MAX_SHEET_ROWS = 1_048_000;

/**
 * A spreadsheet that is being sent. `add` resolves when the client can take more. Both methods resolve early when the
 * client closed the connection.
 */
export interface Sheet<Batch extends Rows> {
  add(rows: Batch): Promise<void>;
  finish(): Promise<void>;
}

/**
 * Writes to a response. The promise resolves when the client can take more, or has closed the connection. All writes
 * share one listener, because a compressed response never releases listeners.
 */
export function paced(res: ServerResponse): (part: string | Uint8Array) => Promise<void> {
  let resume: (() => void) | undefined;
  const settle = (): void => resume?.();
  res.on('drain', settle);
  res.on('close', settle);
  return part =>
    res.destroyed || res.write(part) ? Promise.resolve() : new Promise(resolve => (resume = resolve));
}

/** Waits for the emitter's event, or until the client closes the connection. Resolves at once if it has closed it already. */
export function until(
  res: ServerResponse,
  event: 'drain' | 'finish',
  emitter: EventEmitter = res,
): Promise<void> {
  if (res.destroyed) return Promise.resolve();
  return new Promise(resolve => {
    const settle = () => {
      emitter.off(event, settle);
      res.off('close', settle);
      resolve();
    };
    emitter.on(event, settle);
    res.on('close', settle);
  });
}

export interface SheetOptions extends Provenance {
  /** Time zone of the file's date and time. */
  timeZone: string;
}
