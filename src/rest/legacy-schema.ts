import {
  GraphQLObjectType,
  GraphQLSchema,
  Kind,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
} from 'graphql';
import type { Brought } from '../request/call.ts';
import type { Context } from '../request/context.ts';
import { LegacyTypes } from './legacy-types.ts';
import { operationOf, withVariants, type Operation } from './operation.ts';
import { toProperties } from './properties.ts';
import type { Route } from './route.ts';

/** The parts of the REST view. */
export interface LegacyView {
  schema: GraphQLSchema;
  operations: readonly Operation[];
}

/** One run of an operation: the root value of the view's documents. */
export interface Run {
  brought: Brought;
  /** The answer as the field returned it, when it has. */
  answer?: unknown;
  /** A later part of the answer. The document then shows it as the answer, and the field does not run. */
  part?: object;
}

/**
 * The schema as legacy clients know it: only routed fields, records and bodies in snake_case, `input` objects
 * flattened into arguments, argument names as specified. The resolvers are the same functions.
 */
export function legacyView(schema: GraphQLSchema, routes: readonly Route[]): LegacyView {
  const types = new LegacyTypes();
  const operations = routes.map(route => operationOf(schema, route, types));
  const all = operations.flatMap(withVariants);
  const root = (name: string, kind: Operation['kind']) =>
    new GraphQLObjectType({
      name,
      fields: Object.fromEntries(all.filter(o => o.kind === kind).map(o => [o.name, rootField(o, types)])),
      // Without an `astNode`, sofa prints and parses the whole schema once for each argument, which took most of the
      // start-up time.
      astNode: { kind: Kind.OBJECT_TYPE_DEFINITION, name: { kind: Kind.NAME, value: name }, fields: [] },
    });
  return {
    schema: new GraphQLSchema({ query: root('Query', 'query'), mutation: root('Mutation', 'mutation') }),
    operations,
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
    extensions: { ...field.extensions, field: field.name, parameters },
    args,
    resolve: async (run, given, context, info) =>
      run.part ??
      (run.answer = await field.resolve!(run.brought, toProperties(parameters, given), context, info)),
  };
}
