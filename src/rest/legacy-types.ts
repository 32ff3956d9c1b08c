import {
  getNamedType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';
import type { Context } from '../request/context.ts';
import { snakeCase } from '../text/names.ts';
import { rulesOf } from './rule-schema.ts';

/** Levels of nested links in an answer: a record, its links, and their links (contract 4). */
const MAX_DEPTH = 2;

type Field = GraphQLField<unknown, Context>;

/** Converts types of the schema to their legacy form. Use one instance for a view, so that equal types are shared. */
export class LegacyTypes {
  readonly #outputs = new Map<string, GraphQLObjectType>();
  readonly #inputs = new Map<string, GraphQLInputObjectType>();

  /** The type of an answer. `omits` lists fields that its records leave out, by GraphQL name. */
  answer(type: GraphQLOutputType, omits: readonly string[] = []): GraphQLOutputType {
    return this.#output(type, [], omits);
  }

  /** The type of a body field or argument. */
  input(type: GraphQLInputType): GraphQLInputType {
    if (isNonNullType(type)) return new GraphQLNonNull(this.input(type.ofType) as never);
    if (isListType(type)) return new GraphQLList(this.input(type.ofType));
    return isInputObjectType(type) ? this.#inputObject(type) : type;
  }

  #output(
    type: GraphQLOutputType,
    above: readonly GraphQLObjectType[],
    omits: readonly string[],
  ): GraphQLOutputType {
    if (isNonNullType(type)) return new GraphQLNonNull(this.#output(type.ofType, above, omits) as never);
    if (isListType(type)) return new GraphQLList(this.#output(type.ofType, above, omits));
    return isObjectType(type) ? this.#record(type, above, omits) : type;
  }

  /**
   * The type of a record below `above`. A link back to one of those, or beyond the maximum depth, becomes its key. So
   * a type is a tree, and sofa selects all of it.
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
      const below = this.#output(field.type, path, isPage(type) ? omits : []);
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
        type: this.input(field.type),
        description: field.description,
        extensions: { ...field.extensions, property: field.name, rules: rulesOf(type.name, field.name) },
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

const isPage = (type: GraphQLObjectType): boolean => 'itemsPerPage' in type.getFields();

/** Fields that are newer than the legacy clients. */
const isGraphqlOnly = ({ extensions }: Field): boolean => extensions['graphqlOnly'] === true;

/** A record's own children are listed with it, but not with records that link to it. */
function isShown(field: Field, path: readonly GraphQLObjectType[]): boolean {
  if (isGraphqlOnly(field)) return false;
  const linked = getNamedType(field.type);
  if (!isObjectType(linked)) return true;
  const isMany = isListType(isNonNullType(field.type) ? field.type.ofType : field.type);
  return !path.includes(linked) && path.length <= MAX_DEPTH && (!isMany || path.length <= 1);
}

/** Page fields have the same names in GraphQL and REST (contract 3); record fields do not. */
const legacyName = (type: GraphQLObjectType, { name, extensions }: Field): string =>
  isPage(type) ? name : ((extensions['legacyName'] as string | undefined) ?? snakeCase(name));

/** Whether nothing was left out at this level or below. */
function isWhole(type: GraphQLObjectType, shown: GraphQLFieldConfigMap<unknown, Context>): boolean {
  return Object.values(type.getFields()).every(field => {
    const legacy = shown[legacyName(type, field)];
    if (!legacy) return isGraphqlOnly(field);
    return getNamedType(legacy.type).name === getNamedType(field.type).name;
  });
}

/** A field that keeps its name keeps the default resolver, which is fast. A renamed one reads its original property. */
function legacyField(
  owner: GraphQLObjectType,
  field: Field,
  type: GraphQLOutputType,
): GraphQLFieldConfig<unknown, Context> {
  const { name, description, resolve } = field;
  const renamed = legacyName(owner, field) !== name;
  return {
    type,
    description,
    ...(resolve && { resolve }),
    ...(!resolve && renamed && { resolve: source => (source as Record<string, unknown>)[name] }),
    extensions: { property: name },
  };
}
