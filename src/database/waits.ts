import type { Pool } from 'pg';
import { timed } from '../trace.ts';

type Asked = (...args: unknown[]) => unknown;

/** Counts as a request's time for the database all that it waits for at a pool: a connection, alone or for one statement. */
export function countWaits(pool: Pool): void {
  pool.connect = counted(pool.connect.bind(pool) as Asked) as Pool['connect'];
  pool.query = counted(pool.query.bind(pool)) as Pool['query'];
}

/** What asks with a callback is part of what is counted already. */
const counted =
  (ask: Asked): Asked =>
  (...args) => {
    const answer = ask(...args);
    return answer instanceof Promise ? timed(answer) : answer;
  };
