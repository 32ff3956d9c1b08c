import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { ErrorRequestHandler } from 'express';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { Context } from '../request/context.ts';
import { catalogue, isErrorCode, type ErrorCode } from '../errors.ts';
import { fromExpress } from '../request/express-error.ts';
import { messages } from '../messages.ts';
import { gatewayOf } from './execution.ts';
import { defaultLimits, limitsPlugin, parseOptions } from './limits.ts';
import { publicError } from './public-error.ts';
import { withoutValues } from './without-values.ts';

/** Apollo's own codes for documents and variables it cannot use, all of them the client's mistake. */
const UNREADABLE: ReadonlySet<unknown> = new Set([
  ApolloServerErrorCode.GRAPHQL_PARSE_FAILED,
  ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED,
  ApolloServerErrorCode.BAD_USER_INPUT,
  ApolloServerErrorCode.BAD_REQUEST,
  ApolloServerErrorCode.OPERATION_RESOLUTION_FAILURE,
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_FOUND,
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_SUPPORTED,
]);

/** Only codes of the catalogue leave, and no message that was not written for clients. */
function formatError(error: GraphQLFormattedError): GraphQLFormattedError {
  const { code, errors, retryAfter } = error.extensions ?? {};
  if (isErrorCode(code)) {
    return {
      ...error,
      extensions: {
        code,
        ...(errors !== undefined && { errors }),
        ...(retryAfter !== undefined && { retryAfter }),
      },
    };
  }
  if (UNREADABLE.has(code))
    return { ...error, message: withoutValues(error.message), extensions: { code: 'BAD_REQUEST' } };
  return {
    message: messages.unexpected.pt,
    ...(error.path && { path: error.path }),
    extensions: { code: 'INTERNAL' },
  };
}

/** Errors outside root fields, where no guard sees them. */
const logUnexpected: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didEncounterErrors({ errors, contextValue }) {
        for (const error of errors) {
          if (error.extensions['code'] || !error.originalError) continue;
          contextValue.trace.failed('INTERNAL');
          contextValue.log.error({ err: error }, 'unexpected error');
        }
      },
    };
  },
};

export interface ApolloOptions {
  schema: GraphQLSchema;
  /** Page for browsers that open the endpoint. */
  landingPage: string | undefined;
  introspection: boolean;
}

/** Apollo Server over the schema: limits before validation, callers before variables, masked errors, the landing page for browsers. */
export function createApollo({ schema, landingPage, introspection }: ApolloOptions): ApolloServer<Context> {
  return new ApolloServer<Context>({
    gateway: gatewayOf(schema),
    introspection,
    // Who may not see the schema is not told its names by way of suggestions.
    hideSchemaDetailsFromClientErrors: !introspection,
    validationOptions: { hideSuggestions: !introspection },
    formatError,
    includeStacktraceInErrorResponses: false,
    parseOptions: parseOptions(defaultLimits),
    stopOnTerminationSignals: false,
    plugins: [
      limitsPlugin(defaultLimits),
      logUnexpected,
      landingPagePlugin(landingPage),
      // It puts a function of its own around every resolver, to work out what may be cached: nothing.
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
}

/** A body that Express cannot read, told as GraphQL tells every other error. */
export const unreadableBody: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) return next(error);
  const told = formatError(publicError(fromExpress(error) ?? error, res.locals.context).toJSON());
  const { status } = catalogue[told.extensions!['code'] as ErrorCode];
  res.status(status).json({ errors: [told] });
};

function landingPagePlugin(html: string | undefined): ApolloServerPlugin {
  // Without one of ours Apollo would serve its own.
  if (html === undefined) return ApolloServerPluginLandingPageDisabled();
  return {
    async serverWillStart() {
      return { renderLandingPage: async () => ({ html }) };
    },
  };
}
