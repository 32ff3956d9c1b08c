import { setImmediate as otherRequests } from 'node:timers/promises';
import { defaultFieldResolver, type GraphQLFieldResolver } from 'graphql';

/** Records that are made into an answer in one go. */
const SLICE = 100;

/**
 * Resolves fields as GraphQL does by itself, but hands out long lists in slices: it would make all of them into the
 * answer in one go, while every other request waits.
 */
export const resolveInSlices: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) => {
  const value: unknown = defaultFieldResolver(source, args, context, info);
  return Array.isArray(value) && value.length > SLICE ? inSlices(value) : value;
};

/** The first items as they are, promises of the others, which are kept slice by slice. */
function* inSlices(items: readonly unknown[]): Generator {
  let turn = Promise.resolve();
  for (const [i, item] of items.entries()) {
    if (i > 0 && i % SLICE === 0) turn = turn.then(() => otherRequests());
    yield i < SLICE ? item : turn.then(() => item);
  }
}
