import type { EntityProperty } from '@mikro-orm/core';
import { GRAPHQL_MAX_INT } from 'graphql';
import { flagOf, flags, type Choices } from '../entities/choices.ts';
import { calendarDate } from '../entities/scalars.ts';
import type { Text } from '../messages.ts';
import { hasHidden } from '../text/visible.ts';
import { said } from './messages.ts';

export type Value = string | number | boolean | string[];

/** Converts the text of a cell to a value. Returns undefined for invalid text; the error then shows `expected`. */
export interface Format {
  expected: Text;
  read: (text: string) => Value | undefined;
  /** Separator of several values in one cell; by default comma or line break. */
  separator?: RegExp;
}

const text = (max: number | undefined): Format => ({
  expected: max ? said.characters(max) : said.text,
  read: given =>
    (max && given.length > max && Array.from(given).length > max) || given.includes('\0') ? undefined : given,
});

/** A text by which a record is found: if two of them look alike, they are the same. */
export function identifier(max: number | undefined): Format {
  const { expected, read } = text(max);
  return { expected: said.identifier(expected), read: given => (hasHidden(given) ? undefined : read(given)) };
}

const oneOf = (values: readonly string[]): Format => ({
  expected: said.oneOf(values),
  read: given => values.find(value => value === given || value === given.toUpperCase()),
});

const integer: Format = {
  expected: said.integer,
  read: given => {
    const number = /^[+-]?\d{1,10}$/.test(given) ? Number(given) : NaN;
    return Math.abs(number) <= GRAPHQL_MAX_INT ? number : undefined;
  },
};

/** A whole number between two bounds, inclusive. */
export const wholeNumber = (least: number, most = GRAPHQL_MAX_INT): Format => ({
  expected: most === GRAPHQL_MAX_INT ? said.wholeFrom(least) : said.wholeWithin(least, most),
  read: given => {
    const number = integer.read(given) as number | undefined;
    return number !== undefined && number >= least && number <= most ? number : undefined;
  },
});

const FIRST_YEAR = 1900;
const LAST_YEAR = 2199;

/** A calendar year with four digits. */
export const year = wholeNumber(FIRST_YEAR, LAST_YEAR);

/** A semester of a year, from 1. Where terms are shorter, they are counted in its place: there are at most twelve. */
export const semester = wholeNumber(1, 12);

const words = new Map([
  ...['sim', 's', 'true', 'verdadeiro', '1'].map(word => [word, true] as const),
  ...['não', 'nao', 'n', 'false', 'falso', '0'].map(word => [word, false] as const),
]);
const boolean: Format = { expected: said.yesOrNo, read: given => words.get(given.toLowerCase()) };

/** Yes or no, stored as a letter. */
const flag: Format = {
  ...boolean,
  read: given => {
    const yes = boolean.read(given) as boolean | undefined;
    return yes === undefined ? undefined : flagOf(yes);
  },
};

const two = (digits: string): string => digits.padStart(2, '0');

/**
 * Converts `2026-11-20`, `20/11/2026`, `5/3/2026` or `20.11.2026` to `2026-11-20`: the day comes first, as in Brazil.
 * Years with two digits are refused.
 */
const day = (given: string): string | undefined =>
  calendarDate(
    given.replace(
      /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/,
      (_, date: string, _mark, month: string, ofYear: string) => `${ofYear}-${two(month)}-${two(date)}`,
    ),
  );

const date: Format = { expected: said.date, read: day };

const CLOCK = /^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4]):?[0-5]\d)?$/;

/** Without an offset the time is in the institution's time zone, which is that of the database session. */
const timestamp: Format = {
  expected: said.timestamp(FIRST_YEAR, LAST_YEAR),
  read: given => {
    const [, on = '', clock] = /^(\S{8,10}?)(?:[T ](\S+))?$/.exec(given) ?? [];
    const found = day(on);
    if (!found || year.read(found.slice(0, 4)) === undefined) return undefined;
    if (clock === undefined) return found;
    return CLOCK.test(clock) ? `${found} ${clock}` : undefined;
  },
};

/** `1.234,56`: points separate thousands, so the comma is the decimal separator. */
const GROUPED = /^[+-]?\d{1,3}(\.\d{3})+,\d{1,30}$/;

/**
 * A number with a decimal comma or point. `1.234` has a decimal point: its meaning must not depend on the number of
 * digits.
 */
const decimal: Format = {
  expected: said.decimal,
  read: given => {
    const plain = GROUPED.test(given) ? given.replaceAll('.', '') : given;
    return /^[+-]?\d{1,12}([.,]\d{1,30})?$/.test(plain) ? Number(plain.replace(',', '.')) : undefined;
  },
};

/** A number greater than `floor` and at most `most`. */
export const decimalWithin = (floor: number, most = Infinity): Format => ({
  expected: most === Infinity ? said.decimalAbove(floor) : said.decimalWithin(floor, most),
  read: given => {
    const number = decimal.read(given) as number | undefined;
    return number !== undefined && number > floor && number <= most ? number : undefined;
  },
});

const kinds: Readonly<Record<string, Format>> = {
  integer,
  DoubleType: decimal,
  boolean,
  DateType: date,
  datetime: timestamp,
};

/** The format of a column, from its type and rules. */
export function formatOf(
  { name, type, length }: EntityProperty,
  { choices, isKey }: { choices: Choices | undefined; isKey: boolean },
): Format {
  if (choices) return choices === flags ? flag : oneOf(choices.values);
  if (type === 'string' || type === 'text') return isKey ? identifier(length) : text(length);
  const format = kinds[type];
  if (!format) throw new Error(`${name}: nothing of type ${type} can be imported yet`);
  return format;
}

/** Several values in one cell, without duplicates. */
export const several = ({ expected, read, separator = /[,\n]/ }: Format): Format => ({
  expected: separator.test(',') ? said.severalByComma(expected) : said.severalByBar(expected),
  read: given => {
    const values = given.split(separator).map(part => read(part.trim()));
    return values.includes(undefined) || values.includes('') ? undefined : [...new Set(values as string[])];
  },
});

/** Names that may contain commas. Several in one cell are separated by `|`. */
export const nameWithCommas: Format = { ...text(200), separator: /[|\n]/ };
