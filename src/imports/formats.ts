import type { EntityProperty } from '@mikro-orm/core';
import { userName } from '../domain/login/login.ts';
import { mailKey } from '../directory/directory.ts';
import { isCnpj, withoutPunctuation } from '../domain/cnpj.ts';
import { isCpf } from '../domain/cpf.ts';
import { flagOf, flags, type Choices } from '../entities/choices.ts';
import { calendarDate } from '../entities/scalars.ts';
import { webAddress } from '../text/web-address.ts';

export type Value = string | number | boolean | string[];

/** Converts the text of a cell to a value; undefined for invalid text, and then the error shows `expected`. */
export interface Format {
  expected: string;
  read: (text: string) => Value | undefined;
  /** Separator of several values in one cell; comma or line break when absent. */
  separator?: RegExp;
}

/** PostgreSQL's `integer`. */
const LARGEST = 2_147_483_647;

const text = (max: number | undefined): Format => ({
  expected: max ? `at most ${max} characters` : 'text',
  read: given =>
    (max && given.length > max && Array.from(given).length > max) || given.includes('\0') ? undefined : given,
});

const oneOf = (values: readonly string[]): Format => ({
  expected: values.join(' or '),
  read: given => values.find(value => value === given || value === given.toUpperCase()),
});

const integer: Format = {
  expected: 'a whole number',
  read: given => {
    const number = /^[+-]?\d{1,10}$/.test(given) ? Number(given) : NaN;
    return Math.abs(number) <= LARGEST ? number : undefined;
  },
};

/** A whole number between two bounds, inclusive. */
export const wholeNumber = (least: number, most = LARGEST): Format => ({
  expected: most === LARGEST ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`,
  read: given => {
    const number = integer.read(given) as number | undefined;
    return number !== undefined && number >= least && number <= most ? number : undefined;
  },
});

/** A calendar year with four digits. */
export const year = wholeNumber(1900, 2199);

const words = new Map([
  ...['sim', 's', 'true', 'verdadeiro', '1'].map(word => [word, true] as const),
  ...['não', 'nao', 'n', 'false', 'falso', '0'].map(word => [word, false] as const),
]);
const boolean: Format = { expected: 'sim or não', read: given => words.get(given.toLowerCase()) };

/** The same, stored as a letter. */
const flag: Format = {
  ...boolean,
  read: given => {
    const yes = boolean.read(given) as boolean | undefined;
    return yes === undefined ? undefined : flagOf(yes);
  },
};

/** Converts `2026-11-20` or `20/11/2026`, the format of Portuguese spreadsheets, to `2026-11-20`. */
const day = (given: string): string | undefined =>
  calendarDate(given.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, '$3-$2-$1'));

const date: Format = { expected: 'a date, YYYY-MM-DD or DD/MM/YYYY', read: day };

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4]):?[0-5]\d)?$/;

/** Without an offset the time is in the institution's time zone, which is that of the database session. */
const timestamp: Format = {
  expected: 'a timestamp, YYYY-MM-DD HH:MM:SS or DD/MM/YYYY HH:MM:SS',
  read: given => {
    const [, on = '', clock] = /^(\S{10})(?:[T ](\S+))?$/.exec(given) ?? [];
    const found = day(on);
    if (clock === undefined) return found;
    return found && CLOCK.test(clock) ? `${found} ${clock}` : undefined;
  },
};

/** A number with a decimal comma or point. */
const decimal: Format = {
  expected: 'a number such as 0,79',
  read: given => (/^[+-]?\d{1,12}([.,]\d{1,12})?$/.test(given) ? Number(given.replace(',', '.')) : undefined),
};

/** A number above `floor` and up to `most`. */
export const decimalWithin = (floor: number, most: number): Format => ({
  expected: `a number above ${floor}, and at most ${most}`,
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
export function formatOf({ name, type, length }: EntityProperty, choices: Choices | undefined): Format {
  if (choices) return choices === flags ? flag : oneOf(choices.values);
  if (type === 'string' || type === 'text') return text(length);
  const format = kinds[type];
  if (!format) throw new Error(`${name}: nothing of type ${type} can be imported yet`);
  return format;
}

/** Several values in one cell, without duplicates. */
export const several = ({ expected, read, separator = /[,\n]/ }: Format): Format => ({
  expected: `${expected}, or several separated by ${separator.test(',') ? 'commas' : '|'}`,
  read: given => {
    const values = given.split(separator).map(part => read(part.trim()));
    return values.includes(undefined) || values.includes('') ? undefined : [...new Set(values as string[])];
  },
});

/** A number of another system, which is never computed with: leading zeros count. */
export const digits: Format = {
  expected: 'digits',
  read: given => (/^\d+$/.test(given) ? given : undefined),
};

/** Names that may contain commas. Several in one cell are separated by `|`. */
export const nameWithCommas = (max: number): Format => ({ ...text(max), separator: /[|\n]/ });

/**
 * A CPF with or without punctuation. Leading zeros are restored, because spreadsheets that take it for a number remove
 * them.
 */
export const cpf: Format = {
  expected: 'a CPF with its check digits',
  read: given => {
    const digits = withoutPunctuation(given).padStart(11, '0');
    return isCpf(digits) ? digits : undefined;
  },
};

/** A CNPJ with or without punctuation. */
export const cnpj: Format = {
  expected: 'a CNPJ of 14 letters and digits',
  read: given => {
    const found = withoutPunctuation(given);
    return isCnpj(found) ? found : undefined;
  },
};

/** A code of the Federal Police for a chemical. */
export const code: Format = {
  expected: 'TPN and 8 digits',
  read: given => (/^TPN\d{8}$/.test(given.toUpperCase()) ? given.toUpperCase() : undefined),
};

/** An NCM with its points; they are added where they are missing. */
export const ncm: Format = {
  expected: 'an NCM such as 3824.99.89',
  read: given =>
    /^\d{4}\.?\d{2}\.?\d{2}$/.test(given)
      ? given.replaceAll('.', '').replace(/^(.{4})(..)/, '$1.$2.')
      : undefined,
};

/** A user name in the form that logins compare. */
export const login: Format = {
  expected: 'a user name of at most 100 characters',
  read: given => text(100).read(userName(given)),
};

export const email: Format = {
  expected: 'an e-mail address',
  read: given => (given.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(given) ? given : undefined),
};

/** A person's e-mail address in the form that is compared. */
export const ownEmail: Format = { ...email, read: given => email.read(mailKey(given)) };

export const link: Format = {
  expected: 'an address that begins with http:// or https://',
  read: given => {
    const address = webAddress(given);
    return address && address.length <= 2000 ? address : undefined;
  },
};
