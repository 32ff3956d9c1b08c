import {
  getNamedType,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLFieldConfigMap,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';
import { isChoice, isFlag } from '../entities/choices.ts';
import type { Context } from '../request/context.ts';
import { snakeCase } from '../text/names.ts';
import {
  asText,
  inputRules,
  isPage,
  legacyDescription,
  legacyField,
  legacyName,
  shownType,
  type Field,
} from './legacy-field.ts';

/** Levels of nested links in an answer: a record, its links, and their links (contract 4). */
const MAX_DEPTH = 2;

/** Converts types of the schema to their legacy form. Use one instance per view, so that equal types are shared. */
export class LegacyTypes {
  readonly #outputs = new Map<string, GraphQLObjectType>();
  readonly #enums = new Map<string, GraphQLEnumType>();
  readonly #inputs = new Map<string, GraphQLInputObjectType>();

  /** The type of an answer. `omits` lists fields that its records leave out, by GraphQL name. */
  answer(type: GraphQLOutputType, omits: readonly string[] = []): GraphQLOutputType {
    return this.#output(type, [], omits);
  }

  /** The type of an argument. Clients send the texts of a closed set. */
  argument(type: GraphQLInputType): GraphQLInputType {
    return this.#input(type, set => this.#texts(set));
  }

  /** The type of a body field. The rules of the input check the values of a closed set. */
  bodyField(field: Pick<GraphQLInputField, 'type' | 'extensions'>): GraphQLInputType {
    return isFlag(field) ? asText(field.type) : this.#input(field.type, () => GraphQLString);
  }

  #input(type: GraphQLInputType, choice: (set: GraphQLEnumType) => GraphQLInputType): GraphQLInputType {
    if (isNonNullType(type)) return new GraphQLNonNull(this.#input(type.ofType, choice) as never);
    if (isListType(type)) return new GraphQLList(this.#input(type.ofType, choice));
    if (isEnumType(type)) return isChoice(type) ? choice(type) : type;
    return isInputObjectType(type) ? this.#inputObject(type) : type;
  }

  /** The enum of a closed set, with its texts as names. */
  #texts(set: GraphQLEnumType): GraphQLEnumType {
    const { name } = set;
    const values = Object.fromEntries(set.getValues().map(({ value }) => [value, {}]));
    const known = this.#enums.get(name) ?? new GraphQLEnumType({ name, values });
    this.#enums.set(name, known);
    return known;
  }

  #output(
    type: GraphQLOutputType,
    above: readonly GraphQLObjectType[],
    omits: readonly string[],
  ): GraphQLOutputType {
    if (isNonNullType(type)) return new GraphQLNonNull(this.#output(type.ofType, above, omits) as never);
    if (isListType(type)) return new GraphQLList(this.#output(type.ofType, above, omits));
    if (isEnumType(type) && isChoice(type)) return GraphQLString;
    return isObjectType(type) ? this.#record(type, above, omits) : type;
  }

  /**
   * The type of a record below the records `above`. A link back to one of those, or beyond the maximum depth, becomes
   * its key. So every type is a tree, and sofa selects all of it.
   */
  #record(
    type: GraphQLObjectType,
    above: readonly GraphQLObjectType[],
    omits: readonly string[],
  ): GraphQLObjectType {
    const path = isPage(type) ? above : [...above, type];
    const fields: GraphQLFieldConfigMap<unknown, Context> = {};
    for (const field of Object.values(type.getFields())) {
      if (!isShown(field, path) || omits.includes(field.name)) continue;
      const below = this.#output(shownType(field), path, isPage(type) ? omits : []);
      fields[legacyName(type, field)] = legacyField(type, field, below);
    }
    const name = isWhole(type, fields)
      ? type.name
      : [type.name, ...above.map(owner => owner.name), ...omits.map(omitted => `sem_${omitted}`)].join('_');
    const known =
      this.#outputs.get(name) ?? new GraphQLObjectType({ name, description: type.description, fields });
    this.#outputs.set(name, known);
    return known;
  }

  #inputObject(type: GraphQLInputObjectType): GraphQLInputObjectType {
    const fields = Object.values(type.getFields()).map(field => [
      snakeCase(field.name),
      {
        type: this.bodyField(field),
        description: legacyDescription(field),
        extensions: { ...field.extensions, property: field.name, rules: inputRules(type, field) },
      },
    ]);
    const known = this.#inputs.get(type.name);
    const { name, description } = type;
    const legacy =
      known ?? new GraphQLInputObjectType({ name, description, fields: Object.fromEntries(fields) });
    this.#inputs.set(name, legacy);
    return legacy;
  }
}

/** Fields that do not exist for legacy clients. */
const isGraphqlOnly = ({ extensions }: Field): boolean => extensions['graphqlOnly'] === true;

/**
 * To-many fields of a record are shown in its own list, but not below records that link to it. Fields of other objects
 * are always shown.
 */
function isShown(field: Field, path: readonly GraphQLObjectType[]): boolean {
  if (isGraphqlOnly(field)) return false;
  const linked = getNamedType(field.type);
  if (!isObjectType(linked)) return true;
  const isMany = isListType(isNonNullType(field.type) ? field.type.ofType : field.type);
  return (
    !path.includes(linked) &&
    path.length <= MAX_DEPTH &&
    (!isMany || path.length <= 1 || !('id' in linked.getFields()))
  );
}

/** Whether no field was left out at this level or below. */
function isWhole(type: GraphQLObjectType, shown: GraphQLFieldConfigMap<unknown, Context>): boolean {
  return Object.values(type.getFields()).every(field => {
    const legacy = shown[legacyName(type, field)];
    if (!legacy) return isGraphqlOnly(field);
    const named = getNamedType(field.type);
    return !isObjectType(named) || getNamedType(legacy.type).name === named.name;
  });
}
