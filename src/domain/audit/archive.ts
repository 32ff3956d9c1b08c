import type { EntityManager } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { transactionReader } from '../../database/reader.ts';
import { END_HOLDER, holderOf, trySessionLock } from '../../database/locks.ts';
import { ATTEMPT_MS, withTableLocks } from '../../database/table-locks.ts';
import { OperatorError } from '../../errors.ts';
import type { Services } from '../../request/services.ts';
import type { Content } from '../../storage/content.ts';
import type { Storage } from '../../storage/storage.ts';
import { requireOwnStorage } from '../file-owner.ts';
import { claimContent } from '../uploads.ts';
import { copyPart, damaged, lost, Refusal } from './archive-copy.ts';
import { BEFORE, chainsOf, IS_REFUSAL, tableOf } from './parts.ts';
import { readSeals, type StoredSeal } from './seals.ts';

/** Name of the connection that detaches the tables. */
const WAITER = 'sii-archive';
/** Longest wait for the trail, which requests use. */
const PATIENCE_MS = 900_000;

const OWNS = `select pg_has_role(relowner, 'usage') as c0 from pg_class where oid = 'auditoria'::regclass`;

/** What became of a part: the file that it was moved into, or the reason why it stays in the database. */
type Outcome = { part: string; entries: number; file: Content } | { part: string; refusal: string };

interface ArchiveOptions {
  /**
   * Only months that ended so long ago. At least 13, because refusals must be deleted after a year and the archives
   * contain none.
   */
  months: number;
  /** Connection that holds the lock of this work, and checks who holds the tables. */
  observer: Client;
  progress: (part: string, count: number) => void;
}

interface Archiving extends ArchiveOptions {
  requireSamePrimary: () => Promise<void>;
}

/**
 * Sealed parts that are old enough and not archived, and whether their tables are there. What is from before the months
 * is as old as its newest entry.
 */
const OLD = `select parte as c0, to_regclass('auditoria_' || replace(parte, '-', '_')) is not null as c1 from selo_auditoria
where arquivo is null and now() - make_interval(months => $1) >= case parte
  when '${BEFORE}' then (select max(momento) from auditoria_antes)
  else (to_date(parte, 'YYYY-MM') + interval '1 month') at time zone 'UTC' end`;

/**
 * Moves sealed parts of the trail into files of the storage, oldest first. Each file is read back and compared with the
 * seal before the table of the part is dropped. A part for which this fails stays in the database, and the next one
 * follows.
 * @throws OperatorError when the database user does not own the trail, another command archives, the trail is in use for too
 * long, or another server becomes the primary; UNAVAILABLE when the storage is not available
 */
export async function* archiveParts(services: Services, options: ArchiveOptions): AsyncGenerator<Outcome> {
  const { reader } = services.listing;
  const requireSamePrimary = services.servers.beginLongWork('The part stays in the database; begin again.');
  await takeTurn(options.observer);
  const [[owns]] = (await reader.rows(OWNS, [])) as [[boolean]];
  if (!owns)
    throw new OperatorError(
      'Only the role that owns the database may archive: set its DATABASE_URL, as for npm run migrate.',
    );
  await requireOwnStorage(services);
  const old = new Map((await reader.rows(OLD, [options.months])) as [string, boolean][]);
  for (const seal of await readSeals(reader)) {
    const hasTable = old.get(seal.part);
    const outcome =
      hasTable !== undefined && (await archive(services, seal, hasTable, { ...options, requireSamePrimary }));
    if (outcome) yield outcome;
  }
}

/** Two that archive at once would find entries gone that the other has moved. */
async function takeTurn(client: Client): Promise<void> {
  if (await trySessionLock(client, 'auditArchive')) return;
  const holder = await holderOf(client, 'auditArchive');
  throw new OperatorError(
    `Another npm run audit:archive works on this database: ${holder ?? 'it has just ended'}. Wait until it ends; if it hangs, end it with: ${END_HOLDER}. Then start again.`,
  );
}

const ARCHIVED = 'select from selo_auditoria where parte = $1 and arquivo is not null';

/** Whether another command has archived the part meanwhile. The lock of this one ends with its connection. */
const isArchived = async ({ listing }: Services, part: string): Promise<boolean> =>
  (await listing.reader.rows(ARCHIVED, [part])).length > 0;

/** Moves a part into a file. Returns nothing if another command has done so meanwhile. */
async function archive(
  services: Services,
  seal: StoredSeal,
  hasTable: boolean,
  options: Archiving,
): Promise<Outcome | undefined> {
  const { part, entries } = seal;
  try {
    if (!hasTable) throw damaged('its table is not there');
    const file = await copyPart(services, seal, count => options.progress(part, count));
    await take(services, seal, file, options);
    return { part, entries, file };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return (await isArchived(services, part)) ? undefined : { part, refusal: error.message };
  }
}

/** Stores the name of the file and drops the table, in one transaction. @throws Refusal */
async function take(
  { orm, storage, log }: Services,
  seal: StoredSeal,
  file: Content,
  options: Archiving,
): Promise<void> {
  const patience = { waiter: WAITER, observer: options.observer, log, totalMs: PATIENCE_MS };
  await withTableLocks(patience, async () => {
    // Before the transaction, because it keeps requests from the trail.
    await options.requireSamePrimary();
    await orm.em.fork().transactional(async em => {
      await em.execute(
        `select set_config('application_name', '${WAITER}', true), set_config('lock_timeout', '${ATTEMPT_MS}', true)`,
      );
      await drop(em, storage, seal, file);
    });
  });
}

async function drop(
  em: EntityManager,
  storage: Storage,
  { part, entries }: StoredSeal,
  file: Content,
): Promise<void> {
  const table = tableOf(part);
  const open = await em.execute('select from selo_auditoria where parte = ? and arquivo is null for update', [
    part,
  ]);
  if (open.length === 0) throw new Refusal('it was archived meanwhile');
  // Nobody should write into an old part. If somebody did, the entry would be missing in the file.
  await em.execute(`lock table ${table} in share mode`);
  const [row] = await transactionReader(em).rows(
    `select count(*)::text as c0 from ${table} a where not (${IS_REFUSAL})`,
    [],
  );
  if (Number(row![0]) !== entries) throw damaged(`its table has ${row![0] as string} entries`);
  // The first claim is perhaps too old by now. Until this transaction ends, a sweep of the file waits.
  await claimContent(transactionReader(em), file.sha256);
  if (!(await storage.has(file.sha256))) throw lost(file, 'missing');
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
