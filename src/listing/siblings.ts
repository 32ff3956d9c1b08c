/** Records that were read together, whose pages of linked records are read together, too. */
export interface Siblings {
  /** How often each record appears, by id. */
  times: ReadonlyMap<number, number>;
  /** What was read for all of them. */
  memo: Map<string, unknown>;
}

interface Identified {
  id: number;
}

const siblings = new WeakMap<object, Siblings>();

/** The records that were read together with this one; only itself if nobody asked for their pages. */
export const siblingsOf = (record: Identified): Siblings => siblings.get(record) ?? together([record]);

/** Remembers that records were read together. */
export function readTogether(records: readonly Identified[]): void {
  const all = together(records);
  for (const record of records) siblings.set(record, all);
}

function together(records: readonly Identified[]): Siblings {
  const times = new Map<number, number>();
  for (const { id } of records) times.set(id, (times.get(id) ?? 0) + 1);
  return { times, memo: new Map() };
}
