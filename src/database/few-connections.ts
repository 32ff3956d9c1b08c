import type { Pool } from 'pg';
import { changeConnect, type Acquired } from './pool-connect.ts';

/** SQLSTATE of a server that refuses a connection, because it, the database or the user has too many. */
export const TOO_MANY = '53300';
/** Time after a refusal until the pool tries again to open a further connection, in milliseconds. */
export const PAUSE_MS = 2_000;

/**
 * Makes a pool use the connections that it has while the server refuses further ones, as during a deployment, when old
 * and new processes share what the server allows. A request fails only if the pool has none.
 */
export function useFewer(pool: Pool): void {
  const most = pool.options.max;
  let pausedUntil = -Infinity;
  /** Without those that are still opening, which may be refused as well. */
  let open = 0;
  pool.on('connect', () => (open += 1));
  pool.on('remove', () => (open -= 1));
  changeConnect(pool, connect => {
    const acquire = (acquired: Acquired, until: number): void => {
      if (performance.now() > pausedUntil) pool.options.max = most;
      connect((error, client, release) => {
        if (error?.code !== TOO_MANY || open === 0 || performance.now() > until) {
          acquired(error, client, release);
          return;
        }
        pool.options.max = open;
        pausedUntil = performance.now() + PAUSE_MS;
        acquire(acquired, until);
      });
    };
    return acquired => acquire(acquired, performance.now() + (pool.options.connectionTimeoutMillis ?? 0));
  });
}
