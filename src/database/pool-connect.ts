import type { Pool, PoolClient } from 'pg';

/** Gets a connection of a pool, or the error why there is none. */
export type Acquired = (
  error: (Error & { code?: string }) | null | undefined,
  client?: PoolClient,
  release?: PoolClient['release'],
) => void;

type Connect = (acquired: Acquired) => void;

/** Changes how a pool gives connections: to callers with a callback, as `pool.query` is, and to those that await one. */
export function changeConnect(pool: Pool, changed: (connect: Connect) => Connect): void {
  const connect = changed(pool.connect.bind(pool) as Connect);
  const promised = (): Promise<PoolClient> =>
    new Promise((resolve, reject) => {
      connect((error, client) => (client ? resolve(client) : reject(error!)));
    });
  pool.connect = ((acquired?: Acquired) => (acquired ? connect(acquired) : promised())) as Pool['connect'];
}
