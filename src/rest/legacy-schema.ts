import {
  GraphQLObjectType,
  GraphQLSchema,
  Kind,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
} from 'graphql';
import type { Extras } from '../request/call.ts';
import type { Context } from '../request/context.ts';
import { LegacyTypes } from './legacy-types.ts';
import { operationOf, withVariants, type Operation } from './operation.ts';
import { toProperties } from './properties.ts';
import type { Route } from './route.ts';

/** The parts of the REST view. */
export interface LegacyView {
  operations: readonly Operation[];
  /** The schema of all operations. Built at first use. */
  readonly schema: GraphQLSchema;
  /** The schema of a single operation or variant. */
  schemaOf: (operation: Operation) => GraphQLSchema;
}

/** The root value of the view's documents. */
export interface Run {
  extras: Extras;
}

/**
 * The schema for legacy clients: only fields with a route, records and bodies in snake_case, `input` objects flattened
 * into arguments, argument names as specified. The resolvers are the same functions.
 */
export function legacyView(schema: GraphQLSchema, routes: readonly Route[]): LegacyView {
  const types = new LegacyTypes();
  const operations = routes.map(route => operationOf(schema, route, types));
  const root = (name: string, kind: Operation['kind'], shown: readonly Operation[]) =>
    new GraphQLObjectType({
      name,
      fields: Object.fromEntries(shown.filter(o => o.kind === kind).map(o => [o.name, rootField(o, types)])),
      // Without an `astNode`, sofa prints and parses the whole schema once for each argument.
      astNode: { kind: Kind.OBJECT_TYPE_DEFINITION, name: { kind: Kind.NAME, value: name }, fields: [] },
    });
  const schemaOf = (...shown: readonly Operation[]) =>
    new GraphQLSchema({
      query: root('Query', 'query', shown),
      mutation: root('Mutation', 'mutation', shown),
      extensions: { operations },
    });
  let whole: GraphQLSchema | undefined;
  return {
    operations,
    // Describing the answers of all operations takes longer than the rest of the start.
    get schema() {
      return (whole ??= schemaOf(...operations.flatMap(withVariants)));
    },
    schemaOf,
  };
}

function rootField(operation: Operation, types: LegacyTypes): GraphQLFieldConfig<Run, Context> {
  const { field, parameters, omits } = operation;
  const args: GraphQLFieldConfigArgumentMap = Object.fromEntries(
    parameters
      .filter(p => p.of !== 'rest')
      .map(({ name, type, description, defaultValue }) => [name, { type, description, defaultValue }]),
  );
  return {
    type: types.answer(field.type, omits),
    description: field.description,
    // Some REST parameters are not arguments of the field.
    extensions: { ...field.extensions, parameters },
    args,
    resolve: async (run, given, context, info) =>
      field.resolve!(run.extras, toProperties(parameters, given), context, info),
  };
}
