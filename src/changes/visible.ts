import { readValues } from '../listing/read.ts';
import type { Listing } from '../listing/listing.ts';
import { recordWith } from '../listing/list.ts';
import { mayListAll, type Audience, type Audiences, type Follower } from './audience.ts';
import type { Change } from './feed.ts';
import type { ChangedTable } from './kinds.ts';

/** Data about the records of some changes, read once for all subscribers. */
interface Known {
  /** Ids of the records that the list shows; undefined if it shows all. */
  listed: ReadonlySet<number> | undefined;
  owners: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The changes among these that one person may read now. */
export async function visibleChanges(
  listing: Listing,
  audiences: Audiences,
  follower: Follower,
  changes: readonly Change[],
): Promise<Change[]> {
  return (await visibilityOf(listing, audiences, [follower], changes))(follower);
}

/**
 * Returns a function that selects the changes that a subscriber may read now. It runs at most two statements per table,
 * whatever the number of subscribers.
 */
export async function visibilityOf(
  listing: Listing,
  audiences: Audiences,
  followers: readonly Follower[],
  changes: readonly Change[],
): Promise<(follower: Follower) => Change[]> {
  const known = new Map<ChangedTable, Known>();
  for (const table of new Set(changes.map(change => change.table))) {
    const audience = audiences.get(table)!;
    const ids = [...new Set(changes.filter(change => change.table === table).map(({ id }) => id))];
    const areOwners = audience.owners && followers.some(follower => !mayListAll(audience, follower));
    known.set(table, {
      listed: Object.keys(audience.always).length > 0 ? await listedOf(listing, audience, ids) : undefined,
      owners: areOwners ? await ownersOf(listing, audience, ids) : new Map(),
    });
  }
  const whole = changes.map(change => shown(change, audiences.get(change.table)!, known.get(change.table)!));
  return follower =>
    whole.filter((change): change is Change => {
      if (!change) return false;
      if (mayListAll(audiences.get(change.table)!, follower)) return true;
      const { listed, owners } = known.get(change.table)!;
      return (listed?.has(change.id) ?? true) && (owners.get(change.id)?.has(follower.idPessoa) ?? false);
    });
}

/** The change with the columns that the list shows; undefined if it shows none of them. */
function shown(change: Change, { columns }: Audience, { listed }: Known): Change | undefined {
  const fields = change.fields.filter(({ campo }) => columns.has(campo));
  if (fields.length === 0 && change.fields.length > 0 && !/\.(?:criad|removid).$/.test(change.kind))
    return undefined;
  // The list no longer shows the record. Readers of the list can see that, too, so the change is reported without
  // columns.
  const hasLeft = listed !== undefined && !listed.has(change.id);
  return { ...change, fields: hasLeft ? [] : fields };
}

async function listedOf(listing: Listing, { entity, always }: Audience, ids: number[]): Promise<Set<number>> {
  const list = recordWith(entity, { ...always, id: ids });
  return new Set((await readValues(ids.length, listing, list, ['id'])).map(([id]) => id as number));
}

async function ownersOf(
  listing: Listing,
  { entity, owners }: Audience,
  ids: number[],
): Promise<Map<number, Set<number>>> {
  const rows =
    'sql' in owners!
      ? await listing.reader.rows(owners.sql, [ids])
      : await readValues(ids.length, listing, recordWith(entity, { id: ids }), ['id', owners!.path]);
  const found = new Map<number, Set<number>>();
  for (const [id, owner] of rows as [number, number][])
    found.set(id, (found.get(id) ?? new Set<number>()).add(owner));
  return found;
}
