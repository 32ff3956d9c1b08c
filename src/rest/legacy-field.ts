import {
  getNamedType,
  GraphQLNonNull,
  GraphQLString,
  isEnumType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
} from 'graphql';
import { flags, isChoice, isFlag } from '../entities/choices.ts';
import type { Read } from '../graphql/plain-records.ts';
import { isInRecord } from '../graphql/plain-selection.ts';
import type { Context } from '../request/context.ts';
import { snakeCase } from '../text/names.ts';
import type { JsonSchema } from './json-schema.ts';
import { rulesOf } from './rule-schema.ts';

export type Field = GraphQLField<unknown, Context>;

/** The texts of a closed set; undefined for other fields. */
function textsOf(field: Pick<Field, 'type' | 'extensions'>): unknown[] | undefined {
  if (isFlag(field)) return [...flags.values];
  const named = getNamedType(field.type);
  return isEnumType(named) && isChoice(named)
    ? named.getValues().map(({ value }) => value as string)
    : undefined;
}

/** The values that the rules of an input and a closed set allow, as JSON Schema. */
export function inputRules(input: GraphQLInputObjectType, field: GraphQLInputField): JsonSchema {
  const texts = textsOf(field as unknown as Field);
  return { ...rulesOf(input.name, field.name), ...(texts && { enum: texts }) };
}

export const isPage = (type: GraphQLObjectType): boolean => 'itemsPerPage' in type.getFields();

/** Page fields have the same names in GraphQL and REST (contract 3); record fields do not. */
export const legacyName = (type: GraphQLObjectType, { name, extensions }: Field): string =>
  isPage(type) ? name : ((extensions['legacyName'] as string | undefined) ?? snakeCase(name));

/** The type of a flag. REST shows the letter. */
export const asText = (
  type: GraphQLInputType | GraphQLOutputType,
): GraphQLNonNull<GraphQLScalarType> | GraphQLScalarType =>
  isNonNullType(type) ? new GraphQLNonNull(GraphQLString) : GraphQLString;

/** The description of a field, argument or body field in REST. */
export const legacyDescription = ({
  description,
  extensions,
}: Pick<Field, 'description' | 'extensions'>): string | null | undefined =>
  (extensions['legacyDescription'] as string | undefined) ?? description;

/** The type of a field in REST, where no field fails alone. */
export const shownType = ({ type, extensions }: Field): GraphQLOutputType =>
  (extensions['legacyType'] as GraphQLOutputType | undefined) ?? type;

/**
 * The value of a field that is missing in an answer stored under an `Idempotency-Key` by the previous version: the
 * default of the column, or no records.
 */
function absentOf(field: Field): unknown {
  const type = shownType(field);
  return field.extensions['absent'] ?? (isNonNullType(type) && isListType(type.ofType) ? [] : undefined);
}

/**
 * A field of the view. It has no resolver: `readOf` reads its value from the record.
 * @throws Error if the field has a resolver, which nothing would call
 */
export function legacyField(
  owner: GraphQLObjectType,
  field: Field,
  type: GraphQLOutputType,
): GraphQLFieldConfig<unknown, Context> {
  const { name } = field;
  // In REST a flag is a letter, not a Boolean as in GraphQL, and to-many fields have no arguments.
  if (!isInRecord(field))
    throw new Error(
      `${owner.name}.${name}: REST calls no resolvers of fields. The record must have the value, as with @Via and @Derived`,
    );
  const texts = textsOf(field);
  return {
    type: isFlag(field) ? asText(type) : type,
    description: legacyDescription(field),
    extensions: { property: name, absent: absentOf(field), ...(texts && { rules: { enum: texts } }) },
  };
}

/** Reads a field of the view from its record. */
export function readOf({ extensions }: GraphQLField<unknown, never>): Read {
  const { property, absent } = extensions as { property: string; absent?: unknown };
  return record => record[property] ?? absent;
}
