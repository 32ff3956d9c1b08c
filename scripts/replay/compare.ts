import { kindOf, sameValue } from './kinds.ts';
import type { Answer } from './server.ts';

export type Kind = 'status' | 'type' | 'missing' | 'added' | 'kind' | 'value' | 'count' | 'order';

/** One way in which two answers differ. */
export interface Difference {
  kind: Kind;
  /** Path in the answer, such as `data[].titulo`; empty for the whole answer. */
  member: string;
  old: unknown;
  new: unknown;
}

/** How strictly two answers are compared. */
export interface Strictness {
  /** Whether values are compared, and not only their shape. */
  values: boolean;
  /** Members by which the client ordered the list; undefined if it asked for no order. */
  orders: string[] | undefined;
  /** Whether the list is one page of several. Without an order, two services may return different records there. */
  isPaged: boolean;
}

/** The differences of two answers to one request. Each pair of kind and member occurs once. */
export function differences(old: Answer, now: Answer, manner: Strictness): Difference[] {
  if (old.status !== now.status || old.status === 0) return [at('status', '', old.status, now.status)];
  // The two services have different error bodies and error media types.
  const isError = old.status >= 400;
  const isOfOneType = old.type === now.type || isError;
  if (!isOfOneType) return [at('type', '', old.type, now.type)];
  const found =
    typeof old.body === 'string' || typeof now.body === 'string'
      ? compareTexts(old.body, now.body)
      : compare(old.body, now.body, '', { ...manner, values: manner.values && !isError });
  return [...new Map([...found].map(one => [`${one.kind} ${one.member}`, one])).values()];
}

const at = (kind: Kind, member: string, old: unknown, now: unknown): Difference => ({
  kind,
  member,
  old,
  new: now,
});

/** Compares the titles and the number of lines of two csv texts. */
function* compareTexts(old: unknown, now: unknown): Generator<Difference> {
  const [before, after] = [old, now].map(text => String(text).trim().split(/\r?\n/));
  if (before![0] !== after![0]) yield at('value', 'titles', before![0], after![0]);
  if (before!.length !== after!.length) yield at('count', 'lines', before!.length, after!.length);
}

function* compare(old: unknown, now: unknown, member: string, manner: Strictness): Generator<Difference> {
  const [was, is] = [kindOf(old), kindOf(now)];
  if (was === 'nothing' && is === 'nothing') return;
  if (was !== is && old !== null && now !== null) yield at('kind', member, was, is);
  else if (Array.isArray(old) && Array.isArray(now)) yield* compareLists(old, now, member, manner);
  else if (was === 'object' && is === 'object')
    yield* compareObjects(old as Members, now as Members, member, manner);
  else if (manner.values && !sameValue(old, now)) yield at('value', member, old, now);
}

type Members = Record<string, unknown>;

function* compareObjects(
  old: Members,
  now: Members,
  member: string,
  manner: Strictness,
): Generator<Difference> {
  const below = (name: string): string => (member ? `${member}.${name}` : name);
  for (const name of Object.keys(old))
    if (name in now) yield* compare(old[name], now[name], below(name), manner);
    else yield at('missing', below(name), old[name], undefined);
  for (const name of Object.keys(now))
    if (!(name in old)) yield at('added', below(name), undefined, now[name]);
}

function* compareLists(
  old: unknown[],
  now: unknown[],
  member: string,
  manner: Strictness,
): Generator<Difference> {
  const items = `${member}[]`;
  // The order that the client asked for holds for the outer list only.
  const inner = { ...manner, orders: undefined, isPaged: false };
  const [before, after] = [keyed(old), keyed(now)];
  if (!before || !after) {
    if (manner.values && old.length !== now.length) yield at('count', items, old.length, now.length);
    const [first, second] = [sorted(old), sorted(now)];
    for (const [i, one] of first.entries())
      if (i < second.length) yield* compare(one, second[i], items, inner);
    return;
  }
  const shared = [...before.keys()].filter(key => after.has(key));
  const isWhole = manner.orders !== undefined || !manner.isPaged;
  if (manner.values && isWhole && (shared.length < before.size || shared.length < after.size))
    yield at('count', items, only(before, after), only(after, before));
  for (const key of shared) yield* compare(before.get(key), after.get(key), items, inner);
  // If the lists share no record, the shapes of the first records are compared.
  if (shared.length === 0 && old.length > 0 && now.length > 0)
    yield* compare(old[0], now[0], items, { ...inner, values: false });
  if (manner.values && manner.orders && shared.length === before.size && shared.length === after.size)
    yield* compareOrder(old as Members[], now as Members[], items, manner.orders);
}

/** Compares the order of two lists. Records that are equal in the ordering column may stand in any order. */
function* compareOrder(
  old: Members[],
  now: Members[],
  member: string,
  orders: string[],
): Generator<Difference> {
  const first = orders[0]!;
  const by = old.every(record => first in record) ? first : 'id';
  const [before, after] = [old, now].map(records => records.map(record => record[by]));
  if (JSON.stringify(before) !== JSON.stringify(after)) yield at('order', member, before, after);
}

/** Records by their `id`; undefined if an item has no `id`, or two have the same. */
function keyed(list: unknown[]): Map<unknown, unknown> | undefined {
  const ids = list.map(one => (one as { id?: unknown } | null)?.id);
  const records = new Map(list.map((one, i) => [ids[i], one]));
  return ids.every(id => id !== undefined) && records.size === list.length ? records : undefined;
}

const sorted = (list: unknown[]): unknown[] =>
  list
    .map(one => [JSON.stringify(one), one] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one);

/** Text: how many records a list has, and the first ids that the other list does not have. */
function only(list: Map<unknown, unknown>, other: Map<unknown, unknown>): string {
  const own = [...list.keys()].filter(key => !other.has(key));
  const shown = own.slice(0, 5).join(', ');
  return `${list.size} records${own.length > 0 ? `, only here id ${shown}${own.length > 5 ? ', …' : ''}` : ''}`;
}
