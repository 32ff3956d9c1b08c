import type { Pool } from 'pg';
import { AppError } from '../errors.ts';
import { databaseTexts } from './messages.ts';
import { changeConnect } from './pool-connect.ts';

const RETRY_SECONDS = 2;

/** Makes a pool throw UNAVAILABLE when `most` requests already wait for a connection. */
export function boundQueue(pool: Pool, most: number): void {
  changeConnect(pool, connect => acquired => {
    if (pool.waitingCount < most) connect(acquired);
    else
      process.nextTick(
        acquired,
        new AppError('UNAVAILABLE', { detail: databaseTexts.overloaded, retryAfter: RETRY_SECONDS }),
      );
  });
}
