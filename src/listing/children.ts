import { linkKey } from '../entities/column.ts';
import type { Weight } from '../database/budget.ts';
import type { ManyField } from './selected-fields.ts';
import type { Query } from './query.ts';
import { alsoReading, type Selection } from './selection.ts';

type Row = Record<string, unknown>;

/** Records, each with its size in the answer. */
export interface Found {
  records: Row[];
  weights: Weight[];
}

/** What reads the children of one parent, or of several. `most`: row limit of all of them together. */
export function childrenOf(
  field: ManyField,
  of: 'one' | 'several',
  most: number | undefined,
): { selection: Selection; query: Query } {
  const key = linkKey(field.mappedBy);
  return {
    selection: withKey(field.selection, key),
    query: {
      // PostgreSQL keeps one plan for `= $1`, but replans for an array at each execution.
      filters: [{ paths: [key], match: 'exact', array: of === 'several' }],
      orders: [],
      only: field.only,
      ...(most !== undefined && { limit: most }),
    },
  };
}

/** Whether the id of a record is enough to read its children. */
export const areKnown = ({ path, unless }: ManyField): boolean => path.length === 0 && unless.length === 0;

/** A to-many field of records, and their parents in it. */
export interface Wanted {
  field: ManyField;
  parents: readonly Parent[];
  /** The ids of the parents that may have children. */
  ids: number[];
}

export function wantedBy(field: ManyField, { records }: Found): Wanted {
  const parents = parentsOf(field, records);
  const ids = parents.filter(({ parent }) => mayHave(field, parent)).map(({ id }) => id);
  return { field, parents, ids: [...new Set(ids)] };
}

/**
 * Adds the children of a to-many field to all records. Records with the same parent share one list of children. Its size
 * counts once for each of them.
 */
export function attachChildren({ field, parents, ids }: Wanted, { weights }: Found, children: Found): void {
  const lists = listsById(field, linkKey(field.mappedBy), ids, children);
  for (const { parent, id, at } of parents) {
    const list = lists.get(id) ?? { records: [], rows: 0, bytes: BRACKETS };
    parent[field.property] = list.records;
    const weight = weights[at]!;
    weight.rows += field.times * list.rows;
    weight.bytes += field.times * list.bytes;
  }
}

/** Whether a record may have children. */
const mayHave = ({ unless }: ManyField, parent: Row): boolean =>
  unless.length === 0 || unless.some(name => parent[name] !== 0 && parent[name] !== 'N');

interface List extends Weight {
  records: unknown[];
}

/** The children of each parent, with their total size. */
function listsById(
  field: ManyField,
  key: string,
  ids: readonly number[],
  { records, weights }: Found,
): Map<number, List> {
  const lists = new Map<number, List>(ids.map(id => [id, { records: [], rows: 0, bytes: BRACKETS }]));
  for (const [i, child] of records.entries()) {
    const list = lists.get(child[key] as number)!;
    list.records.push(field.through ? child[field.through] : child);
    list.rows += weights[i]!.rows;
    list.bytes += weights[i]!.bytes;
  }
  return lists;
}

const BRACKETS = 2;

interface Parent {
  parent: Row;
  id: number;
  /** Index of the top-level record that contains the parent. */
  at: number;
}

/** The records that have the field, at the end of its path. One parent may occur below several records. */
function parentsOf({ path }: ManyField, records: Row[]): Parent[] {
  return records.flatMap((record, at) => {
    const parent = path.reduce<Row | null>((above, link) => (above?.[link] ?? null) as Row | null, record);
    return parent ? [{ parent, id: parent['id'] as number, at }] : [];
  });
}

const keyed = new WeakMap<Selection, Selection>();

/** The selection plus the children's key. Memoised, because plans are cached by selection object. */
function withKey(selection: Selection, key: string): Selection {
  let known = keyed.get(selection);
  if (!known) keyed.set(selection, (known = alsoReading(selection, key)));
  return known;
}
