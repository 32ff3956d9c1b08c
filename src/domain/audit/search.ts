import type { Services } from '../../request/services.ts';
import { isStorageAway } from '../../storage/away.ts';
import { Patience } from '../../storage/patience.ts';
import { archivedEntries, findingOf, unreadFinding } from './archive-file.ts';
import { readSeals } from './seals.ts';

/** Conditions of a search in the archives. Without conditions it finds everything. */
export interface ArchiveQuery {
  table?: string | undefined;
  record?: number | undefined;
  person?: number | undefined;
  request?: string | undefined;
  /** Moments in ISO 8601; both ends are included. */
  from?: string | undefined;
  until?: string | undefined;
}

interface Entry {
  momento: string;
  tabela: string | null;
  id_registro: number | null;
  id_pessoa: number | null;
  requisicao: string | null;
}

/** Who watches a search. */
interface Watcher {
  progress: (part: string, count: number) => void;
  /** Called with a sentence about a file that is missing or damaged, or was not sent. The search continues with the next one. */
  onDamage: (finding: string) => void;
}

/**
 * The archived entries that meet all conditions, as JSON, oldest part first. Those from a damaged file may be forged.
 * @throws UNAVAILABLE when the storage does not send several files in a row
 */
export async function* searchArchives(
  { listing, storage }: Services,
  wanted: ArchiveQuery,
  { progress, onDamage }: Watcher,
): AsyncGenerator<string> {
  const patience = new Patience();
  for (const { part, file } of await readSeals(listing.reader)) {
    if (!file || isOutside(part, wanted)) continue;
    let count = 0;
    try {
      for await (const { text } of archivedEntries(storage, file)) {
        progress(part, ++count);
        if (matches(JSON.parse(text) as Entry, wanted)) yield text;
      }
      patience.answered();
    } catch (error) {
      if (isStorageAway(error)) {
        patience.passOver(error);
        onDamage(unreadFinding(part, file));
      } else onDamage(findingOf(part, file, error));
    }
  }
}

/**
 * Whether a part ends before the search begins. A part may contain entries from before its month, but none from after
 * it.
 */
const isOutside = (part: string, { from }: ArchiveQuery): boolean =>
  /^\d/.test(part) && from !== undefined && endOf(part) <= from;

function endOf(part: string): string {
  const [year, month] = part.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month)).toISOString();
}

const matches = (entry: Entry, { table, record, person, request, from, until }: ArchiveQuery): boolean =>
  (table === undefined || entry.tabela === table) &&
  (record === undefined || entry.id_registro === record) &&
  (person === undefined || entry.id_pessoa === person) &&
  (request === undefined || entry.requisicao === request) &&
  (from === undefined || entry.momento >= from) &&
  (until === undefined || entry.momento <= until);
