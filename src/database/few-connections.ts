import { callbackify } from 'node:util';
import type { Pool, PoolClient } from 'pg';
import { inTime } from '../runtime/in-time.ts';
import { TOO_MANY } from './asked-server.ts';
import { changeConnect, type Acquired } from './pool-connect.ts';
import type { Servers } from './servers.ts';

/** Time after a refusal until the pool tries again to open a further connection, in milliseconds. */
export const PAUSE_MS = 2_000;
/** Longest wait until another pool has closed a connection, in milliseconds. */
const ROOM_MS = 3_000;

/** Closes one of a pool's connections, unless it is the last one. Returns whether it did. Never rejects. */
type Give = () => Promise<boolean>;

/** The pool that gives up connections to these servers when the others of this process have none. */
const givers = new WeakMap<Servers, Give>();

export const giveRoom = (servers: Servers, give: Give): unknown => givers.set(servers, give);

const makeRoom = async (servers: Servers): Promise<boolean> => {
  const give = givers.get(servers);
  return give !== undefined && inTime(give(), ROOM_MS, () => false);
};

const isFull = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === TOO_MANY;

/**
 * Opens a connection outside the pools. If the server has too many, a pool closes one of its own, and `open` is called once
 * more. @throws the errors of `open`
 */
export async function inRoom<T>(servers: Servers, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!isFull(error) || !(await makeRoom(servers))) throw error;
    return open();
  }
}

/**
 * Makes a pool use the connections that it has while the server refuses further ones, as during a deployment, when old
 * and new processes share what the server allows. If it has none, the pool that gives room closes one, which may be idle
 * for minutes. A request fails only if that has none to spare. Returns how this pool itself gives room.
 */
export function useFewer(pool: Pool, servers: Servers): Give {
  const most = pool.options.max;
  let pausedUntil = -Infinity;
  /** Without those that are still opening, which may be refused as well. */
  let open = 0;
  pool.on('connect', () => (open += 1));
  pool.on('remove', () => (open -= 1));
  const pause = (max: number): void => {
    pool.options.max = Math.max(max, 1);
    pausedUntil = performance.now() + PAUSE_MS;
  };

  let room: Promise<boolean> | undefined;
  const findRoom = callbackify(() => (room ??= makeRoom(servers).finally(() => (room = undefined))));
  let give: Give;
  changeConnect(pool, connect => {
    const deadline = (): number => performance.now() + (pool.options.connectionTimeoutMillis ?? 0);
    const acquire = (acquired: Acquired, until: number, mayAsk: boolean): void => {
      if (performance.now() > pausedUntil) pool.options.max = most;
      connect((error, client, release) => {
        const isRefused = isFull(error) && performance.now() <= until;
        if (isRefused) pause(open);
        if (isRefused && open > 0) acquire(acquired, until, mayAsk);
        else if (isRefused && mayAsk) {
          findRoom((_none, isMade) => (isMade ? acquire(acquired, deadline(), false) : acquired(error)));
        } else acquired(error, client, release);
      });
    };

    give = async () => {
      if (open < 2) return false;
      // So that it waits for its turn, and opens no further one.
      pause(open);
      const client = await new Promise<PoolClient | undefined>(resolve => {
        connect((_error, found) => resolve(found));
      });
      if (!client) return false;
      const isGiven = open > 1;
      if (isGiven) pause(open - 1);
      const closed = isGiven && removal(pool, client);
      client.release(isGiven);
      await closed;
      return isGiven;
    };
    return acquired => acquire(acquired, deadline(), true);
  });

  // One after another, so that two do not both take the last but one.
  let giving = Promise.resolve(false);
  return () => (giving = giving.then(give));
}

/** Resolves when the pool has closed the connection: then the server has room for another one. */
const removal = (pool: Pool, client: PoolClient): Promise<void> =>
  new Promise(resolve => {
    const removed = (one: PoolClient): void => {
      if (one !== client) return;
      pool.off('remove', removed);
      resolve();
    };
    pool.on('remove', removed);
  });
