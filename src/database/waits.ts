import type { Pool } from 'pg';
import { timed } from '../runtime/trace.ts';

type AnyFunction = (...args: unknown[]) => unknown;

/** Counts every wait for a pool (for a connection or a statement) as database time of the request. */
export function countWaits(pool: Pool): void {
  pool.connect = counted(pool.connect.bind(pool) as AnyFunction) as Pool['connect'];
  pool.query = counted(pool.query.bind(pool)) as Pool['query'];
}

/** Calls with a callback come from the pool itself, whose wait is counted already. */
const counted =
  (ask: AnyFunction): AnyFunction =>
  (...args) => {
    const answer = ask(...args);
    return answer instanceof Promise ? timed(answer) : answer;
  };
