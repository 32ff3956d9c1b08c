import assert from 'node:assert/strict';
import { isInputObjectType, type GraphQLSchema } from 'graphql';
import { buildSchema, getMetadataStorage, type NonEmptyArray } from 'type-graphql';
import { accessOf, controllerOf } from '../access/access.ts';
import type { Context } from '../request/context.ts';
import { exportsBelow } from '../runtime/modules.ts';
import { validateArgument } from '../request/validation.ts';
import { addPlainData } from './plain-data.ts';
import { derive } from './derived.ts';
import { showFlags } from './flags.ts';
import { guardSchema, rootFields } from './guard.ts';

const isResolver = (value: unknown): value is new () => object =>
  typeof value === 'function' && value.name.endsWith('Resolver');

let schema: Promise<GraphQLSchema> | undefined;

/**
 * The schema for both GraphQL and REST: every resolver below `src/resolvers` and every report, each with its guard.
 * Built once per process.
 */
export const createSchema = (): Promise<GraphQLSchema> => (schema ??= build());

async function build(): Promise<GraphQLSchema> {
  const found = [
    exportsBelow(new URL('../resolvers/', import.meta.url)),
    exportsBelow(new URL('../reports/relatorios/', import.meta.url)),
    exportsBelow(new URL('../reports/catalogue/', import.meta.url)),
  ];
  const resolvers = (await Promise.all(found)).flat().filter(isResolver);
  const whole = await buildSchema({
    // Apollo validates the schema. This check would also run a query over all of it, at each start.
    skipCheck: true,
    resolvers: resolvers as NonEmptyArray<new () => object>,
    // Subscriptions return their own iterators and use no topics.
    pubSub: { publish: () => undefined, subscribe: () => assert.fail() },
    validateFn: (value, _type, { context, args }) => validateArgument(value, context as Context, args),
  });
  inheritExtensions(whole);
  return addPlainData(guardSchema(derive(showFlags(whole))));
}

/** Copies the extensions that classes declare to inherited fields of inputs. type-graphql leaves them out. */
function inheritExtensions(schema: GraphQLSchema): void {
  const { inputTypes } = getMetadataStorage();
  for (const { name, target } of inputTypes) {
    const type = schema.getType(name);
    if (!isInputObjectType(type)) continue;
    for (const { fields = [] } of inputTypes.filter(above => target.prototype instanceof above.target))
      for (const { schemaName, extensions = {} } of fields) {
        const field = type.getFields()[schemaName]!;
        field.extensions = { ...extensions, ...field.extensions };
      }
  }
}

/** All controllers that operations require a level on. */
export function controllersOf(schema: GraphQLSchema): string[] {
  const named = rootFields(schema).map(field => controllerOf(accessOf(field)!));
  return [...new Set(named)].filter(name => name !== undefined).toSorted();
}
