import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { ErrorRequestHandler } from 'express';
import { GraphQLError, type ExecutionResult, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import type { Context } from '../request/context.ts';
import { catalogue, isErrorCode, type ErrorCode } from '../errors.ts';
import { acceptedBodies, fromExpress } from '../request/express-error.ts';
import { graphqlTexts } from './messages.ts';
import { gatewayOf } from './execution.ts';
import { limitsPlugin, parseOptions } from './limits.ts';
import { literalErrors } from './literal-errors.ts';
import { persistedQueryErrors } from './persisted-queries.ts';
import { publicError } from './public-error.ts';
import { withoutValues } from './without-values.ts';

/** Apollo's codes for unusable documents and variables, which are client errors. */
const UNREADABLE: ReadonlySet<unknown> = new Set([
  ApolloServerErrorCode.GRAPHQL_PARSE_FAILED,
  ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED,
  ApolloServerErrorCode.BAD_USER_INPUT,
  ApolloServerErrorCode.BAD_REQUEST,
  ApolloServerErrorCode.OPERATION_RESOLUTION_FAILURE,
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_FOUND,
  ApolloServerErrorCode.PERSISTED_QUERY_NOT_SUPPORTED,
]);

/** Passes on only codes of the catalogue, and only messages that were written for clients. */
function formatError(error: GraphQLFormattedError, thrown?: unknown): GraphQLFormattedError {
  const { errors, retryAfter, cursor, code: told } = error.extensions ?? {};
  const code = isOfMethod(thrown) ? 'METHOD_NOT_ALLOWED' : told;
  if (isErrorCode(code)) {
    return {
      ...error,
      extensions: {
        code,
        ...(errors !== undefined && { errors }),
        ...(retryAfter !== undefined && { retryAfter }),
        ...(cursor !== undefined && { cursor }),
      },
    };
  }
  if (UNREADABLE.has(code))
    return {
      ...error,
      message: withoutValues(error.message),
      extensions: { code: 'BAD_REQUEST', ...(errors !== undefined && { errors }) },
    };
  return {
    message: graphqlTexts.unexpected.pt,
    ...(error.path && { path: error.path }),
    extensions: { code: 'INTERNAL' },
  };
}

/** Whether Apollo refuses the HTTP method: of the request, or of its mutation by GET. */
const isOfMethod = (thrown: unknown): boolean =>
  thrown instanceof GraphQLError && thrown.extensions.http?.status === catalogue.METHOD_NOT_ALLOWED.status;

/** A result of a subscription, with its errors in the form for clients. */
export const formatted = ({ errors, ...result }: ExecutionResult): ExecutionResult => ({
  ...result,
  // Both protocols need errors that serialise themselves.
  ...(errors && { errors: errors.map(error => written(formatError(error.toJSON()))) }),
});

const written = (error: GraphQLFormattedError): GraphQLError =>
  ({ ...error, toJSON: () => error }) as unknown as GraphQLError;

/** Logs errors outside root fields, which no guard sees. */
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

/**
 * Answers 200 for an unusable document or variables when the client names `application/json` in `Accept`. GraphQL over
 * HTTP requires it, because older clients ignore the errors in answers with another status.
 */
const okForJson: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async willSendResponse({ request, response: { body, http }, contextValue }) {
        const accept = request.http?.headers.get('accept') ?? '';
        const isOlder = accept.includes('application/json') && !/graphql-response\+json|\*/.test(accept);
        const isUnusable = http.status === 400 && body.kind === 'single' && body.singleResult.data == null;
        if (!isOlder || !isUnusable) return;
        http.status = 200;
        contextValue.trace.failed('BAD_REQUEST');
      },
    };
  },
};

/** Apollo Server with limits before validation, permissions before variables, and masked errors. */
export function createApollo(schema: GraphQLSchema, introspection: boolean): ApolloServer<Context> {
  return new ApolloServer<Context>({
    gateway: gatewayOf(schema),
    introspection,
    // Cookies never authenticate, so a request that a foreign page causes has no caller. GET runs only queries, and
    // POST takes only JSON, for which browsers send a preflight.
    csrfPrevention: false,
    // Suggestions in error messages would reveal names of the schema, so they are hidden together with introspection.
    hideSchemaDetailsFromClientErrors: !introspection,
    validationOptions: { hideSuggestions: !introspection },
    formatError,
    includeStacktraceInErrorResponses: false,
    parseOptions,
    stopOnTerminationSignals: false,
    plugins: [
      limitsPlugin,
      literalErrors,
      persistedQueryErrors,
      logUnexpected,
      okForJson,
      // Otherwise Apollo would serve its default page.
      ApolloServerPluginLandingPageDisabled(),
      // This plugin wraps every resolver to compute cache hints, which the service does not use.
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
}

/** Answers a body that Express cannot read with an error in GraphQL's form. */
export const unreadableBody: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) return next(error);
  const known = publicError(fromExpress(error) ?? error, res.locals.context);
  const shown = formatError(known.toJSON());
  const { status } = catalogue[shown.extensions!['code'] as ErrorCode];
  if (status === 415) res.set(acceptedBodies(known.extensions));
  res.status(status).json({ errors: [shown] });
};
