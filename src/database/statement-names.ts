/**
 * Limits of named statements, because each connection keeps them. When the service's own statements reach the limit,
 * further ones are parsed at each use. Statements that requests compose, such as lists with filters, are kept by last
 * use (LRU).
 */
const MOST = { own: 1000, composed: 500 };

/** Whether the text is one of the service's own, which are few and fixed, or one that requests compose. */
export type Kind = keyof typeof MOST;

export const PREFIX = { own: 'plan_', composed: 'list_' };
const names = { own: new Map<string, string>(), composed: new Map<string, string>() };
let named = 0;

/** The name under which connections prepare this statement; undefined when the limit is reached. */
export function statementName(text: string, kind: Kind): string | undefined {
  const its = names[kind];
  let name = its.get(text);
  if (kind === 'composed') markUsed(its, text, (name ??= newName(kind)));
  else if (!name && its.size < MOST.own) its.set(text, (name = newName(kind)));
  return name;
}

/** The name of a statement, if it has one. */
export const knownName = (text: string): string | undefined =>
  names.own.get(text) ?? names.composed.get(text);

const newName = (kind: Kind): string => `${PREFIX[kind]}${named++}`;

/** Marks a composed statement as the last one used. Returns the entry to evict, if there are too many. */
export function markUsed<T>(all: Map<string, T>, key: string, value: T): string | undefined {
  all.delete(key);
  all.set(key, value);
  if (all.size <= MOST.composed) return undefined;
  const oldest = all.keys().next().value!;
  all.delete(oldest);
  return oldest;
}

/** Number of the first name that is still valid. */
let first = 0;

/** Whether a prepared statement failed because a migration changed the type of a result column. */
export function isOutdated(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/**
 * Gives all statements new names after one became outdated, because a connection rejects the old name for ever. A
 * transaction may use several such statements, so all names change. They change once, although every connection reports
 * its old name.
 */
export function renewStatements(outdated: string): void {
  if (Number(outdated.slice(outdated.indexOf('_') + 1)) < first) return;
  forgetStatements();
  first = named;
}

/** Restarts the names after all connections were closed. No name is used twice. */
export function forgetStatements(): void {
  names.own.clear();
  names.composed.clear();
}
