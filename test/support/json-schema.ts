import { expect } from 'vitest';

/** What the documentation of this service uses of OpenAPI's schemas. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  nullable?: boolean;
  enum?: (string | null)[];
  maxLength?: number;
  minLength?: number;
  minimum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
};

/** Whether a value is what its schema says, with no member that the schema does not name. */
export function expectDocumented(
  value: unknown,
  schema: Schema,
  components: Record<string, Schema>,
  path = '',
): void {
  if (schema.$ref)
    return expectDocumented(value, components[schema.$ref.split('/').at(-1)!]!, components, path);
  if (value === null) return expect(schema.nullable, `${path} may be null`).toBe(true);
  if (schema.anyOf)
    expect(
      schema.anyOf.some(part => fits(value, part, components)),
      `at ${path}`,
    ).toBe(true);
  for (const part of schema.allOf ?? []) expectDocumented(value, part, components, path);
  if (schema.enum) expect(schema.enum, `at ${path}`).toContain(value);
  if (schema.type)
    expect(typeOf(value), `at ${path}`).toBe(schema.type === 'integer' ? 'number' : schema.type);
  if (schema.type === 'integer') expect(value, `at ${path}`).toSatisfy(Number.isInteger);
  const format = formats[schema.format ?? ''];
  if (format) expect(value, `at ${path}`).toMatch(format);
  if (schema.type === 'array')
    (value as unknown[]).forEach((item, i) =>
      expectDocumented(item, schema.items!, components, `${path}[${i}]`),
    );
  // Of a reference that may be null, the members are those of what it refers to.
  if (schema.type === 'object' && !schema.allOf)
    expectMembers(value as Record<string, unknown>, schema, components, path);
}

function fits(value: unknown, schema: Schema, components: Record<string, Schema>): boolean {
  try {
    expectDocumented(value, schema, components);
    return true;
  } catch {
    return false;
  }
}

function expectMembers(
  value: Record<string, unknown>,
  { required = [], properties = {} }: Schema,
  components: Record<string, Schema>,
  path: string,
): void {
  expect(Object.keys(properties), `at ${path}`).toEqual(expect.arrayContaining(Object.keys(value)));
  expect(Object.keys(value), `at ${path}`).toEqual(expect.arrayContaining(required));
  for (const [name, member] of Object.entries(value))
    expectDocumented(member, properties[name]!, components, `${path}.${name}`);
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
