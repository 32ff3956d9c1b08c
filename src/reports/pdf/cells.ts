import { digitsOf } from '../numbers.ts';
import { asText, isNumeric, localTime, type Column } from '../table.ts';

/**
 * A value in Brazilian format: `1.234,5`, `20/11/2026`, `20/11/2026 14:05:00`, `Sim`; empty for null. Integers without
 * a total are not grouped, because they are years and codes.
 */
export function cellText(value: unknown, { type, total, places }: Column): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  const digits = isNumeric(type) ? digitsOf(value) : undefined;
  if (digits !== undefined)
    return total || type === 'decimal' ? grouped(digits, places) : digits.replace('.', ',');
  if (type === 'date') return brazilian(asText(value));
  if (type === 'timestamp') return brazilian(localTime(value));
  return asText(value);
}

/** `1.234.567,50` for `1234567.50`: any number of digits, at least `places` decimal places. */
function grouped(digits: string, places = 0): string {
  const [whole = '', given = ''] = digits.split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, '.');
  const fraction = given.padEnd(places, '0');
  return fraction ? `${groups},${fraction}` : groups;
}

const brazilian = (moment: string): string => moment.replace(/^(\d{4})-(\d\d)-(\d\d)/, '$3/$2/$1');
