import type { ApolloServerPlugin } from '@apollo/server';
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
} from 'graphql';
import type { Context } from '../context.ts';
import { invalid, toGraphQLError, type FieldError } from '../errors.ts';
import { expected, fieldMessages, type Text } from '../messages.ts';

/**
 * Tells what is wrong with the variables of an operation as every other broken field is told: all at once, by name, in
 * the caller's language. GraphQL itself has refused them by then; its own sentences are English and show the value.
 */
export const variableErrorsPlugin: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async willSendResponse({ request, operation, schema, contextValue, response }) {
        if (response.body.kind !== 'single' || !operation) return;
        const { singleResult } = response.body;
        // With `data` the operation ran, so its variables were right.
        if (!singleResult.errors || 'data' in singleResult) return;
        const errors = variableErrors(schema, operation, request.variables ?? {});
        if (errors.length === 0) return;
        singleResult.errors = [
          toGraphQLError(invalid('BAD_REQUEST', errors), contextValue.language).toJSON(),
        ];
      },
    };
  },
};

function variableErrors(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): FieldError[] {
  return variableDefinitions.flatMap(({ variable, type: node, defaultValue }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, node as never);
    if (!isInputType(type)) return [];
    if (!Object.hasOwn(given, name))
      return isNonNullType(type) && !defaultValue ? [{ field: name, message: fieldMessages.required }] : [];
    // The fields of an input are named as its rules name them, whatever the variable is called.
    return brokenFields(type, given[name], isInputObjectType(getNullableType(type)) ? '' : name);
  });
}

function brokenFields(type: GraphQLInputType, value: unknown, path: string): FieldError[] {
  const bare = getNullableType(type);
  if (value === null || value === undefined)
    return isNonNullType(type) ? [{ field: path, message: fieldMessages.notNull }] : [];
  if (isListType(bare)) {
    // A single value stands for a list of one.
    if (!Array.isArray(value)) return brokenFields(bare.ofType, value, path);
    return value.flatMap((item, i) => brokenFields(bare.ofType, item, `${path}[${i}]`));
  }
  if (isInputObjectType(bare)) return brokenMembers(bare, value, path);
  return isOf(bare, value) ? [] : [{ field: path, message: wanted(bare) }];
}

function brokenMembers(type: GraphQLInputObjectType, value: object, path: string): FieldError[] {
  if (typeof value !== 'object' || Array.isArray(value))
    return [{ field: path, message: fieldMessages.type(expected.object) }];
  const at = (name: string): string => (path ? `${path}.${name}` : name);
  const fields = type.getFields();
  const unknown = Object.keys(value).filter(name => !Object.hasOwn(fields, name));
  const missing = Object.values(fields).filter(
    field => !Object.hasOwn(value, field.name) && isRequiredInputField(field),
  );
  return [
    ...unknown.map(name => ({ field: at(name), message: fieldMessages.unknown })),
    ...missing.map(({ name }) => ({ field: at(name), message: fieldMessages.required })),
    ...Object.entries(value)
      .filter(([name]) => Object.hasOwn(fields, name))
      .flatMap(([name, member]) => brokenFields(fields[name]!.type, member, at(name))),
  ];
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
  Boolean: expected.boolean,
  String: expected.text,
  Date: expected.date,
  DateTime: expected.moment,
};

const wanted = (type: GraphQLLeafType): Text =>
  isEnumType(type)
    ? fieldMessages.oneOf(type.getValues().map(({ name }) => name))
    : fieldMessages.type(kinds[type.name] ?? { pt: type.name, en: type.name });
