import express, { type Express, type RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import { Context } from './request/context.ts';
import { eventStreams } from './graphql/event-stream.ts';
import { answerWith } from './graphql/over-http.ts';
import { createApollo, unreadableBody } from './graphql/server.ts';
import { callerOf, requestSpan } from './http/request-span.ts';
import { compressed } from './http/compressed.ts';
import { warnOfForwarded } from './http/forwarded.ts';
import { health } from './http/health.ts';
import { answerHeaders, crossOrigin } from './http/headers.ts';
import { oneHost } from './http/one-host.ts';
import { checkLists } from './listing/check-lists.ts';
import { pages } from './pages/pages.ts';
import { sandbox } from './pages/sandbox.ts';
import { readJson } from './rest/body.ts';
import { onlyGetAndPost } from './rest/methods.ts';
import { problemHandler } from './rest/problem.ts';
import { readableQuery } from './rest/query.ts';
import { restFace } from './rest/rest.ts';
import { type Services } from './request/services.ts';
import { openSpan } from './runtime/spans.ts';
import { traced } from './runtime/trace.ts';

declare module 'express-serve-static-core' {
  interface Locals {
    context: Context;
  }
}

/** HTTP caches recognise personal answers by the `Authorization` header, which this API does not use. */
const notCached: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/** A body of no stated type is not read, because a browser sends one to another site without asking. */
const jsonBody = (limit: number): RequestHandler => {
  const read = readJson(limit);
  return async (req, res, next) => {
    if (req.headers['content-type'] !== undefined) await read(req, res);
    next();
  };
};

/** The whole HTTP application. The tests start it, too. */
export async function createApp(services: Services, schema: GraphQLSchema): Promise<Express> {
  const { config } = services;
  checkLists(services.listing.metadata);
  services.changes.describe(schema);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.TRUSTED_PROXIES);
  app.use(warnOfForwarded(services.log));
  app.use((req, res, next) => {
    const span = openSpan('server', () => ({ name: 'request' }), callerOf(req));
    const context = new Context(services, req, span?.traceId);
    res.locals.context = context;
    res.setHeader('X-Request-Id', context.requestId);
    context.logWhenDone(req.method, res);
    const run = (): void => traced(context.trace, next);
    if (!span) return run();
    res.once('close', () => span.end(requestSpan(req.method, context, res)));
    span.run(run);
  });
  app.use(answerHeaders, compressed(config));
  app.use(oneHost, health(services));
  app.use(crossOrigin(config));
  // Pages come after the frequent paths: testing a request against all pages takes 15 µs.
  const rest = restFace(services, schema);
  app.use(rest.operations);
  app.options('/graphql', onlyGetAndPost);
  if (config.SANDBOX) app.use(sandbox(config));

  const apollo = createApollo(schema, config.SANDBOX);
  await apollo.start();
  app.all(
    '/graphql',
    notCached,
    onlyGetAndPost,
    readableQuery,
    jsonBody(config.MAX_BODY_BYTES),
    eventStreams(schema),
    answerWith(apollo),
    unreadableBody,
  );

  app.use(pages(config, schema));
  app.use(rest.others);
  app.use(problemHandler);
  return app;
}
