import type { EntityManager } from '@mikro-orm/postgresql';
import { sharedLock, takeLock } from '../database/locks.ts';
import { transactionReader, type Reader } from '../database/reader.ts';

/** Grace period of unused contents: an upload may be about to use them. */
export const GRACE_HOURS = 24;

/** Waits while the same content is being swept. After that the content is safe for the grace period. */
const CLAIM = `with alone as materialized (select ${sharedLock('fileContents', '$1')})
insert into envio_arquivo (sha256) select $1 from alone
on conflict (sha256) do update set momento = clock_timestamp()`;

const IN_USE = `select exists (select from arquivo_digital where sha256 = $1)
  or exists (select from selo_auditoria where arquivo = $1) or exists (
  select from envio_arquivo where sha256 = $1 and momento > now() - make_interval(secs => $2)) as c0`;

/**
 * Claims a content before it is stored, so that a sweep does not delete it before a record or an archive uses it. In a
 * transaction, a sweep of the content also waits until the transaction ends.
 */
export async function claimContent(reader: Reader, sha256: string): Promise<void> {
  await reader.rows(CLAIM, [sha256]);
}

/**
 * Runs the work if no record, archive or claim uses the content. Claims of the same content wait meanwhile. Returns
 * whether the work ran.
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

/** Deletes claims older than the grace period. */
export async function dropOldClaims(reader: Reader, graceSeconds: number): Promise<void> {
  await reader.rows('delete from envio_arquivo where momento <= now() - make_interval(secs => $1)', [
    graceSeconds,
  ]);
}
