import {
  getNullableType,
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
  Boolean: { type: 'boolean' },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
};

/** A GraphQL type in OpenAPI 3.0. Records and inputs become references to components. */
export function jsonSchema(type: GraphQLType): JsonSchema {
  const bare = getNullableType(type);
  const schema = bareSchema(bare);
  if (isNonNullType(type)) return schema;
  // OpenAPI 3.0 allows no keyword besides `$ref`.
  return '$ref' in schema
    ? { type: 'object', allOf: [schema], nullable: true }
    : { ...schema, nullable: true };
}

function bareSchema(type: GraphQLType): JsonSchema {
  if (isListType(type)) return { type: 'array', items: jsonSchema(type.ofType) };
  if (isObjectType(type) || isInputObjectType(type)) return { $ref: `#/components/schemas/${type.name}` };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(value => value.name) };
  return { ...scalars[String(type)] };
}

interface Member {
  name: string;
  type: GraphQLType;
  description?: string | null | undefined;
  /** Required, but may be null. */
  present?: boolean;
  /** Keywords of its validators. */
  rules?: JsonSchema;
  extensions?: Readonly<Record<string, unknown>>;
}

/** An object with these members. `required` lists those that are never absent. */
export function objectSchema(members: readonly Member[], description?: string | null): JsonSchema {
  const required = members
    .filter(member => isNonNullType(member.type) || member.present || member.extensions?.['present'])
    .map(member => member.name);
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
  // An enumeration with `nullable` must also list null among its values.
  if (Array.isArray(schema['enum']) && schema['nullable'])
    schema['enum'] = [...(schema['enum'] as unknown[]), null];
  if (!description) return schema;
  return '$ref' in schema ? { allOf: [schema], description } : { ...schema, description };
}

/** The component of a record or of a nested input. */
export const componentSchema = (type: GraphQLObjectType | GraphQLInputObjectType): JsonSchema =>
  objectSchema(Object.values(type.getFields()), type.description);
