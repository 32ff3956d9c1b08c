/** The kind of a value, as a client sees it. A moment that is not written in ISO 8601 is a text. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'string') return typeof value;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return 'date';
  return isMoment(value) ? 'moment' : 'text';
}

const isMoment = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/.test(text);

/** Whether two values count as equal. Two moments always do, because each service writes its own. */
export const sameValue = (old: unknown, now: unknown): boolean =>
  old === now || (typeof old === 'string' && typeof now === 'string' && isMoment(old) && isMoment(now));
