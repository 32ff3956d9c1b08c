import type { Client } from 'pg';
import type { Reader } from './reader.ts';

/**
 * Advisory locks of PostgreSQL, for things that are not rows. The first key is this number: it identifies the kind of
 * thing. The second key identifies the thing. Numbers are never reused, because processes of two versions may run at
 * the same time.
 */
export const LOCKS = {
  migrations: 5_119_001,
  news: 5_119_002,
  administration: 5_119_003,
  idempotencyKeys: 5_119_004,
  fileContents: 5_119_005,
  /** The database function `reservar_tentativa` of the throttle takes it. */
  passwordAttempts: 5_119_006,
  /**
   * A month, as `2026-10`. The trigger of each movement takes the lock of its month shared, also in a session with another
   * time zone; closing the month takes it exclusively.
   */
  mapMonths: 5_119_007,
  auditArchive: 5_119_008,
} as const;

export type LockName = keyof typeof LOCKS;

/** Second key if there is only one thing of this kind. */
const ONLY = '';

/** SQL of both keys of a lock. `which` is an SQL expression of type text, for example a parameter. */
const keys = (name: LockName, which: string): string => `${LOCKS[name]}, hashtext(${which})`;

/** SQL that waits for a shared lock. It is released at the end of the transaction. */
export const sharedLock = (name: LockName, which: string): string =>
  `pg_advisory_xact_lock_shared(${keys(name, which)})`;

/** Waits for the lock. It is released at the end of the reader's transaction. */
export async function takeLock(reader: Reader, name: LockName, which = ONLY): Promise<void> {
  await reader.rows(`select pg_advisory_xact_lock(${keys(name, '$1::text')}) is null as c0`, [which]);
}

/** Takes the lock if it is free, without waiting. It is released at the end of the reader's transaction. */
export async function tryLock(reader: Reader, name: LockName, which = ONLY): Promise<boolean> {
  const rows = await reader.rows(`select pg_try_advisory_xact_lock(${keys(name, '$1::text')}) as c0`, [
    which,
  ]);
  return rows[0]![0] as boolean;
}

/** Waits for the lock. It is released when the connection is closed. */
export async function takeSessionLock(client: Client, name: LockName): Promise<void> {
  await client.query(`select pg_advisory_lock(${keys(name, '$1::text')})`, [ONLY]);
}

/**
 * A connection as a sentence names it. `h` is its row of pg_stat_activity. Since when it is there, only a superuser, its own
 * user and members of pg_read_all_stats see.
 */
export const HOLDER = `format('process %s (%s of user %s%s)', h.pid, coalesce(nullif(h.application_name, ''), 'a program'),
  h.usename, ', since ' || date_trunc('second', coalesce(h.xact_start, h.backend_start)))`;

/** How to end a connection that `HOLDER` names, for a sentence. */
export const END_HOLDER =
  'select pg_terminate_backend(<process>), as its user, a superuser or a role with pg_signal_backend';

/** Who holds the lock, for a sentence; undefined if nobody does. */
export async function holderOf(client: Client, name: LockName): Promise<string | undefined> {
  const { rows } = await client.query<{ holder: string }>(
    `select ${HOLDER} as holder from pg_locks l join pg_stat_activity h on h.pid = l.pid
     where l.locktype = 'advisory' and l.granted and h.datname = current_database()
       and (l.classid, l.objid) = (${LOCKS[name]}, hashtext($1::text)::bigint & x'ffffffff'::bigint)`,
    [ONLY],
  );
  return rows[0]?.holder;
}

/** Takes the lock if it is free, without waiting. It is released when the connection is closed. */
export async function trySessionLock(client: Client, name: LockName): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_try_advisory_lock(${keys(name, '$1::text')}) as free`,
    [ONLY],
  );
  return rows[0]!.free;
}
