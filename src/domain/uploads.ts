import type { EntityManager } from '@mikro-orm/postgresql';
import { sharedLock, takeLock } from '../database/locks.ts';
import { transactionReader, type Reader } from '../database/reader.ts';

/** How long a content that no record uses is safe from being swept: an upload may be about to use it. */
export const GRACE_HOURS = 24;

/** Waits while the same content is being swept; from then on it is safe for the time of grace. */
const CLAIM = `with alone as materialized (select ${sharedLock('fileContents', '$1')})
insert into envio_arquivo (sha256) select $1 from alone
on conflict (sha256) do update set momento = clock_timestamp()`;

const IN_USE = `select exists (select from arquivo_digital where sha256 = $1) or exists (
  select from envio_arquivo where sha256 = $1 and momento > now() - make_interval(secs => $2)) as c0`;

/** Says that a content is about to be put into the storage, and a record that uses it to be written. */
export async function claimContent(reader: Reader, sha256: string): Promise<void> {
  await reader.rows(CLAIM, [sha256]);
}

/**
 * Does the work if no record uses the content and no upload is about to, and keeps uploads of it waiting meanwhile.
 * Answers whether it did.
 */
export async function whileUnused(
  em: EntityManager,
  sha256: string,
  graceSeconds: number,
  work: () => Promise<void>,
): Promise<boolean> {
  return em.fork().transactional(async inside => {
    const reader = transactionReader(inside);
    await takeLock(reader, 'fileContents', sha256);
    const [[inUse]] = (await reader.rows(IN_USE, [sha256, graceSeconds])) as [[boolean]];
    if (!inUse) await work();
    return !inUse;
  });
}

/** Forgets uploads that are over. */
export async function dropOldClaims(reader: Reader, graceSeconds: number): Promise<void> {
  await reader.rows('delete from envio_arquivo where momento <= now() - make_interval(secs => $1)', [
    graceSeconds,
  ]);
}
