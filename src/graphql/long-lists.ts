import { setImmediate as otherRequests } from 'node:timers/promises';
import { defaultFieldResolver, type GraphQLFieldResolver } from 'graphql';

/** Records that are completed without a pause. */
const SLICE = 100;

/**
 * Resolves fields as GraphQL does by default, but completes long lists in slices. GraphQL would complete a whole list
 * at once and block all other requests meanwhile.
 */
export const resolveInSlices: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) =>
  sliced(defaultFieldResolver(source, args, context, info));

/** The value, with a long list as slices. */
export const sliced = (value: unknown): unknown =>
  Array.isArray(value) && value.length > SLICE ? inSlices(value) : value;

/** The first items as they are, then promises that resolve slice by slice. */
function* inSlices(items: readonly unknown[]): Generator {
  let turn = Promise.resolve();
  for (const [i, item] of items.entries()) {
    if (i > 0 && i % SLICE === 0) turn = turn.then(() => otherRequests());
    yield i < SLICE ? item : turn.then(() => item);
  }
}
