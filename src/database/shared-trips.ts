import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as otherReads } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { timed } from '../runtime/trace.ts';
import { isLost } from './errors.ts';
import type { PipeliningReader, Statement } from './reader.ts';

/** Most reads of a trip. They run one after the other on one connection. */
const MOST = 8;

/** A read that waits longer for a lock, such as that of a migration, fails its trip, so that the others need not wait. */
const IMPATIENT: Statement = { text: `select set_config('lock_timeout', '100ms', true)`, values: [] };

/** Runs code of no request. What a trip takes counts for each request that waits for it. */
const apart = AsyncLocalStorage.snapshot();

interface Trip {
  statements: Statement[];
  reads: number;
  /** The rows of all statements. */
  found: Promise<unknown[][][]>;
}

/**
 * Quick reads that begin in the same turn of the event loop share a trip: one connection, one write to its socket, one
 * transaction and one answer. For a process under load, these cost more than the reads. Each statement still sees what was
 * committed before it began. If a statement fails, the reads of its trip are done again, each by itself.
 */
export function sharingTrips(reader: PipeliningReader): PipeliningReader {
  let boarding: Trip | undefined;

  const begin = (): Trip => {
    const statements: Statement[] = [];
    const start = async (): Promise<unknown[][][]> => {
      await otherReads();
      if (boarding === trip) boarding = undefined;
      if (trip.reads === 1) return reader.together(statements);
      const [, ...found] = await reader.together([IMPATIENT, ...statements]);
      return found;
    };
    const trip: Trip = { statements, reads: 0, found: apart(start) };
    return trip;
  };

  const share = async (own: readonly Statement[]): Promise<unknown[][][]> => {
    if (!boarding || boarding.reads === MOST) boarding = begin();
    const trip = boarding;
    const first = trip.statements.length;
    trip.reads += 1;
    const within = AsyncLocalStorage.snapshot();
    for (const statement of own) trip.statements.push({ ...statement, within });
    try {
      return (await timed(trip.found)).slice(first, first + own.length);
    } catch (error) {
      if (trip.reads === 1 || !(error instanceof DatabaseError) || isLost(error)) throw error;
      return reader.together(own);
    }
  };

  return {
    ...reader,
    together: statements =>
      statements.every(({ isQuick }) => isQuick) ? share(statements) : reader.together(statements),
  };
}
