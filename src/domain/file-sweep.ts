import { isLocked } from '../database/errors.ts';
import type { Reader } from '../database/reader.ts';
import { type Services } from '../request/services.ts';
import { type Content } from '../storage/content.ts';
import { isStorageAway } from '../storage/away.ts';
import { Patience } from '../storage/patience.ts';
import type { StoredContent } from '../storage/storage.ts';
import { damageOf, type DamagedContent } from '../storage/verified.ts';
import { readSeals } from './audit/seals.ts';
import { requireOwner } from './file-owner.ts';
import { momentBefore, sweepIncoming } from './incoming-sweep.ts';
import { dropOldClaims, whileUnused } from './uploads.ts';

/** A content in use. */
interface UsedContent extends Content {
  /** Ids of its records; none for an archive. */
  records: number[];
  /** Part of the audit trail that it archives. */
  part?: string;
}

/** A content in use that is missing or damaged in the storage, or that the storage did not send. */
export interface BrokenContent extends UsedContent {
  reason: DamagedContent['reason'] | 'unread';
}

/** Result of a sweep. */
export interface SweepReport {
  /** Removed contents. No record used them. */
  removed: Content[];
  /** Whether all unused contents were removed. Otherwise the storage did not answer, and a later sweep removes the rest. */
  removedAll: boolean;
  /** Number of contents that other transactions held, such as uploads of the same bytes. A later sweep looks at them. */
  held: number;
  /** Number of files removed from this machine that incomplete uploads and ended imports have left. */
  incomplete: number;
  broken: BrokenContent[];
  /** Number of contents in use. */
  checked: number;
}

/** Told what a sweep does and finds while it runs. It may take hours. */
export interface SweepWatcher {
  onRemoved: (content: Content) => void;
  /** For an unused content whose removal the storage did not confirm. */
  onKept: (content: Content) => void;
  onBroken: (content: BrokenContent) => void;
}

const NOBODY: SweepWatcher = {
  onRemoved: () => undefined,
  onKept: () => undefined,
  onBroken: () => undefined,
};

const BATCH = 500;

const MEANWHILE =
  'The sweep ended: what it removed was unused by what the former primary knew. Sweep again, which verifies all contents in use.';

/**
 * Removes unused contents and incomplete uploads, and verifies the contents of all records and archives. The
 * service may run meanwhile: contents in their grace period, or that are being stored again, are skipped.
 * @throws OperatorError when the storage belongs to another database, or another server becomes the primary; UNAVAILABLE
 * when several contents in a row cannot be read
 */
export async function sweepFiles(
  services: Services,
  graceSeconds: number,
  watcher = NOBODY,
): Promise<SweepReport> {
  const { listing } = services;
  const requireSamePrimary = services.servers.beginLongWork(MEANWHILE);
  await requireOwner(services);
  const old = await momentBefore(listing.reader, graceSeconds);
  const incomplete = await sweepIncoming(services, graceSeconds);
  const removal = await removeUnused(services, { graceSeconds, old, requireSamePrimary }, watcher);
  await dropOldClaims(listing.reader, graceSeconds);
  const checked = await check(services, watcher);
  await requireSamePrimary();
  return { ...removal, incomplete, ...checked };
}

/** What a removal needs. */
interface Removing {
  graceSeconds: number;
  /** Contents that were stored later are not looked at. */
  old: Date;
  requireSamePrimary: () => Promise<void>;
}

