import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any successful wait, even on a busy machine, but shorter than the time limit of a test. */
export const PATIENCE_MS = 90_000;

/**
 * Tries again until it succeeds.
 * @throws what the last attempt threw, when none of them succeeds
 */
export async function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(10);
    }
  }
}
