import type { Client } from 'pg';
import type { Reader } from './reader.ts';

/**
 * Advisory locks of PostgreSQL, for things that are not rows. The number is the first key and stands for the kind of
 * thing; the second key identifies the thing. Numbers are never reused, because processes of two versions may run at
 * the same time.
 */
export const LOCKS = {
  migrations: 5_119_001,
  news: 5_119_002,
  administration: 5_119_003,
  idempotencyKeys: 5_119_004,
  fileContents: 5_119_005,
  /** Taken by the function `reservar_tentativa` of the throttle. */
  passwordAttempts: 5_119_006,
  /** A month, as `2026-10`: triggers share that of each movement's month, and who closes the month has it alone. */
  mapMonths: 5_119_007,
} as const;

export type LockName = keyof typeof LOCKS;

/** Second key of a kind that has one thing only. */
const ONLY = '';

/** SQL of both keys of a lock. `which` is an SQL expression of type text, such as a parameter. */
const keys = (name: LockName, which: string): string => `${LOCKS[name]}, hashtext(${which})`;

/** SQL that waits for a shared lock. The transaction holds it until it ends. */
export const sharedLock = (name: LockName, which: string): string =>
  `pg_advisory_xact_lock_shared(${keys(name, which)})`;

/** Waits for the lock. The reader's transaction holds it until it ends. */
export async function takeLock(reader: Reader, name: LockName, which = ONLY): Promise<void> {
  await reader.rows(`select pg_advisory_xact_lock(${keys(name, '$1::text')}) is null as c0`, [which]);
}

/** Takes the lock only if it is free, without waiting. The reader's transaction holds it until it ends. */
export async function tryLock(reader: Reader, name: LockName, which = ONLY): Promise<boolean> {
  const rows = await reader.rows(`select pg_try_advisory_xact_lock(${keys(name, '$1::text')}) as c0`, [
    which,
  ]);
  return rows[0]![0] as boolean;
}

/** Waits for the lock. The connection holds it until it is closed. */
export async function takeSessionLock(client: Client, name: LockName): Promise<void> {
  await client.query(`select pg_advisory_lock(${keys(name, '$1::text')})`, [ONLY]);
}

/** Takes the lock only if it is free, without waiting. The connection holds it until it is closed. */
export async function trySessionLock(client: Client, name: LockName): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_try_advisory_lock(${keys(name, '$1::text')}) as free`,
    [ONLY],
  );
  return rows[0]!.free;
}
