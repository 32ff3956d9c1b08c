import {
  getNullableType,
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInt,
  GraphQLString,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  GRAPHQL_MAX_INT,
} from 'graphql';
import { MAX_ERRORS, type FieldError } from '../errors.ts';
import { DateScalar } from '../entities/scalars.ts';
import { expected, fieldMessages, type Text } from '../messages.ts';
import { legacyDate } from './legacy-date.ts';

const DECIMAL = /^[+-]?\d{1,15}(\.\d{1,15})?$/;
const INT = /^[+-]?\d{1,10}$/;
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 1, 'true', '1'].map(value => [value, true] as const),
  ...[false, 0, 'false', '0'].map(value => [value, false] as const),
]);

/** Settings and collected errors of a conversion. */
export interface Reading {
  /** Time zone of dates with a time. */
  timeZone: string;
  errors: FieldError[];
}

/**
 * Converts a legacy client's value for GraphQL, as leniently as old clients need (contract 10): numbers as text, text
 * as numbers, `1`/`0` as booleans, enumerations in any case, dates in three forms. Errors are collected under the
 * GraphQL path. Returns undefined for an invalid or absent value.
 */
export function coerce(type: GraphQLInputType, value: unknown, path: string, reading: Reading): unknown {
  const { errors } = reading;
  if (value === undefined || value === null) {
    if (!isNonNullType(type)) return value;
    errors.push({ field: path, message: value === null ? fieldMessages.notNull : fieldMessages.required });
    return undefined;
  }
  const bare = getNullableType(type);
  if (isListType(bare)) return coerceList(bare.ofType, value, path, reading);
  if (isInputObjectType(bare)) return coerceObject(bare, value, path, reading);
  const [result, expectedMessage] = isEnumType(bare)
    ? coerceEnum(bare, value)
    : coerceScalar(bare.name, value, reading);
  if (result === undefined) errors.push({ field: path, message: expectedMessage });
  return result;
}

/** A parameter of a body, or a field of an object in it. */
interface BodyField {
  type: GraphQLInputType;
  defaultValue?: unknown;
  /** Whether it must be present, but may be null. */
  present?: boolean;
}

/**
 * Interprets empty text in a body, because forms send all their fields. For an optional text it means null, also for one
 * of a closed set; null leaves what is never empty (contract 4). For an optional number, date or enumeration of GraphQL
 * it means absent, or null if the field must be present.
 */
export function meant({ type, defaultValue, present }: BodyField, value: unknown): unknown {
  if (value !== '' || (isNonNullType(type) && defaultValue === undefined)) return value;
  const bare = getNullableType(type);
  if (!isLeafType(bare) || bare.name === GraphQLBoolean.name) return value;
  const clears = present || (bare.name === GraphQLString.name && defaultValue === undefined);
  return clears ? null : undefined;
}

/** Stops after enough errors to report. */
function coerceList(item: GraphQLInputType, value: unknown, path: string, reading: Reading): unknown {
  const { errors } = reading;
  if (!Array.isArray(value)) {
    errors.push({ field: path, message: fieldMessages.type(expected.list) });
    return undefined;
  }
  const items: unknown[] = [];
  for (const [i, one] of value.entries()) {
    if (errors.length >= MAX_ERRORS) break;
    items.push(coerce(item, one, `${path}[${i}]`, reading));
  }
  return items;
}

function coerceObject(type: GraphQLInputObjectType, value: unknown, path: string, reading: Reading): unknown {
  const { errors } = reading;
  if (typeof value !== 'object' || Array.isArray(value)) {
    errors.push({ field: path, message: fieldMessages.type(expected.object) });
    return undefined;
  }
  const result: Record<string, unknown> = {};
  for (const field of Object.values(type.getFields())) {
    const present = field.extensions['present'] === true;
    const sent = Object.hasOwn(value!, field.name)
      ? (value as Record<string, unknown>)[field.name]
      : undefined;
    const given = meant({ ...field, present }, sent);
    const at = `${path}.${field.extensions['property'] as string}`;
    if (given === undefined && present) errors.push({ field: at, message: fieldMessages.required });
    const coerced = coerce(field.type, given, at, reading);
    if (coerced !== undefined) result[field.name] = coerced;
  }
  return result;
}

type CoercedValue = [value: unknown, message: Text];

function coerceEnum(type: GraphQLEnumType, value: unknown): CoercedValue {
  const names = type.getValues().map(v => v.name);
  const text = typeof value === 'string' ? value : '';
  return [
    names.find(name => name === text) ?? names.find(name => name.toLowerCase() === text.toLowerCase()),
    fieldMessages.oneOf(names),
  ];
}

function coerceScalar(scalar: string, value: unknown, { timeZone }: Reading): CoercedValue {
  switch (scalar) {
    case GraphQLInt.name:
      return [integer(value), fieldMessages.type(expected.integer)];
    case GraphQLFloat.name:
      return [decimal(value), fieldMessages.type(expected.number)];
    case GraphQLBoolean.name:
      return [
        BOOLEANS.get(typeof value === 'string' ? value.toLowerCase() : value),
        fieldMessages.type(expected.lenientBoolean),
      ];
    case DateScalar.name:
      return [legacyDate(value, timeZone), fieldMessages.type(expected.date)];
    default:
      return [asText(value), fieldMessages.type(expected.text)];
  }
}

/** A number beyond 2^53 has already lost digits, so it cannot be converted to text. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const isWhole = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return isWhole || typeof value === 'boolean' ? String(value) : undefined;
}

function decimal(value: unknown): number | undefined {
  // JSON may hold numbers that JavaScript reads as infinite.
  return Number.isFinite(value) || (typeof value === 'string' && DECIMAL.test(value))
    ? Number(value)
    : undefined;
}

function integer(value: unknown): number | undefined {
  if (typeof value !== 'number' && !(typeof value === 'string' && INT.test(value))) return undefined;
  const number = Number(value);
  return Number.isInteger(number) && Math.abs(number) <= GRAPHQL_MAX_INT ? number : undefined;
}
