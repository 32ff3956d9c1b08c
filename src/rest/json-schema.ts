import {
  getNullableType,
  GraphQLNonNull,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLType,
} from 'graphql';

export type JsonSchema = Record<string, unknown>;

const scalars: Readonly<Record<string, JsonSchema>> = {
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  String: { type: 'string' },
  ID: { type: 'string' },
  Cursor: { type: 'string' },
  Boolean: { type: 'boolean' },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
};

/** A GraphQL type in OpenAPI 3.1. Records and inputs become references to components. */
export function jsonSchema(type: GraphQLType): JsonSchema {
  const schema = bareSchema(getNullableType(type));
  if (isNonNullType(type)) return schema;
  return '$ref' in schema
    ? { anyOf: [schema, { type: 'null' }] }
    : { ...schema, type: [schema['type'], 'null'] };
}

function bareSchema(type: GraphQLType): JsonSchema {
  if (isListType(type)) return { type: 'array', items: jsonSchema(type.ofType) };
  if (isObjectType(type) || isInputObjectType(type)) return { $ref: `#/components/schemas/${type.name}` };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(value => value.name) };
  return { ...scalars[String(type)] };
}

interface Member {
  name: string;
  /** GraphQL name of a body field. */
  property?: string;
  type: GraphQLType;
  description?: string | null | undefined;
  /** Required, but may be null. */
  present?: boolean;
  /** JSON Schema keywords of its validators. */
  rules?: JsonSchema;
  extensions?: Readonly<Record<string, unknown>>;
}

/** Whether clients must send the member. */
const isDemanded = ({ type, present, extensions }: Member): boolean =>
  isNonNullType(type) || present === true || extensions?.['present'] === true;

/** An object with these members. `required` lists those that are always present. */
export function objectSchema(
  members: readonly Member[],
  description?: string | null,
  isNeverAbsent: (member: Member) => boolean = isDemanded,
): JsonSchema {
  const required = members.filter(isNeverAbsent).map(member => member.name);
  return {
    type: 'object',
    ...(description && { description }),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(members.map(member => [member.name, describedSchema(member)])),
  };
}

function describedSchema({
  type,
  description,
  extensions,
  rules = extensions?.['rules'] as JsonSchema,
}: Member): JsonSchema {
  const schema = { ...jsonSchema(type), ...rules };
  // An enumeration that may be null must also list null among its values.
  if (Array.isArray(schema['enum']) && Array.isArray(schema['type']))
    schema['enum'] = [...(schema['enum'] as unknown[]), null];
  return description ? { ...schema, description } : schema;
}

/** An object with groups of members, by GraphQL name. A client must give all members of one group. */
export function either(
  schema: JsonSchema,
  groups: readonly (readonly string[])[],
  members: readonly Member[],
): JsonSchema {
  if (groups.length === 0) return schema;
  const named = groups.map(group =>
    group.map(property => members.find(one => propertyOf(one) === property)!),
  );
  // Each group repeats its members without null, so that generators create a union of types.
  const given = (member: Member): Member => ({
    ...member,
    type: new GraphQLNonNull(getNullableType(member.type)),
    description: null,
  });
  return { ...schema, anyOf: named.map(group => objectSchema(group.map(given))) };
}

const propertyOf = ({ property, extensions }: Member): unknown => property ?? extensions?.['property'];

/** The component of a record or of a nested input. A record has all of its fields, some of them null. */
export const componentSchema = (type: GraphQLObjectType | GraphQLInputObjectType): JsonSchema =>
  isObjectType(type)
    ? objectSchema(Object.values(type.getFields()), type.description, () => true)
    : objectSchema(Object.values(type.getFields()), type.description);
