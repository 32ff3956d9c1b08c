import { AsyncResource } from 'node:async_hooks';
import type { Pool } from 'pg';
import { timed } from '../runtime/trace.ts';

type AnyFunction = (...args: unknown[]) => unknown;

/** Counts every wait for a pool (for a connection or an answer) as database time of the request. */
export function countWaits(pool: Pool): void {
  pool.connect = counted(pool.connect.bind(pool) as AnyFunction) as Pool['connect'];
  pool.query = counted(pool.query.bind(pool)) as Pool['query'];
}

/**
 * Calls with a callback come from the pool itself, whose wait is counted already. The callback is bound to its own
 * request, because a request that returns a connection triggers it.
 */
const counted =
  (ask: AnyFunction): AnyFunction =>
  (...args) => {
    const last = args.at(-1);
    const bound =
      typeof last === 'function' ? [...args.slice(0, -1), AsyncResource.bind(last as AnyFunction)] : args;
    const answer = ask(...bound);
    return answer instanceof Promise ? timed(answer) : answer;
  };
