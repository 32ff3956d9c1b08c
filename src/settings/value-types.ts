import { z } from 'zod';
import { isAttribute, isDatabaseUrl, isLdapFilter, isOfPublic, isReadUrl } from './checks.ts';

/** A setting that must pass `test`. The error for a bad value says only what is expected. */
export const text = (test: (value: string) => boolean, expected: string) =>
  z.string().refine(test, `must be ${expected}`);

export const flag = text(value => /^(true|false|1|0)$/i.test(value), 'true or false').transform(value =>
  /^(true|1)$/i.test(value),
);

export const integer = (min: number, max: number) =>
  text(
    value => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max,
    `a whole number from ${min} to ${max}`,
  ).transform(Number);

export const oneOf = <const T extends string>(values: readonly T[]) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

const parts = (value: string): string[] =>
  value
    .split(',')
    .map(part => part.trim())
    .filter(Boolean);

export const list = (test: (part: string) => boolean, expected: string) =>
  text(
    value => parts(value).length > 0 && parts(value).every(test),
    `a list, separated by commas, of ${expected}`,
  ).transform(parts);

const DATABASE =
  'like postgresql://user:password@host:5432/database, with / ? # @ % in the password written as %2F %3F %23 %40 %25';
const OTHER_SCHEMA =
  'must not name a schema other than public, in which the tables are: remove schema=… from it';

export const databaseUrl = text(isDatabaseUrl, DATABASE).refine(isOfPublic, OTHER_SCHEMA);
export const readUrls = list(isReadUrl, `URLs ${DATABASE}, each of one server`).refine(
  urls => urls.every(isOfPublic),
  OTHER_SCHEMA,
);

export const attribute = (byDefault: string) =>
  text(isAttribute, 'the name of an attribute').default(byDefault);
export const ldapFilter = () =>
  text(isLdapFilter, 'an LDAP filter in parentheses').default('(objectClass=inetOrgPerson)');
