import type { GraphQLSchema } from 'graphql';
import { buildSchema, type NonEmptyArray } from 'type-graphql';
import { accessOf, controllerOf } from '../access/access.ts';
import type { Context } from '../request/context.ts';
import { exportsBelow } from '../runtime/modules.ts';
import { validateArgument } from '../request/validation.ts';
import { guardSchema, rootFields } from './guard.ts';

const isResolver = (value: unknown): value is new () => object =>
  typeof value === 'function' && value.name.endsWith('Resolver');

/** The schema of both GraphQL and REST: every resolver below `src/resolvers` and every report, each with its guard. */
export async function createSchema(): Promise<GraphQLSchema> {
  const folders = ['../resolvers/', '../reports/relatorios/', '../reports/catalogue/'].map(
    name => new URL(name, import.meta.url),
  );
  const resolvers = (await Promise.all(folders.map(exportsBelow))).flat().filter(isResolver);
  const schema = await buildSchema({
    resolvers: resolvers as NonEmptyArray<new () => object>,
    validateFn: (value, _type, { context, args }) => validateArgument(value, context as Context, args),
  });
  return guardSchema(schema);
}

/** All controllers that operations require a level on. */
export function controllersOf(schema: GraphQLSchema): string[] {
  const named = rootFields(schema).map(field => controllerOf(accessOf(field)!));
  return [...new Set(named)].filter(name => name !== undefined).toSorted();
}
