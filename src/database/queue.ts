import type { Pool } from 'pg';
import { AppError } from '../errors.ts';
import { databaseTexts } from './messages.ts';

type Callback = (error: Error) => void;

const RETRY_SECONDS = 2;

/** Makes a pool throw UNAVAILABLE when `most` requests already wait for a connection. */
export function boundQueue(pool: Pool, most: number): void {
  const connect = pool.connect.bind(pool) as (callback?: Callback) => unknown;
  const bounded = (callback?: Callback): unknown => {
    if (pool.waitingCount < most) return connect(callback);
    const refusal = new AppError('UNAVAILABLE', {
      detail: databaseTexts.overloaded,
      retryAfter: RETRY_SECONDS,
    });
    return callback ? process.nextTick(callback, refusal) : Promise.reject(refusal);
  };
  pool.connect = bounded as Pool['connect'];
}