/** Removes unused contents. A storage that stops answering ends it, but not the sweep: contents may still be readable. */
async function removeUnused(
  services: Services,
  { graceSeconds, old, requireSamePrimary }: Removing,
  { onRemoved, onKept }: SweepWatcher,
): Promise<Pick<SweepReport, 'removed' | 'removedAll' | 'held'>> {
  const { storage, orm } = services;
  const patience = new Patience();
  const removed: Content[] = [];
  let removedAll = true;
  let held = 0;
  try {
    for await (const batch of storage.inBatches()) {
      for (const { sha256, size, storedAt } of await unused(services, batch)) {
        if (storedAt > old) continue;
        // Only the primary knows which contents are in use.
        await requireSamePrimary();
        let isThere = false;
        let isHeld = false;
        // If it fails, it is left to the next sweep, because the storage may still carry it out.
        const done = await patience.once(() =>
          whileUnused(orm.em, sha256, graceSeconds, async () => {
            // Another sweep may have removed it since it was listed.
            isThere = await storage.has(sha256);
            await storage.remove(sha256);
          }).catch((error: unknown) => {
            if (!isLocked(error)) throw error;
            isHeld = true;
            return false;
          }),
        );
        if (isHeld) held += 1;
        else if (done && isThere) {
          removed.push({ sha256, size });
          onRemoved({ sha256, size });
        } else if (done === undefined) {
          removedAll = false;
          onKept({ sha256, size });
        }
      }
    }
  } catch (error) {
    if (!isStorageAway(error)) throw error;
    removedAll = false;
  }
  return { removed, removedAll, held };
}

async function unused({ listing }: Services, contents: readonly StoredContent[]): Promise<StoredContent[]> {
  const rows = await listing.reader.rows(
    `select sha256 as c0 from arquivo_digital where sha256 = any($1)
     union select arquivo from selo_auditoria where arquivo = any($1)`,
    [contents.map(({ sha256 }) => sha256)],
  );
  const used = new Set(rows.flat());
  return contents.filter(({ sha256 }) => !used.has(sha256));
}

async function check(
  { storage, listing }: Services,
  { onBroken }: SweepWatcher,
): Promise<Pick<SweepReport, 'broken' | 'checked'>> {
  const patience = new Patience();
  const broken: SweepReport['broken'] = [];
  let checked = 0;
  for await (const used of inUse(listing.reader)) {
    const read = await patience.read(async () => ({ reason: await damageOf(storage, used) }));
    const reason = read ? read.reason : 'unread';
    const left = reason ? await stillUsed(listing.reader, used) : used;
    if (!left) continue;
    if (reason) {
      broken.push({ ...left, reason });
      onBroken({ ...left, reason });
    }
    checked += 1;
  }
  return { broken, checked };
}

/** Those of the given records that still have the content. */
const LEFT = 'select id as c0 from arquivo_digital where id = any($1) and sha256 = $2 order by id';

const STILL_ARCHIVED = 'select from selo_auditoria where parte = $1 and arquivo = $2';

/**
 * A content without the records that were deleted since the sweep read them; undefined if none is left, because another
 * sweep may have removed it.
 */
async function stillUsed(reader: Reader, used: UsedContent): Promise<UsedContent | undefined> {
  const { sha256, records, part } = used;
  if (part !== undefined)
    return (await reader.rows(STILL_ARCHIVED, [part, sha256])).length > 0 ? used : undefined;
  const left = (await reader.rows(LEFT, [records, sha256])) as [number][];
  return left.length > 0 ? { ...used, records: left.flat() } : undefined;
}

/** Contents of records after a given digest, each with the ids of its records. */
const OF_RECORDS = `select sha256 as c0, tamanho as c1, array_agg(id order by id) as c2 from arquivo_digital
where sha256 > $1 group by sha256, tamanho order by sha256, tamanho limit ${BATCH}`;

async function* inUse(reader: Reader): AsyncGenerator<UsedContent> {
  for (let last: string | undefined = ''; last !== undefined;) {
    const rows = (await reader.rows(OF_RECORDS, [last])) as [string, number, number[]][];
    for (const [sha256, size, records] of rows) yield { sha256, size, records };
    last = rows.length < BATCH ? undefined : rows.at(-1)![0];
  }
  for (const { part, file } of await readSeals(reader)) if (file) yield { ...file, records: [], part };
}
