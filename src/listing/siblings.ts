/** Records that were read together, whose pages of linked records are read together, too. */
export interface Siblings {
  /** One for each record; a record may appear several times. */
  ids: number[];
  /** What was read for all of them. */
  memo: Map<string, unknown>;
}

const siblings = new WeakMap<object, Siblings>();

/** The records that were read together with this one; undefined if nobody asked for their pages. */
export const siblingsOf = (record: object): Siblings | undefined => siblings.get(record);

/** Remembers that records were read together. */
export function readTogether(records: readonly { id: number }[]): void {
  const together = { ids: records.map(({ id }) => id), memo: new Map<string, unknown>() };
  for (const record of records) siblings.set(record, together);
}
