import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql';
import { MAX_ERRORS, type FieldError } from '../errors.ts';
import { expected, fieldMessages, type Text } from '../messages.ts';
import { graphqlTexts } from './messages.ts';

/**
 * The errors of an operation's variables, by field name like all other field errors. GraphQL's own messages are English
 * and contain the values. Stops after the first few errors, because further checks cost time and help nobody.
 */
export function variableErrors(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const definition of variableDefinitions) {
    for (const error of brokenVariable(schema, definition, given)) {
      if (errors.push(error) >= MAX_ERRORS) return errors;
    }
  }
  return errors;
}

function* brokenVariable(
  schema: GraphQLSchema,
  { variable, type: node, defaultValue }: VariableDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): Generator<FieldError> {
  const name = variable.name.value;
  const type = typeFromAST(schema, node as never);
  if (!isInputType(type)) return;
  if (!Object.hasOwn(given, name)) {
    if (isNonNullType(type) && !defaultValue) yield { field: name, message: fieldMessages.required };
    return;
  }
  // Fields of an input are named relative to it, like the errors of its rules; the variable's name is left out.
  yield* brokenFields(type, given[name], isInputObjectType(getNullableType(type)) ? '' : name);
}

function* brokenFields(type: GraphQLInputType, value: unknown, path: string): Generator<FieldError> {
  const bare = getNullableType(type);
  if (value === null || value === undefined) {
    if (isNonNullType(type)) yield { field: path, message: fieldMessages.notNull };
  } else if (isListType(bare)) {
    // GraphQL accepts a single value as a list of one.
    if (!Array.isArray(value)) yield* brokenFields(bare.ofType, value, path);
    else for (const [i, item] of value.entries()) yield* brokenFields(bare.ofType, item, `${path}[${i}]`);
  } else if (isInputObjectType(bare)) yield* brokenMembers(bare, value, path);
  else if (!isOf(bare, value)) yield { field: path, message: expectedValue(bare) };
}

function* brokenMembers(type: GraphQLInputObjectType, value: object, path: string): Generator<FieldError> {
  if (typeof value !== 'object' || Array.isArray(value)) {
    yield { field: path, message: fieldMessages.type(expected.object) };
    return;
  }
  const at = (name: string): string => (path ? `${path}.${name}` : name);
  const fields = type.getFields();
  const given = Object.values(value).filter(one => one !== undefined && one !== null);
  if (type.isOneOf && (given.length !== 1 || Object.keys(value).length !== 1))
    yield { field: path, message: fieldMessages.oneMember };
  for (const name of Object.keys(value))
    if (!Object.hasOwn(fields, name)) yield { field: at(name), message: graphqlTexts.unknown };
  for (const field of Object.values(fields)) {
    const { name } = field;
    if (Object.hasOwn(value, name))
      yield* brokenFields(field.type, (value as Record<string, unknown>)[name], at(name));
    else if (isRequiredInputField(field)) yield { field: at(name), message: fieldMessages.required };
  }
}

function isOf(type: GraphQLLeafType, value: unknown): boolean {
  try {
    return type.parseValue(value) !== undefined;
  } catch {
    return false;
  }
}

const kinds: Readonly<Record<string, Text>> = {
  Int: expected.integer,
  Float: expected.number,
  Boolean: expected.boolean,
  String: expected.text,
  Date: expected.date,
  DateTime: expected.moment,
};

export const expectedValue = (type: GraphQLLeafType): Text =>
  isEnumType(type)
    ? fieldMessages.oneOf(type.getValues().map(({ name }) => name))
    : fieldMessages.type(kinds[type.name] ?? { pt: type.name, en: type.name });
