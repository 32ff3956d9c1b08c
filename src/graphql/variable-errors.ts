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
  type VariableDefinitionNode,
} from 'graphql';
import { MAX_ERRORS, type FieldError } from '../errors.ts';
import { expected, fieldMessages, type Text } from '../messages.ts';
import { placeIn } from './argument-path.ts';
import { variableValue, type SentOperation } from './included.ts';
import { graphqlTexts } from './messages.ts';
import { usesOf, type Use } from './variable-uses.ts';

/**
 * The errors of an operation's variables, by field name like all other field errors. GraphQL's own messages are English
 * and contain the values. Stops after the first few errors, because further checks cost time and help nobody.
 */
export function variableErrors(sent: SentOperation): FieldError[] {
  const definitions = sent.operation.variableDefinitions ?? [];
  const found: Broken[] = [];
  for (const definition of definitions) {
    for (const broken of brokenVariable(definition, sent)) {
      found.push(broken);
      if (found.length >= MAX_ERRORS) return named(found, usesOf(sent));
    }
  }
  const isUnset = ({ variable }: VariableDefinitionNode): boolean =>
    (variableValue(sent, variable) ?? undefined) === undefined;
  if (found.length === 0 && !definitions.some(isUnset)) return [];
  const uses = usesOf(sent);
  for (const broken of brokenUses(uses, sent)) {
    if (found.length >= MAX_ERRORS) break;
    if (!found.some(({ variable }) => variable === broken.variable)) found.push(broken);
  }
  return named(found, uses);
}

/** A broken part of a variable. `path` leads into its value. */
interface Broken {
  variable: string;
  path: string;
  message: Text;
}

/**
 * Names the broken fields by the place where their variable is used. A variable with several places, or with the place
 * of another one, is named by itself.
 */
function named(found: readonly Broken[], uses: readonly Use[]): FieldError[] {
  const places = new Map<string, Set<string>>();
  const users = new Map<string, Set<string>>();
  const note = (all: Map<string, Set<string>>, key: string, one: string): void => {
    all.set(key, (all.get(key) ?? new Set()).add(one));
  };
  for (const { variable, field } of uses) {
    note(places, variable.name.value, field);
    note(users, field, variable.name.value);
  }
  return found.map(({ variable, path, message }) => {
    const [place, ...others] = places.get(variable) ?? [];
    const isClear = place !== undefined && others.length === 0 && users.get(place)!.size === 1;
    return { field: isClear ? placeIn(place, path) : variable + path, message };
  });
}

/**
 * Null or nothing where a value must be. GraphQL allows a variable that may be null there if it has a default, or if it
 * is the member of an input that has exactly one.
 */
function* brokenUses(uses: readonly Use[], sent: SentOperation): Generator<Broken> {
  for (const { variable, isNonNull, isOneMember } of uses) {
    const value = variableValue(sent, variable);
    const [name, path] = [variable.name.value, ''];
    if (value === null && (isNonNull || isOneMember))
      yield { variable: name, path, message: fieldMessages.notNull };
    if (value === undefined && isOneMember) yield { variable: name, path, message: fieldMessages.required };
  }
}

function* brokenVariable(
  { variable, type: node, defaultValue }: VariableDefinitionNode,
  { schema, given }: SentOperation,
): Generator<Broken> {
  const name = variable.name.value;
  const type = typeFromAST(schema, node as never);
  if (!isInputType(type)) return;
  if (Object.hasOwn(given, name)) {
    for (const { field, message } of brokenFields(type, given[name], ''))
      yield { variable: name, path: field, message };
  } else if (isNonNullType(type) && !defaultValue)
    yield { variable: name, path: '', message: fieldMessages.required };
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
  const at = (name: string): string => `${path}.${name}`;
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
  Cursor: expected.text,
};

export const expectedValue = (type: GraphQLLeafType): Text =>
  isEnumType(type)
    ? fieldMessages.oneOf(type.getValues().map(({ name }) => name))
    : fieldMessages.type(kinds[type.name] ?? { pt: type.name, en: type.name });
