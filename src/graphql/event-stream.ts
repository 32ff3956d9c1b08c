import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createHandler } from 'graphql-sse';
import { ignored, inBackground } from '../runtime/background.ts';
import { formatted } from './server.ts';
import { beginSubscription } from './subscribe.ts';

const EVENTS = 'text/event-stream';
/** What else `/graphql` may answer, the usual first. urql names all of them for a query. */
const TYPES = ['application/graphql-response+json', 'application/json', EVENTS];

/**
 * Answers subscriptions with server-sent events, each on a connection of its own (GraphQL over SSE, distinct
 * connections mode). Requests that prefer something else pass.
 */
export function eventStreams(schema: GraphQLSchema): RequestHandler {
  const handle = createHandler<Request, Response>({
    // A token would be for streams that several requests share.
    authenticate: () => null,
    async onSubscribe({ context: res }, sent) {
      const begun = await beginSubscription(schema, res.locals.context, sent);
      return 'next' in begun ? begun : { data: null, ...formatted({ errors: begun }) };
    },
    // The library keeps what a client does not read, so it gets no more than that.
    async onNext(_ctx, { context: res }, result) {
      if (res.writableNeedDrain) await Promise.race([once(res, 'drain'), once(res, 'close')]);
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
    res.once('close', () => inBackground(body.return(undefined), ignored));
    for await (const event of body) res.write(event);
    res.end();
  };
}
