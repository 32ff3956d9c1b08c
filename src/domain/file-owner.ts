import { z } from 'zod';
import { OperatorError } from '../errors.ts';
import type { Services } from '../request/services.ts';
import { LABEL } from '../storage/storage.ts';

/** The database whose records use the contents of a storage. */
const Owner = z.object({
  /** Tells databases apart (`mudancas_lugar`): a copy of a database is another one, a standby that takes over is not. */
  place: z.string(),
  /** For people: `sii at 10.0.0.5:5432`. */
  name: z.string(),
});

const THIS = `select mudancas_lugar() as c0, format('%s at %s', current_database(),
  coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'a local socket')) as c1`;

/** The newest content of the records and that of the archives; none where there are none. */
const NEWEST = `(select sha256 as c0 from arquivo_digital order by id desc limit 1)
union all (select arquivo from selo_auditoria where arquivo is not null order by parte desc limit 1)`;

/** The contents of which this database knows nothing: neither a record, nor an archive, nor an upload. */
const UNKNOWN = `select 1 as c0 from unnest($1::text[]) as stored (sha256)
where not exists (select from arquivo_digital a where a.sha256 = stored.sha256)
  and not exists (select from selo_auditoria s where s.arquivo = stored.sha256)
  and not exists (select from envio_arquivo e where e.sha256 = stored.sha256) limit 1`;

/** What a database uses: its records, and the storage of their contents. */
type Owned = Pick<Services, 'storage' | 'listing'>;

/**
 * Name of the other database to which the storage belongs; undefined if it belongs to this one. A storage without an
 * owner belongs to the first database that asks and knows all of its contents. Two databases cannot share a storage:
 * each would remove the contents that only the other one uses.
 */
export async function otherOwner(services: Owned): Promise<string | undefined> {
  const label = await services.storage.label();
  if (label === undefined) {
    if (await hasUnknown(services)) return `which left no ${LABEL}`;
    // Otherwise this may be the empty folder below a disk that is not mounted. The label would say that it is.
    if (!(await lacksNewest(services))) await takeOver(services);
    return undefined;
  }
  const owner = ownerOf(label);
  return owner.place === (await thisDatabase(services)).place ? undefined : owner.name;
}

async function hasUnknown({ storage, listing }: Owned): Promise<boolean> {
  for await (const batch of storage.inBatches()) {
    const unknown = await listing.reader.rows(UNKNOWN, [batch.map(({ sha256 }) => sha256)]);
    if (unknown.length > 0) return true;
  }
  return false;
}

/** A label that somebody has changed names no database, so it is not this one. */
function ownerOf(label: string): z.infer<typeof Owner> {
  try {
    return Owner.parse(JSON.parse(label));
  } catch {
    return { place: '', name: `which ${LABEL} does not name` };
  }
}

/** Whether the storage lacks a newest content in use: it is another one than where the files were stored. */
export async function lacksNewest({ storage, listing }: Owned): Promise<boolean> {
  for (const [sha256] of await listing.reader.rows(NEWEST, []))
    if (!(await storage.has(sha256 as string))) return true;
  return false;
}

/**
 * For work after which only one database uses a content. @throws OperatorError when the storage belongs to another
 * database
 */
export async function requireOwner(services: Services): Promise<void> {
  const owner = await otherOwner(services);
  if (owner !== undefined)
    throw new OperatorError(
      `The digital files here belong to another database, ${owner}. Nothing was changed, because each of the two would remove what only the other one uses.\nSet DATABASE_URL to it, or the files to those of this database. If no other database uses them, as after a restore or after the upgrade from version 2.0.0, run: npm run files:sweep -- --take-over`,
    );
}

/**
 * For work after which only the storage has a content. @throws OperatorError when the storage does not belong to this
 * database, or perhaps not
 */
export async function requireOwnStorage(services: Services): Promise<void> {
  await requireOwner(services);
  if ((await services.storage.label()) === undefined)
    throw new OperatorError(
      `The newest digital file is not here, so this may be the empty folder below a disk that is not mounted. Nothing was changed.\nMount the disk, or set the files to where they are (DATA_DIR, FILES_S3_BUCKET). If the file is lost, as after a restore, run: npm run files:sweep -- --take-over`,
    );
}

/** Makes the storage belong to this database. */
export async function takeOver(services: Owned): Promise<void> {
  await services.storage.setLabel(JSON.stringify(await thisDatabase(services)));
}

async function thisDatabase({ listing }: Pick<Services, 'listing'>): Promise<z.infer<typeof Owner>> {
  const [row] = await listing.reader.rows(THIS, []);
  const [place, name] = row as [string, string];
  return { place, name };
}
