import {
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { flagOf, isFlag, yesOf } from '../entities/choices.ts';
import type { Context } from '../request/context.ts';

/** Makes fields with a flag return true or false for the letter in the record. */
export function showFlags(schema: GraphQLSchema): GraphQLSchema {
  const types = Object.values(schema.getTypeMap()).filter((type): type is GraphQLObjectType =>
    isObjectType(type),
  );
  for (const field of types.flatMap(type => Object.values(type.getFields())).filter(isFlag)) {
    field.resolve = source => yesOf((source as Record<string, unknown>)[field.name]);
  }
  return schema;
}

type Resolve = GraphQLFieldResolver<unknown, Context>;

/**
 * Converts true and false in arguments to the letters for the resolver. The REST view sends letters, which are kept.
 */
export function storingFlags({ args }: GraphQLField<unknown, Context>, resolve: Resolve): Resolve {
  if (!args.some(arg => holdsFlag(arg.type))) return resolve;
  return (source, given, context, info) => {
    const stored = args.filter(({ name }) => Object.hasOwn(given as object, name));
    const letters = stored.map(({ name, type }) => [
      name,
      withLetters(type, (given as Record<string, unknown>)[name]),
    ]);
    return resolve(source, Object.fromEntries(letters), context, info);
  };
}

/** Cache: whether an input holds a flag. Filters lead to nearly all other inputs, and each list has one. */
const holders = new WeakMap<GraphQLInputObjectType, boolean>();

/** Whether an input, or one of its inputs, has a flag. `seen` ends the search in recursive inputs. */
function holdsFlag(type: GraphQLInputType, seen = new Set<GraphQLInputObjectType>()): boolean {
  const bare = getNullableType(type);
  if (isListType(bare)) return holdsFlag(bare.ofType, seen);
  if (!isInputObjectType(bare) || seen.has(bare)) return false;
  const known = holders.get(bare);
  if (known !== undefined) return known;
  const isFirst = seen.size === 0;
  seen.add(bare);
  const holds = Object.values(bare.getFields()).some(field => isFlag(field) || holdsFlag(field.type, seen));
  // Only a positive result is final: in a running search, a negative one may depend on an outer input.
  if (holds) holders.set(bare, true);
  else if (isFirst) for (const one of seen) holders.set(one, false);
  return holds;
}

function withLetters(type: GraphQLInputType, value: unknown): unknown {
  const bare = getNullableType(type);
  if (isListType(bare) && Array.isArray(value)) return value.map(item => withLetters(bare.ofType, item));
  if (!isInputObjectType(bare) || typeof value !== 'object' || value === null) return value;
  const fields = bare.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: [string, unknown]) => {
      const field = fields[name]!;
      if (!isFlag(field)) return [name, withLetters(field.type, one)];
      return [name, typeof one === 'boolean' ? flagOf(one) : one];
    }),
  );
}
