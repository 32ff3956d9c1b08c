import { setTimeout as sleep } from 'node:timers/promises';

/** The result of the work, or that of `late` after `ms` milliseconds. The work itself is not aborted. */
export async function inTime<T>(work: Promise<T>, ms: number, late: () => T): Promise<T> {
  const patience = new AbortController();
  const lateness = sleep(ms, undefined, { signal: patience.signal }).then(late);
  lateness.catch(() => undefined);
  return Promise.race([work, lateness]).finally(() => patience.abort());
}
