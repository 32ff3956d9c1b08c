import { isSearchedInOrder } from '../entities/column.ts';
import { isReadByKeys, isShared } from './compile.ts';
import { searchedPaths } from './condition.ts';
import type { Place } from './keyset.ts';
import type { RecordList } from './list.ts';
import type { Query } from './query.ts';
import type { Listing } from './listing.ts';
import type { KnownTotal } from './totals.ts';

/**
 * Most matches of a text search that are gathered: an index finds them fast, but not in order. With more matches,
 * scanning in order finds a page sooner, unless all matches come late.
 */
const GATHERED = 20_000;

/**
 * Most rows of a table for each match of a search, if an index in the list's order stores the searched text. Comparing a
 * row there takes a fifth of the time of gathering a match. So a scan that finds all matches last takes four times as long
 * as gathering, and others take far less.
 */
const ROWS_PER_MATCH = 20;

/** How the rows of a page are found, and how they get their total. */
export interface Finding extends Pick<Query, 'total' | 'scanned'> {
  /** The snapshot of the known total, which is counted again if it is outdated. */
  snapshot?: string;
  /** Where the list begins, if that is known. It begins there unless the total is counted again. */
  first?: Place | undefined;
  /** Keeps where the list begins, as it was read with the known total. */
  keepFirst?: (place: Place) => void;
}

/**
 * How to find the rows of a page of which this total is known. A total that may be outdated still shows how many rows
 * there are, more or less.
 */
export function findingOf(
  { metadata }: Listing,
  list: RecordList,
  known: KnownTotal | undefined,
  isCounted: boolean,
): Finding {
  const { after, orders } = list;
  const entity = metadata.get(list.entity);
  const searched = entity.expression ? [] : searchedIn(list);
  const isInIndex = isFoundInIndex(list, searched);
  const scanned = searched.length > 0 && known && isScanned(known, isInIndex);
  if (!isCounted) return { scanned };
  if (!after && !isReadByKeys(entity)) return { total: 'beside' };
  if (!after && isShared(entity)) return { total: 'gathered' };
  if (searched.length > 0 && !after && !scanned) return { total: 'gathered' };
  if (!known) return {};
  const recounted = { total: 'recounted', snapshot: known.snapshot, scanned } as const;
  if (!scanned || !isInIndex || after) return recounted;
  // The total depends on all data that decide where such a list begins. Other lists are also ordered by other data.
  const { direction } = orders[0]!;
  const keepFirst = (place: Place): void => {
    known.first = { ...known.first, [direction]: place };
  };
  return { ...recounted, first: known.first?.[direction], keepFirst };
}

/** Paths to the texts of which the rows of a list must contain a part. */
const searchedIn = ({ conditions, where }: RecordList): string[] => [
  ...conditions.flatMap(({ comparison: { match, paths } }) => (match === 'text' ? paths : [])),
  ...(where ? searchedPaths(where.condition) : []),
];

/** Whether the index for the order of the list has all that its conditions and its order need. */
function isFoundInIndex(
  { entity, conditions, where, orders }: RecordList,
  searched: readonly string[],
): boolean {
  const [path] = searched;
  const isOnly = searched.length === 1 && conditions.length + (where ? 1 : 0) === 1 && orders.length === 1;
  return isOnly && path === orders[0]!.path && isSearchedInOrder(entity, path);
}

/**
 * Whether so many rows match that the list is scanned in its order. If the searched text is what the list is ordered
 * by, matches may come late: texts that begin with `tolueno` do.
 */
const isScanned = ({ total, of }: KnownTotal, isInIndex: boolean): boolean =>
  isInIndex ? total * ROWS_PER_MATCH > of : total > GATHERED;
