import { linkKey } from '../entities/column.ts';
import type { ManyField } from './builder.ts';
import type { Query } from './compile.ts';
import type { Selection } from './selection.ts';

type Row = Record<string, unknown>;

/** Reads the children of one parent or several, by the key of the link that points at them. */
type ReadChildren = (
  field: ManyField,
  selection: Selection,
  query: Query,
  ids: number | number[],
) => Promise<Row[]>;

/** Reads a to-many field of all records in one statement, and hangs each child on its parents. */
export async function attachChildren(field: ManyField, records: Row[], read: ReadChildren): Promise<void> {
  const parents = parentsById(field, records);
  if (parents.size === 0) return;
  const key = linkKey(field.mappedBy);
  const ids = [...parents.keys()];
  // For an array of one PostgreSQL would make a new plan at each execution; for `= $1` it keeps one.
  const array = ids.length > 1;
  const query: Query = { filters: [{ paths: [key], match: 'exact', array }], orders: [], only: field.only };
  for (const child of await read(field, withKey(field.selection, key), query, array ? ids : ids[0]!)) {
    for (const parent of parents.get(child[key] as number) ?? [])
      (parent[field.property] as unknown[]).push(field.through ? child[field.through] : child);
  }
}

/** The records that the field hangs on, along its path, with an empty list each. One may stand below several rows. */
function parentsById({ path, property }: ManyField, records: Row[]): Map<number, Row[]> {
  const parents = new Map<number, Row[]>();
  for (const record of records) {
    const parent = path.reduce<Row | null>((at, link) => (at?.[link] ?? null) as Row | null, record);
    if (!parent) continue;
    parent[property] = [];
    const id = parent['id'] as number;
    parents.set(id, [...(parents.get(id) ?? []), parent]);
  }
  return parents;
}

const keyed = new WeakMap<Selection, Selection>();

/** The selection with the children's key; the same object each time, since plans are kept by it. */
function withKey(selection: Selection, key: string): Selection {
  let known = keyed.get(selection);
  if (!known) keyed.set(selection, (known = { ...selection, [key]: {} }));
  return known;
}
