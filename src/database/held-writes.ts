import type { Pool, PoolClient } from 'pg';
import { ignored, inBackground } from '../runtime/background.ts';
import { changeConnect } from './pool-connect.ts';
import type { Servers } from './servers.ts';

const HOLD = 'set default_transaction_read_only = on';
const RESUME = 'reset default_transaction_read_only';

/**
 * Makes the connections of a pool read-only while commits wait for a standby that is away. A write that began then would
 * keep its connection to the server, and its locks, until the standby is back: PostgreSQL has no time limit for this wait,
 * and does not notice that its client has gone. So writes fail at once, as on a read-only database, and reads go on.
 */
export function holdWrites(pool: Pool, servers: Servers): void {
  const held = new WeakSet<PoolClient>();
  changeConnect(
    pool,
    connect => acquired =>
      connect((error, client, release) => {
        const { awaitsStandby } = servers;
        if (client && awaitsStandby !== held.has(client)) {
          if (awaitsStandby) held.add(client);
          else held.delete(client);
          // It runs before what the caller sends.
          inBackground(client.query(awaitsStandby ? HOLD : RESUME), ignored);
        }
        acquired(error, client, release);
      }),
  );
}
