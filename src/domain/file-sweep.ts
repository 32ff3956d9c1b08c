import { type Services } from '../request/services.ts';
import { sweepFolder } from '../storage/incoming.ts';
import { type Content } from '../storage/content.ts';
import type { StoredContent } from '../storage/storage.ts';
import { damageOf, type DamagedContent } from '../storage/verified.ts';
import { requireOwner } from './file-owner.ts';
import { dropOldClaims, whileUnused } from './uploads.ts';

/** Result of a sweep. */
export interface SweepReport {
  /** Removed contents. No record used them. */
  removed: Content[];
  /** Number of incomplete uploads removed from this machine. */
  incomplete: number;
  /** Contents that records use and that are missing or damaged in the storage. */
  broken: (Content & { reason: DamagedContent['reason']; records: number[] })[];
  /** Number of contents that were read and verified. */
  checked: number;
}

const BATCH = 500;

/**
 * Removes unused contents and incomplete uploads, and verifies the contents of all records. The service may run
 * meanwhile: contents in their grace period, or that are being uploaded again, are skipped.
 * @throws OperatorError when the storage belongs to another database
 */
export async function sweepFiles(services: Services, graceSeconds: number): Promise<SweepReport> {
  const { storage, listing } = services;
  await requireOwner(services);
  const [row] = await listing.reader.rows('select now() - make_interval(secs => $1)', [graceSeconds]);
  const old = new Date(row![0] as string);
  const incomplete = await sweepFolder(storage.incoming, old);
  const removed = await removeUnused(services, graceSeconds, old);
  await dropOldClaims(listing.reader, graceSeconds);
  return { removed, incomplete, ...(await check(services)) };
}

async function removeUnused(services: Services, graceSeconds: number, old: Date): Promise<Content[]> {
  const { storage, orm } = services;
  const removed: Content[] = [];
  for await (const batch of storage.inBatches()) {
    for (const { sha256, size } of await unused(services, batch)) {
      const { storedAt } = batch.find(content => content.sha256 === sha256)!;
      if (storedAt > old) continue;
      const done = await whileUnused(orm.em, sha256, graceSeconds, () => storage.remove(sha256));
      if (done) removed.push({ sha256, size });
    }
  }
  return removed;
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

/** Used contents after a given digest, each with the ids of its records. */
const USED = `select sha256 as c0, tamanho as c1, array_agg(id order by id) as c2 from arquivo_digital
where sha256 > $1 group by sha256, tamanho order by sha256, tamanho limit ${BATCH}`;

async function check({ storage, listing }: Services): Promise<Pick<SweepReport, 'broken' | 'checked'>> {
  const broken: SweepReport['broken'] = [];
  let checked = 0;
  for (let last = ''; ;) {
    const rows = (await listing.reader.rows(USED, [last])) as [string, number, number[]][];
    for (const [sha256, size, records] of rows) {
      const reason = await damageOf(storage, { sha256, size });
      if (reason) broken.push({ sha256, size, reason, records });
      checked += 1;
    }
    if (rows.length < BATCH) return { broken, checked };
    last = rows.at(-1)![0];
  }
}
