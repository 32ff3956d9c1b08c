import {
  getNullableType,
  GraphQLBoolean,
  GraphQLInt,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { MAX_ERRORS, type FieldError } from '../errors.ts';
import { calendarDate, DateScalar } from '../graphql/scalars.ts';
import { expected, fieldMessages, type Text } from '../messages.ts';

const INT = /^[+-]?\d{1,10}$/;
const MAX_INT = 2_147_483_647;
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 1, 'true', '1'].map(value => [value, true] as const),
  ...[false, 0, 'false', '0'].map(value => [value, false] as const),
]);

/**
 * A value of a legacy client as GraphQL takes it, lenient where old clients are: numbers in strings, `1`/`0` for
 * booleans, enumerations in any case, dates with slashes. What cannot be read is told under its GraphQL path, and
 * answers undefined; so does a value that is absent.
 */
export function coerce(type: GraphQLInputType, value: unknown, path: string, errors: FieldError[]): unknown {
  if (value === undefined || value === null) {
    if (!isNonNullType(type)) return value;
    errors.push({ field: path, message: value === null ? fieldMessages.notNull : fieldMessages.required });
    return undefined;
  }
  const bare = getNullableType(type);
  if (isListType(bare)) return coerceList(bare.ofType, value, path, errors);
  if (isInputObjectType(bare)) return coerceObject(bare, value, path, errors);
  const [result, wanted] = isEnumType(bare) ? coerceEnum(bare, value) : coerceScalar(bare.name, value);
  if (result === undefined) errors.push({ field: path, message: wanted });
  return result;
}

/** Reads no further when enough is broken to be told. */
function coerceList(item: GraphQLInputType, value: unknown, path: string, errors: FieldError[]): unknown {
  if (!Array.isArray(value)) {
    errors.push({ field: path, message: fieldMessages.type(expected.list) });
    return undefined;
  }
  const items: unknown[] = [];
  for (const [i, one] of value.entries()) {
    if (errors.length >= MAX_ERRORS) break;
    items.push(coerce(item, one, `${path}[${i}]`, errors));
  }
  return items;
}

function coerceObject(
  type: GraphQLInputObjectType,
  value: unknown,
  path: string,
  errors: FieldError[],
): unknown {
  if (typeof value !== 'object' || Array.isArray(value)) {
    errors.push({ field: path, message: fieldMessages.type(expected.object) });
    return undefined;
  }
  const result: Record<string, unknown> = {};
  for (const field of Object.values(type.getFields())) {
    const given = Object.hasOwn(value!, field.name)
      ? (value as Record<string, unknown>)[field.name]
      : undefined;
    const at = `${path}.${field.extensions['property'] as string}`;
    if (given === undefined && field.extensions['present'])
      errors.push({ field: at, message: fieldMessages.required });
    const coerced = coerce(field.type, given, at, errors);
    if (coerced !== undefined) result[field.name] = coerced;
  }
  return result;
}

type Coerced = [value: unknown, message: Text];

function coerceEnum(type: GraphQLEnumType, value: unknown): Coerced {
  const names = type.getValues().map(v => v.name);
  const wanted = typeof value === 'string' ? value : '';
  return [
    names.find(name => name === wanted) ?? names.find(name => name.toLowerCase() === wanted.toLowerCase()),
    fieldMessages.oneOf(names),
  ];
}

function coerceScalar(scalar: string, value: unknown): Coerced {
  switch (scalar) {
    case GraphQLInt.name:
      return [integer(value), fieldMessages.type(expected.integer)];
    case GraphQLBoolean.name:
      return [
        BOOLEANS.get(typeof value === 'string' ? value.toLowerCase() : value),
        fieldMessages.type(expected.lenientBoolean),
      ];
    case DateScalar.name:
      return [calendarDate(value), fieldMessages.type(expected.date)];
    default:
      return [typeof value === 'string' ? value : undefined, fieldMessages.type(expected.text)];
  }
}

function integer(value: unknown): number | undefined {
  if (typeof value !== 'number' && !(typeof value === 'string' && INT.test(value))) return undefined;
  const number = Number(value);
  return Number.isInteger(number) && Math.abs(number) <= MAX_INT ? number : undefined;
}
