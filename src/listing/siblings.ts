/** Records that were read together. Pages of their linked records are also read together. */
export interface Siblings {
  /** How often each record appears, by id. */
  times: ReadonlyMap<number, number>;
  /** Results that all of them share. */
  memo: Map<string, unknown>;
}

const SIBLINGS = Symbol('siblings');

export interface Identified {
  id: number;
  [SIBLINGS]?: Siblings;
}

/** The records that were read together with this one; only the record itself if no pages were selected. */
export const siblingsOf = (record: Identified): Siblings => record[SIBLINGS] ?? together([record]);

/** Stores that records were read together. */
export function readTogether(records: readonly Identified[]): void {
  const all = together(records);
  for (const record of records) record[SIBLINGS] = all;
}

function together(records: readonly Identified[]): Siblings {
  const times = new Map<number, number>();
  for (const { id } of records) times.set(id, (times.get(id) ?? 0) + 1);
  return { times, memo: new Map() };
}
