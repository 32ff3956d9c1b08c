import { ascii } from './ascii.ts';
import type { LayoutField } from './layouts.ts';

/** Format of an invoice number. No source says which one SIPROQUIM 2 expects. */
export type NfStyle = 'zeros' | 'left';

/** Largest amount that a field holds: 999.999.999,999. */
const LARGEST_AMOUNT = 999_999_999_999;

/**
 * A value in the format of its field, with exactly the field's length. @throws RangeError for a value that does not fit
 */
export function fieldText(field: LayoutField, value: unknown, nf: NfStyle): string {
  const { length, kind } = field;
  const kindUsed = kind === 'nf' ? (nf === 'zeros' && /^\d+$/.test(String(value)) ? 'digits' : 'text') : kind;
  if (kindUsed === 'text') {
    const text = ascii(value as string);
    if (kind === 'nf' && text.length > length) throw unfit(field, value);
    return text.slice(0, length).padEnd(length);
  }
  if (kindUsed === 'digits' && value === null) return ' '.repeat(length);
  const text = numberText[kindUsed](value as never);
  const padded = kindUsed === 'amount' ? text.padStart(length) : text.padStart(length, '0');
  if (padded.length !== length) throw unfit(field, value);
  return padded;
}

const unfit = ({ name }: LayoutField, value: unknown): RangeError =>
  new RangeError(`${name} cannot be ${String(value)}`);

const within = (value: number, least: number, most: number): number => {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${value} is not an allowed value`);
  return value;
};

const numberText = {
  // The digits of an invoice stay text, because there may be more than a number can hold.
  digits: (value: number | string) =>
    typeof value === 'string' ? value.replace(/^0+(?=\d)/, '') : String(within(value, 0, 9_999_999)),
  density: (hundredths: number) => {
    const digits = String(within(hundredths, 1, 9999)).padStart(4, '0');
    return `${digits.slice(0, 2)},${digits.slice(2)}`;
  },
  amount: (thousandths: number) => {
    const digits = String(within(thousandths, 1, LARGEST_AMOUNT)).padStart(4, '0');
    const whole = digits.slice(0, -3).replace(/\B(?=(\d{3})+$)/g, '.');
    return `${whole},${digits.slice(-3)}`;
  },
  date: (day: string) => day.split('-').toReversed().join('/'),
  flag: (value: boolean) => (value ? '1' : '0'),
} as const;
