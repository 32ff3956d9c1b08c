import type { Reader } from '../database/reader.ts';
import type { Services } from '../request/services.ts';
import { sweepFolder } from '../storage/incoming.ts';

/** The files of imports among these names, and whether their import waits or runs. */
const OF_IMPORTS = `select a.arquivo as c0, i.situacao = 'em_andamento' as c1
from andamento_importacao a join importacao i on i.id = a.id_importacao where a.arquivo = any($1)`;

/** The moment that lies so many seconds back by the database's clock. */
export async function momentBefore(reader: Reader, seconds: number): Promise<Date> {
  const [row] = await reader.rows('select now() - make_interval(secs => $1)', [seconds]);
  return new Date(row![0] as string);
}

/**
 * Removes what killed processes have left in this machine's folder of what arrives: files older than the time of grace,
 * and at any age those of imports that have ended. Files of imports that wait or run stay. Returns the number of removed files.
 */
export async function sweepIncoming(
  { storage, listing }: Pick<Services, 'storage' | 'listing'>,
  graceSeconds: number,
): Promise<number> {
  const old = await momentBefore(listing.reader, graceSeconds);
  return sweepFolder(storage.incoming, old, async names => {
    const rows = await listing.reader.rows(OF_IMPORTS, [names]);
    return new Map(rows as [string, boolean][]);
  });
}
