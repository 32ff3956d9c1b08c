import { GraphQLError } from 'graphql';
import type { Context } from '../request/context.ts';
import { fromDatabase } from '../database/errors.ts';
import { AppError, toGraphQLError } from '../errors.ts';
import { graphqlTexts } from './messages.ts';

/** The part of an error that the client may see. Unexpected errors are logged and masked. */
export function publicError(error: unknown, context: Context): GraphQLError {
  if (error instanceof GraphQLError && error.extensions['code']) return error;
  const known = error instanceof AppError ? error : fromDatabase(error);
  if (known) {
    if (known.code === 'UNAVAILABLE') context.log.warn({ err: error }, 'request refused as unavailable');
    return toGraphQLError(known, context.language);
  }
  context.log.error({ err: error }, 'unexpected error');
  return toGraphQLError(new AppError('INTERNAL', { detail: graphqlTexts.unexpected }), context.language);
}
