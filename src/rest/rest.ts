import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import { signedPath } from '../access/signature.ts';
import { AppError } from '../errors.ts';
import { shapesOf } from '../graph/shape.ts';
import { handleFieldError } from '../graphql/guard.ts';
import type { Page } from '../listing/page.ts';
import { messages } from '../messages.ts';
import type { Seen } from '../request/seen.ts';
import { type Services } from '../request/services.ts';
import { asker } from './ask.ts';
import { entityTag, isAnsweredByTag, isTagged } from './conditions.ts';
import { sendDocument, type DocumentRecord } from './documents.ts';
import { exporter } from './downloads.ts';
import { legacyView } from './legacy-schema.ts';
import { locator } from './location.ts';
import { isOneTransaction, type Operation } from './operation.ts';
import { matcher, shapeOf } from './matcher.ts';
import { answerOptions, isPreflight, methodRefused, onlyGet } from './methods.ts';
import { openApiInBoth } from './openapi-languages.ts';
import { inOpenApi30 } from './openapi-older.ts';
import { openApiDocument } from './openapi.ts';
import { sendParts } from './parts.ts';
import { sendProblem } from './problem.ts';
import { legacyFieldName } from './properties.ts';
import { successStatus } from './route.ts';
import { routes } from './routes.ts';
import { sofaFace } from './sofa.ts';

interface RestFace {
  /** Answers the paths of the operations, each with its field of the schema. Other paths are passed on. */
  operations: RequestHandler;
  /** Documents the operations, and answers 404 for unknown paths. */
  others: Router;
}

/** Everything that depends only on the schema. */
function viewOf(schema: GraphQLSchema) {
  const view = legacyView(schema, routes);
  const { operations } = view;
  return {
    view,
    match: matcher(operations),
    shape: shapeOf(operations),
    run: sofaFace(view),
    locationOf: locator(operations),
  };
}

/**
 * Cached by schema, because each operation is compiled at its first request. A process serves one schema, but tests
 * start hundreds of services.
 */
const views = new WeakMap<GraphQLSchema, ReturnType<typeof viewOf>>();

export function restFace(services: Services, schema: GraphQLSchema): RestFace {
  const known = views.get(schema) ?? viewOf(schema);
  views.set(schema, known);
  const { match, run, locationOf } = known;
  const ask = asker(services, run);
  const sendExport = exporter(services, shapesOf(schema)!.lists);

  async function answer(
    mounted: Operation,
    params: Readonly<Record<string, string>>,
    req: Request,
    res: Response,
  ): Promise<void> {
    const { context } = res.locals;
    const { route } = mounted;
    context.trace.route = `${route.method} ${route.path}`;
    const signed = route.method === 'GET' ? signedPath(req.originalUrl) : undefined;
    if (signed) context.caller.enterBy(signed);
    if (mounted.kind === 'query' || isOneTransaction(mounted)) await context.caller.presume(mounted.kind);
    const asked = await context.caller.confirmed(() => ask(mounted, params, req, res, signed));
    const { operation, args, file, streams, ran } = asked;
    if (file) return sendExport(res, operation, file, args);
    if (streams) return streams(res, args);
    const { data, json, state, parts } = ran;
    if (route.document) return sendDocument(res, route.document, data as DocumentRecord, json);
    if (parts)
      return sendParts(res, data as Page<unknown>, parts, context).catch(async error => {
        throw await handleFieldError(error, operation.field, context);
      });
    const location = locationOf(mounted, data as Record<string, unknown>);
    if (location) res.setHeader('Location', services.config.BASE_PATH + location);
    sendJson(res, operation, json, state);
  }

  async function dispatch(req: Request, res: Response, next: NextFunction): Promise<void> {
    const found = match(req.path);
    if (!found) return next();
    const operation = found.methods.get(req.method === 'HEAD' ? 'GET' : req.method);
    if (req.method === 'OPTIONS') return answerOptions(req, res, found.methods.keys());
    if (!operation) return sendProblem(res, methodRefused(res, found.methods.keys()));
    // HTTP caches recognise personal answers by the `Authorization` header, which this API does not use.
    res.setHeader('Cache-Control', 'no-store');
    try {
      await answer(operation, found.params, req, res);
    } catch (error) {
      if (res.headersSent) res.locals.context.log.warn({ err: error }, 'answer aborted');
      else sendProblem(res, error, field => legacyFieldName(operation.parameters, field));
    }
  }

  return { operations: dispatch, others: others(services, known) };
}

/** Sends a record or page with its tag, or 304 if the client has it. */
function sendJson(res: Response, operation: Operation, json: string, state: Seen | undefined): void {
  // Converted to bytes once. With a text, the tag, the length and the socket would each convert it.
  const bytes = Buffer.from(json);
  if (isTagged(operation)) {
    const tag = entityTag(bytes, state);
    res.setHeader('ETag', tag);
    if (operation.kind === 'query' && isAnsweredByTag(res, tag)) return;
  }
  res
    .status(successStatus(operation.route))
    .setHeader('Content-Type', 'application/json; charset=utf-8')
    .setHeader('Content-Length', bytes.length)
    .end(bytes);
}

/** Documents the operations, and answers 404 for unknown paths. */
function others({ config, listing }: Services, { view, shape }: ReturnType<typeof viewOf>): Router {
  const router = Router();
  const document = () => openApiDocument(view, listing.limits.itemsPerPage, config.BASE_PATH);
  if (config.DOCS) {
    router.all('/openapi.json', onlyGet, openApiInBoth(document));
    router.all(
      '/docs/openapi.json',
      onlyGet,
      openApiInBoth(() => inOpenApi30(document())),
    );
  }
  router.use((req, res) => {
    // The preflight succeeds, so that the page can read the 404 of the request itself.
    if (isPreflight(req)) res.status(204).end();
    else {
      res.locals.context.trace.missed = shape(req.path);
      sendProblem(res, new AppError('NOT_FOUND', { detail: messages.noSuchPath }));
    }
  });
  return router;
}
