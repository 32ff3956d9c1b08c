import { callbackify } from 'node:util';
import type { Pool, PoolClient } from 'pg';
import { changeConnect } from './pool-connect.ts';

/** Idle time after which a connection is tested before use. A firewall may have dropped it silently. */
const TRUSTED_MS = 1_000;
/** Longest wait for the test. */
const PROOF_MS = 2_000;

/** Adds the socket of a connection, which the driver does not declare. */
type WithSocket = PoolClient & { connection: { stream: { destroy: () => void } } };

/**
 * Makes a pool test connections that were idle for a while, and replace dead ones, so that no statement has to be sent
 * twice. When one is dead, all connections last used before it are closed without a test, because they are most likely
 * dead too.
 */
export function proveIdle(pool: Pool): void {
  const usedAt = new WeakMap<PoolClient, number>();
  let silentAt = -Infinity;
  pool.on('release', (_error, client) => {
    usedAt.set(client, performance.now());
  });

  const lives = async (client: PoolClient, used: number): Promise<boolean> => {
    const isTested = used > silentAt;
    if (isTested && (await answers(client))) return true;
    if (isTested) silentAt = performance.now();
    client.release(true);
    (client as WithSocket).connection.stream.destroy();
    return false;
  };
  const living = async (client: PoolClient, used: number): Promise<PoolClient> =>
    (await lives(client, used)) ? client : pool.connect();
  const prove = callbackify(living);

  changeConnect(
    pool,
    connect => acquired =>
      connect((error, client, release) => {
        const used = client && usedAt.get(client);
        if (used === undefined || performance.now() - used < TRUSTED_MS) acquired(error, client, release);
        else
          prove(client!, used, (silence, found) =>
            acquired(silence, found, failed => found?.release(failed)),
          );
      }),
  );
}

const answers = (client: PoolClient): Promise<boolean> =>
  client.query({ text: 'select 1', query_timeout: PROOF_MS } as { text: string }).then(
    () => true,
    () => false,
  );
