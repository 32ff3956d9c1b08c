import { AppError, invalid, type FieldError } from '../errors.ts';
import type { Listing } from '../listing/listing.ts';
import { fieldMessages } from '../messages.ts';
import { mayFollow, type Audiences, type Follower } from './audience.ts';
import { readChanges, type Change } from './feed.ts';
import { CHANGED_TABLES, type ChangedTable } from './kinds.ts';
import { isAfter, type Position } from './position.ts';
import { visibleChanges } from './visible.ts';

/** A page of the feed, limited to what one person may read. */
export interface ChangePage {
  changes: Change[];
  /** Position to continue from. */
  end: Position;
  /** Whether there may be more changes already. */
  more: boolean;
  /** The end of the whole feed. */
  latest: Position;
}

/**
 * Whether a page tells its reader something new about the feed after this position. A page without changes does, too: its
 * cursors say that the reader knows everything before them.
 */
export const tellsMore = ({ latest }: ChangePage, after: Position | null): boolean =>
  after === null || isAfter(latest, after);

/** What a reader follows. */
export interface Following {
  after: Position | null;
  /** Undefined for all tables whose changes the reader may read. */
  tables: readonly ChangedTable[] | undefined;
  first: number;
}

/** Most stretches that are searched for one page. It limits the time for readers who may see only few changes. */
const STRETCHES = 10;

/** The next page for one person. It may be empty although there is more. @throws GONE, FORBIDDEN */
export async function nextPage(
  listing: Listing,
  audiences: Audiences,
  follower: Follower,
  { after, tables, first }: Following,
): Promise<ChangePage> {
  const followed = tablesOf(audiences, follower, tables);
  const changes: Change[] = [];
  for (let from = after, tried = 1; ; tried++) {
    const stretch = await readChanges(listing.reader, from, first, followed);
    changes.push(...(await visibleChanges(listing, audiences, follower, stretch.changes)));
    const { latest } = stretch;
    if (changes.length > first) {
      const shown = changes.slice(0, first);
      return { changes: shown, end: shown.at(-1)!.position, more: true, latest };
    }
    from = stretch.end;
    const isFull = changes.length === first || (stretch.isFull && changes.length > 0);
    if (!stretch.more || isFull || tried === STRETCHES)
      return { changes, end: from, more: stretch.more, latest };
  }
}

/** The tables that a reader follows. @throws FORBIDDEN if they named a table whose changes they may not read */
export function tablesOf(
  audiences: Audiences,
  follower: Follower,
  tables: Following['tables'],
): ChangedTable[] {
  const may = (table: ChangedTable): boolean => mayFollow(audiences.get(table)!, follower);
  const refused = tables?.flatMap((table, i) =>
    may(table) ? [] : [{ field: `tabelas[${i}]`, message: fieldMessages.mayNotRead }],
  );
  if (refused && refused.length > 0) throw new AppError('FORBIDDEN', { errors: refused });
  return (tables ?? CHANGED_TABLES).filter(may);
}

/** The tables of these names. @throws BAD_REQUEST for a name that the feed does not have */
export function namedTables(names: readonly string[]): ChangedTable[] {
  const known: readonly string[] = CHANGED_TABLES;
  const errors: FieldError[] = names.flatMap((name, i) =>
    known.includes(name) ? [] : [{ field: `tabelas[${i}]`, message: fieldMessages.oneOf(CHANGED_TABLES) }],
  );
  if (errors.length > 0) throw invalid('BAD_REQUEST', errors);
  return names as ChangedTable[];
}
