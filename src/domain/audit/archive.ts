import type { EntityManager } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { transactionReader, type Reader } from '../../database/reader.ts';
import { ATTEMPT_MS, withTableLocks } from '../../database/table-locks.ts';
import { OperatorError } from '../../errors.ts';
import type { Services } from '../../request/services.ts';
import type { Content } from '../../storage/content.ts';
import { requireOwnStorage } from '../file-owner.ts';
import { archivedEntries, receiveArchive, type ArchivedEntry } from './archive-file.ts';
import { BEFORE, chainsOf, IS_REFUSAL, tableOf } from './parts.ts';
import { readSeals, type StoredSeal } from './seals.ts';
import { storedLinks } from './stored.ts';
import { Findings, Walk } from './walk.ts';

/** Name of the connection that detaches the tables. */
const WAITER = 'sii-archive';
/** Longest wait for the trail, which requests use. */
const PATIENCE_MS = 900_000;

const OWNS = `select pg_has_role(relowner, 'usage') as c0 from pg_class where oid = 'auditoria'::regclass`;

/** A part that was archived. */
export interface ArchivedPart extends Content {
  part: string;
  entries: number;
}

interface ArchiveOptions {
  /**
   * Only parts whose newest entry is older than this. At least 13, because refusals must be deleted after a year and
   * the archives contain none.
   */
  months: number;
  /** Connection that checks who holds the tables. */
  observer: Client;
  progress: (part: string, count: number) => void;
}

/**
 * Moves sealed parts of the trail into files of the storage. Each file is read back and compared with the seal before
 * the table of the part is dropped. If this fails, the part stays in the database.
 * @throws OperatorError when the database user does not own the trail, or a part does not match its seal
 */
export async function archiveParts(services: Services, options: ArchiveOptions): Promise<ArchivedPart[]> {
  const { reader } = services.listing;
  const [[owns]] = (await reader.rows(OWNS, [])) as [[boolean]];
  if (!owns)
    throw new OperatorError(
      'Only the role that owns the database may archive: set its DATABASE_URL, as for npm run migrate.',
    );
  await requireOwnStorage(services);
  const archived: ArchivedPart[] = [];
  for (const seal of await readSeals(reader)) {
    if (seal.file || !(await isOld(reader, seal.part, options.months))) continue;
    const file = await store(services, seal, options);
    await take(services, seal, file, options);
    archived.push({ ...file, part: seal.part, entries: seal.entries });
  }
  return archived;
}

async function isOld(reader: Reader, part: string, months: number): Promise<boolean> {
  const [[old]] = (await reader.rows(
    `select coalesce(max(momento) < now() - make_interval(months => $1), true) from ${tableOf(part)}`,
    [months],
  )) as [[boolean]];
  return old;
}

/** Writes the entries of a part into a file, stores it, and reads it back. */
async function store(
  { listing, storage }: Services,
  seal: StoredSeal,
  options: ArchiveOptions,
): Promise<Content> {
  const read = fromTable(listing.reader, seal.part);
  const entries = complete(read, seal, count => options.progress(seal.part, count));
  const incoming = await receiveArchive(storage, entries);
  const file = { sha256: incoming.sha256, size: incoming.size };
  try {
    await storage.put(incoming);
  } finally {
    await incoming.discard();
  }
  const again = complete(archivedEntries(storage, file), seal, () => undefined);
  while (!(await again.next()).done);
  return file;
}

async function* fromTable(reader: Reader, part: string): AsyncGenerator<ArchivedEntry> {
  const [chain] = chainsOf(part);
  for await (const { id, link, text } of storedLinks(reader, part, chain, true)) {
    if (text === undefined) throw damaged(part, `entry ${id} is not there`);
    yield { id, link, text };
  }
}

/** Passes entries on, and checks them against their links and the seal. @throws OperatorError if they differ */
async function* complete(
  entries: AsyncIterable<ArchivedEntry>,
  { part, entries: count, link }: StoredSeal,
  onCount: (count: number) => void,
): AsyncGenerator<ArchivedEntry> {
  const findings = new Findings();
  const walk = new Walk(part, new Map(), findings);
  for await (const entry of entries) {
    walk.take(entry.id, entry.link, entry.text);
    if (findings.sentences.length > 0) throw damaged(part, findings.sentences[0]!);
    yield entry;
    onCount(walk.count);
  }
  if (walk.count !== count || walk.link !== link)
    throw damaged(part, `it has ${walk.count} entries, and was sealed with ${count}`);
}

const damaged = (part: string, why: string): OperatorError =>
  new OperatorError(
    `${part} was not archived, because it is not as it was sealed: ${why}. npm run audit:verify tells more.`,
  );

/** Stores the name of the file and drops the table, in one transaction. */
async function take(
  { orm, log }: Services,
  seal: StoredSeal,
  file: Content,
  options: ArchiveOptions,
): Promise<void> {
  const patience = { waiter: WAITER, observer: options.observer, log, totalMs: PATIENCE_MS };
  await withTableLocks(patience, () =>
    orm.em.fork().transactional(async em => {
      await em.execute(
        `select set_config('application_name', '${WAITER}', true), set_config('lock_timeout', '${ATTEMPT_MS}', true)`,
      );
      await drop(em, seal, file);
    }),
  );
}

async function drop(em: EntityManager, { part, entries }: StoredSeal, file: Content): Promise<void> {
  const table = tableOf(part);
  // Nobody should write into an old part. If somebody did, the entry would be missing in the file.
  await em.execute(`lock table ${table} in share mode`);
  const [row] = await transactionReader(em).rows(
    `select count(*)::text as c0 from ${table} a where not (${IS_REFUSAL})`,
    [],
  );
  if (Number(row![0]) !== entries) throw damaged(part, `its table has ${row![0] as string} entries`);
  await em.execute(
    'update selo_auditoria set arquivo = ?, tamanho = ?, arquivado_em = clock_timestamp() where parte = ?',
    [file.sha256, file.size, part],
  );
  await em.execute('delete from elo_auditoria where cadeia in (?, ?)', chainsOf(part));
  if (part !== BEFORE) {
    await em.execute(`alter table auditoria detach partition ${table}`);
    await em.execute(`drop table ${table}`);
    return;
  }
  // The view of the trail reads this table, so it is emptied, not dropped.
  await em.execute(`alter table ${table} disable trigger auditoria_recusa`);
  await em.execute(`truncate ${table}`);
  await em.execute(`alter table ${table} enable trigger auditoria_recusa`);
}
