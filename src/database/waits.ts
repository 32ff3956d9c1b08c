import type { Pool } from 'pg';
import { timed } from '../runtime/trace.ts';

type Asked = (...args: unknown[]) => unknown;

/** Adds every wait for a pool (for a connection, or for one statement) to the database time of the request. */
export function countWaits(pool: Pool): void {
  pool.connect = counted(pool.connect.bind(pool) as Asked) as Pool['connect'];
  pool.query = counted(pool.query.bind(pool)) as Pool['query'];
}

/** Calls with a callback come from the pool itself, which is already counted. */
const counted =
  (ask: Asked): Asked =>
  (...args) => {
    const answer = ask(...args);
    return answer instanceof Promise ? timed(answer) : answer;
  };
