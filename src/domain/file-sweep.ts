import type { Reader } from '../database/reader.ts';
import { type Services } from '../request/services.ts';
import { sweepFolder } from '../storage/incoming.ts';
import { type Content } from '../storage/content.ts';
import type { StoredContent } from '../storage/storage.ts';
import { damageOf, type DamagedContent } from '../storage/verified.ts';
import { readSeals } from './audit/seals.ts';
import { requireOwner } from './file-owner.ts';
import { dropOldClaims, whileUnused } from './uploads.ts';

/** A content in use. */
interface UsedContent extends Content {
  /** Ids of its records; none for an archive. */
  records: number[];
  /** Part of the audit trail that it archives. */
  part?: string;
}

/** Result of a sweep. */
export interface SweepReport {
  /** Removed contents. No record used them. */
  removed: Content[];
  /** Number of incomplete uploads removed from this machine. */
  incomplete: number;
  /** Contents in use that are missing or damaged in the storage. */
  broken: (UsedContent & { reason: DamagedContent['reason'] })[];
  /** Number of contents that were read and verified. */
  checked: number;
}

const BATCH = 500;

/**
 * Removes unused contents and incomplete uploads, and verifies the contents of all records and archives. The
 * service may run meanwhile: contents in their grace period, or that are being stored again, are skipped.
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

async function check({ storage, listing }: Services): Promise<Pick<SweepReport, 'broken' | 'checked'>> {
  const broken: SweepReport['broken'] = [];
  let checked = 0;
  for await (const used of inUse(listing.reader)) {
    const reason = await damageOf(storage, used);
    if (reason) broken.push({ ...used, reason });
    checked += 1;
  }
  return { broken, checked };
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
