import { callbackify, promisify } from 'node:util';
import type { Pool, PoolClient } from 'pg';

/** Idle time after which a connection must show that it still lives. A firewall may have forgotten it, without a word. */
const TRUSTED_MS = 5_000;
/** Longest wait for that. */
const PROOF_MS = 2_000;

type Callback = (
  error: Error | null | undefined,
  client?: PoolClient,
  release?: PoolClient['release'],
) => void;

/** What the driver does not declare: the socket below a connection. */
type WithSocket = PoolClient & { connection: { stream: { destroy: () => void } } };

/**
 * Makes a pool give no connection that was idle for a while and is dead: it is asked for a sign of life first, and another
 * one takes its place if there is none. So nothing has to be sent twice. When one is silent, those that were used last
 * before that are not asked any more, since the same has most likely happened to them.
 */
export function proveIdle(pool: Pool): void {
  const usedAt = new WeakMap<PoolClient, number>();
  let silentAt = -Infinity;
  pool.on('release', (_error, client) => {
    usedAt.set(client, performance.now());
  });
  const connect = pool.connect.bind(pool) as (callback: Callback) => void;

  const lives = async (client: PoolClient, used: number): Promise<boolean> => {
    const asked = used > silentAt;
    if (asked && (await answers(client))) return true;
    if (asked) silentAt = performance.now();
    client.release(true);
    (client as WithSocket).connection.stream.destroy();
    return false;
  };
  const living = async (client: PoolClient, used: number): Promise<PoolClient> =>
    (await lives(client, used)) ? client : pool.connect();
  const prove = callbackify(living);

  const proven = (callback: Callback): void =>
    connect((error, client, release) => {
      const used = client && usedAt.get(client);
      if (used === undefined || performance.now() - used < TRUSTED_MS) callback(error, client, release);
      else
        prove(client!, used, (silence, found) => callback(silence, found, failed => found?.release(failed)));
    });
  const promised = promisify(proven);
  pool.connect = ((callback?: Callback) => (callback ? proven(callback) : promised())) as Pool['connect'];
}

const answers = (client: PoolClient): Promise<boolean> =>
  client.query({ text: 'select 1', query_timeout: PROOF_MS } as { text: string }).then(
    () => true,
    () => false,
  );
