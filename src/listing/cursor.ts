import { createHash } from 'node:crypto';
import type { Place } from './keyset.ts';
import type { RecordList } from './list.ts';

/** The cursor of a place. It is opaque, and holds values that the client itself asked to order by. */
export const cursorOf = (list: RecordList, place: readonly unknown[]): string =>
  Buffer.from(JSON.stringify([fingerprint(list), ...place])).toString('base64url');

/** The place of a cursor; undefined if it is not one of this list with these conditions and this order. */
export function placeOf(list: RecordList, cursor: string): Place | undefined {
  const [given, ...place] = parsed(cursor);
  const isPlace = place.length === list.orders.length + 1 && place.every(isScalar) && place.at(-1) !== null;
  return given === fingerprint(list) && isPlace ? (place as Place) : undefined;
}

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

/** Identifies the rows of the list and their order, whatever the page. */
function fingerprint({ entity, conditions, where, orders, parents }: RecordList): string {
  const rows = conditions.map(({ comparison, value }) => [comparison, value]);
  const whole = [entity.name, rows, where, orders, parents];
  return createHash('sha256').update(JSON.stringify(whole)).digest('base64url').slice(0, 16);
}
