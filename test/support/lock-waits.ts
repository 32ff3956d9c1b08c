/** Finds waiters for such a lock only in this database, because other tests use the same server at the same time. */
export const lockWaits = (such: string): string =>
  `select pid from pg_locks
   where not granted and ${such} and database = (select oid from pg_database where datname = current_database())`;
