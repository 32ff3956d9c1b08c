import { expect } from 'vitest';

/** The part of OpenAPI's schemas that the documentation of this service uses. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  type?: Type | [Type, 'null'];
  format?: string;
  const?: unknown;
  enum?: (string | null)[];
  maxLength?: number;
  minLength?: number;
  minimum?: number;
  minItems?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

type Type = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';

/** The type of a value that is not null; undefined for a schema without a type. */
export const typeOf = ({ type }: Schema): Type | undefined => (Array.isArray(type) ? type[0] : type);

/** Whether a value may be null. */
export const isNullable = ({ type, anyOf }: Schema): boolean =>
  Array.isArray(type) || type === 'null' || (anyOf?.some(isNullable) ?? false);

const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
};

/** Checks that a value matches its schema, and has no member that the schema does not name. */
export function expectDocumented(value: unknown, schema: Schema, components: Record<string, Schema>): void {
  expect([...faults(value, schema, components, '')]).toEqual([]);
}

/** Whether a value matches its schema in the same way. */
export const isDocumented = (value: unknown, schema: Schema, components: Record<string, Schema>): boolean =>
  faults(value, schema, components, '').next().done === true;

/** The differences from the schema. An `expect` for each value of a long answer would take most of the test's time. */
function* faults(
  value: unknown,
  schema: Schema,
  components: Record<string, Schema>,
  path: string,
): Generator<string> {
  if (schema.$ref) {
    yield* faults(value, components[schema.$ref.split('/').at(-1)!]!, components, path);
    return;
  }
  if (value === null) {
    if (!isNullable(schema)) yield `${path} is null`;
    return;
  }
  const type = typeOf(schema);
  const wrong = (what: string): string => `${path} is not ${what}: ${JSON.stringify(value)}`;
  // Groups of members are in addition to the members of the object.
  const fits = (part: Schema): boolean =>
    type === 'object'
      ? memberFaults(value as Record<string, unknown>, part, components, path, schema).next().done === true
      : faults(value, part, components, path).next().done === true;
  if (schema.anyOf && !schema.anyOf.some(fits)) yield wrong('any of those');
  for (const part of schema.allOf ?? []) yield* faults(value, part, components, path);
  if (schema.enum && !schema.enum.includes(value as string)) yield wrong(schema.enum.join(' or '));
  if (schema.const !== undefined && schema.const !== value) yield wrong(String(schema.const));
  if (type && !isOfType(value, type)) yield wrong(type);
  if (formats[schema.format ?? '']?.test(value as string) === false) yield wrong(schema.format!);
  if (type === 'array' && (value as unknown[]).length < (schema.minItems ?? 0)) yield wrong('long enough');
  if (type === 'array')
    for (const [i, item] of (value as unknown[]).entries())
      yield* faults(item, schema.items!, components, `${path}[${i}]`);
  // A schema with `allOf` has the members of the schema that it refers to.
  if (schema.allOf)
    for (const [name, member] of Object.entries(schema.properties ?? {}))
      yield* faults((value as Record<string, unknown>)[name], member, components, `${path}.${name}`);
  else if (type === 'object') yield* memberFaults(value as Record<string, unknown>, schema, components, path);
}

function* memberFaults(
  value: Record<string, unknown>,
  { required = [], properties = {} }: Schema,
  components: Record<string, Schema>,
  path: string,
  whole: Schema = { properties },
): Generator<string> {
  for (const name of required) if (!(name in value)) yield `${path}.${name} is missing`;
  for (const [name, member] of Object.entries(value))
    if (properties[name]) yield* faults(member, properties[name], components, `${path}.${name}`);
    else if (!whole.properties?.[name]) yield `${path}.${name} is not documented`;
}

const isOfType = (value: unknown, type: string): boolean => {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return type === (Array.isArray(value) ? 'array' : typeof value);
};
