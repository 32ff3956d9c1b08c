import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createHandler } from 'graphql-sse';
import { ignored, inBackground } from '../runtime/background.ts';
import { formatted } from './server.ts';
import { beginSubscription } from './subscribe.ts';

const EVENTS = 'text/event-stream';
/** Content types of `/graphql`, the default first. urql lists all of them for a query. */
const TYPES = ['application/graphql-response+json', 'application/json', EVENTS];

/**
 * Answers subscriptions with server-sent events, each on its own connection (GraphQL over SSE, distinct connections
 * mode). Other requests are passed on.
 */
export function eventStreams(schema: GraphQLSchema): RequestHandler {
  const handle = createHandler<Request, Response>({
    // The token of the library identifies a stream shared by several requests, which the service does not have.
    authenticate: () => null,
    async onSubscribe({ context: res }, sent) {
      const begun = await beginSubscription(schema, res.locals.context, sent);
      return 'next' in begun ? begun : { data: null, ...formatted({ errors: begun }) };
    },
    // The library buffers what a client does not read, so the next result waits until the client has read this one.
    async onNext(_ctx, { context: res }, result) {
      if (res.writableNeedDrain)
        await once(res, 'drain', { signal: res.locals.context.closed }).catch(ignored);
      return formatted(result as ExecutionResult);
    },
  });
  return async (req, res, next) => {
    if (!req.headers.accept?.includes(EVENTS) || req.accepts(TYPES) !== EVENTS) return next();
    const [body, { status, headers }] = await handle({
      method: req.method,
      url: req.originalUrl,
      headers: { get: name => (name === 'accept' ? EVENTS : req.get(name)) },
      body: (req.body as Record<string, unknown> | undefined) ?? null,
      raw: req,
      context: res,
    });
    const type = headers?.['content-type'];
    res.writeHead(status, type ? { 'Content-Type': type } : {});
    if (body === null || typeof body === 'string') {
      res.end(body);
      return;
    }
    // The client may have left while the subscription began.
    res.locals.context.untilClosed(() => inBackground(body.return(undefined), ignored));
    for await (const event of body) res.write(event);
    res.end();
  };
}
