import type { Client } from 'pg';
import type { Reader } from './reader.ts';

/**
 * What is locked by a name, since it is no row. The number is the first key of PostgreSQL's advisory locks and tells
 * what kind of thing is locked; the second key tells which one. A number that was ever used is not used for anything
 * else: processes of two versions may run at the same time.
 */
export const LOCKS = {
  migrations: 5_119_001,
  news: 5_119_002,
  administration: 5_119_003,
  idempotencyKeys: 5_119_004,
  fileContents: 5_119_005,
  /** Taken by the function `reservar_tentativa` of the throttle. */
  passwordAttempts: 5_119_006,
} as const;

export type LockName = keyof typeof LOCKS;

/** Of a kind of which there is only one thing. */
const ONLY = '';

/** SQL: the two keys of a lock. `which` is SQL, too: a parameter or an expression of type text. */
const keys = (name: LockName, which: string): string => `${LOCKS[name]}, hashtext(${which})`;

/** SQL: waits for the lock, which others may share and which the transaction holds to its end. */
export const sharedLock = (name: LockName, which: string): string =>
  `pg_advisory_xact_lock_shared(${keys(name, which)})`;

/** Waits for the lock. The transaction of the reader holds it to its end. */
export async function takeLock(reader: Reader, name: LockName, which = ONLY): Promise<void> {
  await reader.rows(`select pg_advisory_xact_lock(${keys(name, '$1::text')}) is null as c0`, [which]);
}

/** Takes the lock if it is free, without waiting. The transaction of the reader holds it to its end. */
export async function tryLock(reader: Reader, name: LockName, which = ONLY): Promise<boolean> {
  const rows = await reader.rows(`select pg_try_advisory_xact_lock(${keys(name, '$1::text')}) as c0`, [
    which,
  ]);
  return rows[0]![0] as boolean;
}

/** Waits for the lock. The connection holds it until it ends. */
export async function takeSessionLock(client: Client, name: LockName): Promise<void> {
  await client.query(`select pg_advisory_lock(${keys(name, '$1::text')})`, [ONLY]);
}

/** Takes the lock if it is free, without waiting. The connection holds it until it ends. */
export async function trySessionLock(client: Client, name: LockName): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_try_advisory_lock(${keys(name, '$1::text')}) as free`,
    [ONLY],
  );
  return rows[0]!.free;
}
