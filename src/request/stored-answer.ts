import { GraphQLError } from 'graphql';
import { readTogether, type Identified } from '../listing/siblings.ts';

/** Where a record was withheld, the stored answer has its error under this key. No field can have such a name. */
const ERROR = '__erro';

interface StoredError {
  message: string;
  extensions?: Record<string, unknown>;
}

/** An answer as JSON, with the errors of withheld records. */
export const toStored = (answer: unknown): string =>
  JSON.stringify(answer, function (this: Record<string, unknown>, key, value: unknown) {
    return this[key] instanceof Error ? { [ERROR]: value } : value;
  });

/**
 * An answer from its JSON, whose objects it changes. Records at the same place of the answer count as read together, so
 * that pages of their linked records need no statement for each of them.
 */
export function fromStored(stored: unknown): unknown {
  const places = new Map<string, Identified[]>();
  const at = (place: string): Identified[] => {
    const known = places.get(place) ?? [];
    places.set(place, known);
    return known;
  };
  const restored = (value: unknown, place: string): unknown => {
    if (Array.isArray(value)) return value.map(item => restored(item, place));
    if (typeof value !== 'object' || value === null) return value;
    if (ERROR in value) {
      const { message, extensions } = value[ERROR] as StoredError;
      return new GraphQLError(message, { extensions });
    }
    const record = value as Record<string, unknown> & Identified;
    for (const [key, member] of Object.entries(record)) record[key] = restored(member, `${place}.${key}`);
    if (typeof record.id === 'number') at(place).push(record);
    return record;
  };
  const answer = restored(stored, '');
  for (const records of places.values()) readTogether(records);
  return answer;
}
