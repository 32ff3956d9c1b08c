import type { EntityManager } from '@mikro-orm/postgresql';
import { sharedLock, takeLock } from '../database/locks.ts';
import { transactionReader, type Reader } from '../database/reader.ts';
import { AppError } from '../errors.ts';
import { storageTexts } from '../storage/messages.ts';

/** Grace period of unused contents: an upload may be about to use them. */
export const GRACE_HOURS = 24;

/** A removal whose answer is lost takes effect within this time, or never. */
const LATE_SECONDS = 3600;

/**
 * Waits while the same content is being swept. After that the content is safe for the grace period. Returns no row while an
 * unanswered removal of the content may still take effect.
 */
const CLAIM = `with alone as materialized (select ${sharedLock('fileContents', '$1')})
insert into envio_arquivo as e (sha256) select $1 from alone
on conflict (sha256) do update set momento = clock_timestamp(), removido_em = null
  where e.removido_em is null or e.removido_em < clock_timestamp() - make_interval(secs => ${LATE_SECONDS})
returning sha256`;

/**
 * Says that a removal has begun. It is no claim, so its moment protects nothing. Returns no row if the content was claimed
 * meanwhile.
 */
const MARK = `insert into envio_arquivo as e (sha256, momento, removido_em) values ($1, 'epoch', clock_timestamp())
on conflict (sha256) do update set removido_em = clock_timestamp()
  where e.momento <= now() - make_interval(secs => $2)
returning sha256`;

const IN_USE = `select exists (select from arquivo_digital where sha256 = $1)
  or exists (select from selo_auditoria where arquivo = $1) or exists (
  select from envio_arquivo where sha256 = $1 and momento > now() - make_interval(secs => $2)) as c0`;

/**
 * Claims a content before it is stored, so that a sweep does not delete it before a record or an archive uses it. In a
 * transaction, a sweep of the content also waits until the transaction ends.
 * @throws UNAVAILABLE while a removal of the content that the storage did not answer may still take effect
 */
export async function claimContent(reader: Reader, sha256: string): Promise<void> {
  const rows = await reader.rows(CLAIM, [sha256]);
  if (rows.length === 0)
    throw new AppError('UNAVAILABLE', { detail: storageTexts.beingRemoved, retryAfter: LATE_SECONDS });
}

/**
 * Runs the work, which removes a content, if no record, archive or claim uses it. Claims of the same content wait
 * meanwhile. If the work fails, or this process ends, the content may still be removed later, so a mark stays. Returns
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
    if (await isInUse(reader, sha256, graceSeconds)) return false;
    if (!(await marked(em, sha256, graceSeconds))) return false;
    await work();
    await reader.rows('delete from envio_arquivo where sha256 = $1', [sha256]);
    return true;
  });
}

async function isInUse(reader: Reader, sha256: string, graceSeconds: number): Promise<boolean> {
  const [[inUse]] = (await reader.rows(IN_USE, [sha256, graceSeconds])) as [[boolean]];
  return inUse;
}

/** The content gets a new user while it is being marked. */
class UsedMeanwhile extends Error {}

/**
 * Marks a removal, committed by a connection of its own: if the work fails, the mark stays. The connection with the lock may
 * have been lost unnoticed, so uses are looked for once more. From then on claims are refused. Returns whether it is marked.
 */
async function marked(em: EntityManager, sha256: string, graceSeconds: number): Promise<boolean> {
  try {
    await em.fork().transactional(async inside => {
      const reader = transactionReader(inside);
      const rows = await reader.rows(MARK, [sha256, graceSeconds]);
      if (rows.length === 0 || (await isInUse(reader, sha256, graceSeconds))) throw new UsedMeanwhile();
    });
    return true;
  } catch (error) {
    if (error instanceof UsedMeanwhile) return false;
    throw error;
  }
}

/**
 * Deletes claims older than the grace period, and marks of removals that cannot take effect any more, except those that
 * another transaction changes now.
 */
export async function dropOldClaims(reader: Reader, graceSeconds: number): Promise<void> {
  await reader.rows(
    `delete from envio_arquivo where sha256 in (select sha256 from envio_arquivo
      where momento <= now() - make_interval(secs => $1)
      and (removido_em is null or removido_em < now() - make_interval(secs => ${LATE_SECONDS}))
      for update skip locked)`,
    [graceSeconds],
  );
}
