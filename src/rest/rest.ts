import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import { signedPath, type SignedPath } from '../access/signature.ts';
import { AppError } from '../errors.ts';
import { authorizeField, handleFieldError } from '../graphql/guard.ts';
import type { Page } from '../listing/page.ts';
import { restTexts } from './messages.ts';
import { type Services } from '../request/services.ts';
import { readArguments } from './arguments.ts';
import { entityTag, isKnown, isTagged, versionsSeen } from './conditions.ts';
import { sendDocument, type DocumentRecord } from './documents.ts';
import { bodyReader, type Body, type BodyReader } from './body.ts';
import { exporter, fileRequestOf } from './downloads.ts';
import { fileBodyReader } from './file-body.ts';
import { refuseFixed } from './fixed-members.ts';
import { legacyView } from './legacy-schema.ts';
import { isOneTransaction, type Operation } from './operation.ts';
import { matcher, shapeOf } from './matcher.ts';
import { answerOptions, isPreflight, refuseMethod } from './methods.ts';
import { openApiInBoth } from './openapi-languages.ts';
import { inOpenApi30 } from './openapi-older.ts';
import { openApiDocument } from './openapi.ts';
import { sendParts } from './parts.ts';
import { sendProblem } from './problem.ts';
import { legacyFieldName } from './properties.ts';
import { snakeCase } from '../text/names.ts';
import { successStatus, type Route } from './route.ts';
import { routes } from './routes.ts';
import { sofaFace } from './sofa.ts';

interface RestFace {
  /** Answers the specified paths, each with its field of the schema. Other paths are passed on. */
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
  const { view, match, shape, run, locationOf } = known;
  const readBody = bodyReader(services.config.MAX_BODY_BYTES);
  const readFileBody = new Map<string, BodyReader>(
    routes.flatMap(({ receives }) => (receives ? [[receives, fileBodyReader(services, receives)]] : [])),
  );
  const sendExport = exporter(services);

  /** Reads a request and runs its operation, unless the answer is a file. */
  async function ask(
    mounted: Operation,
    params: Readonly<Record<string, string>>,
    req: Request,
    res: Response,
    signed: SignedPath | undefined,
  ) {
    const { context } = res.locals;
    const { route } = mounted;
    await authorizeField(context, mounted.field);
    const query = readQuery(signed?.path ?? req.originalUrl);
    const operation = chosen(mounted, query);
    if (operation.field !== mounted.field) await authorizeField(context, operation.field);
    const seen = versionsSeen(context.header('if-match'), operation);
    const hasBody = operation.parameters.some(parameter => parameter.place === 'body');
    const read = readFileBody.get(route.receives ?? '') ?? readBody;
    const { json: body, file: received }: Body = hasBody ? await read(req, res) : { json: {} };
    const args = await readArguments(operation, { path: params, query, body }, context);
    await refuseFixed(operation, body, args, context);
    const file = fileRequestOf(route, args);
    if (file) return { operation, args, file };
    if (route.streams) {
      res.vary('Accept');
      if (signed || args['inline'] === true || prefersFile(req, route))
        return { operation, args, streams: route.streams };
    }
    if (signed && !route.document) throw new AppError('BAD_REQUEST', { detail: restTexts.signedNoFile });
    const extras = { seen, received };
    const ran = await context.inTurn(() => run(operation, args, context, extras));
    return { operation, args, ran };
  }

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
    if (mounted.kind === 'query' || isOneTransaction(mounted)) context.caller.presume(mounted.kind);
    const asked = await context.caller.confirmed(() => ask(mounted, params, req, res, signed));
    const { operation, args, file, streams, ran } = asked;
    if (file) return sendExport(res, operation, file, args);
    if (streams) return streams(res, args);
    const { data, json, version, parts } = ran;
    if (route.document) return sendDocument(res, route.document, data as DocumentRecord, json);
    if (parts)
      return sendParts(res, data as Page<unknown>, parts, context).catch(async error => {
        throw await handleFieldError(error, operation.field, context);
      });
    const status = successStatus(route);
    const location = status === 201 && locationOf(mounted, data as Record<string, unknown>);
    if (location) res.setHeader('Location', services.config.BASE_PATH + location);
    // Converted to bytes once. With a text, the tag, the length and the socket would each convert it.
    const bytes = Buffer.from(json);
    if (isTagged(operation)) {
      const tag = entityTag(bytes, version);
      res.setHeader('ETag', tag);
      if (operation.kind === 'query' && isKnown(context.header('if-none-match'), tag)) {
        res.status(304).end();
        return;
      }
    }
    res
      .status(status)
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .setHeader('Content-Length', bytes.length)
      .end(bytes);
  }

  async function dispatch(req: Request, res: Response, next: NextFunction): Promise<void> {
    const found = match(req.path);
    if (!found) return next();
    const operation = found.methods.get(req.method === 'HEAD' ? 'GET' : req.method);
    if (req.method === 'OPTIONS') return answerOptions(req, res, found.methods.keys());
    if (!operation) return refuseMethod(res, found.methods.keys());
    // HTTP caches recognise personal answers by the `Authorization` header, which this API does not use.
    res.setHeader('Cache-Control', 'no-store');
    try {
      await answer(operation, found.params, req, res);
    } catch (error) {
      if (res.headersSent) res.locals.context.log.warn({ err: error }, 'answer aborted');
      else sendProblem(res, error, field => legacyFieldName(operation.parameters, field));
    }
  }

  const router = Router();
  const document = () =>
    openApiDocument(view, services.listing.limits.itemsPerPage, services.config.BASE_PATH);
  // Separate routers answer OPTIONS themselves.
  if (services.config.DOCS) {
    router.use(Router().get('/openapi.json', openApiInBoth(document)));
    router.use(
      Router().get(
        '/docs/openapi.json',
        openApiInBoth(() => inOpenApi30(document())),
      ),
    );
  }
  router.use((req, res) => {
    // The preflight succeeds, so that the page can read the 404 of the request itself.
    if (isPreflight(req)) res.status(204).end();
    else {
      res.locals.context.trace.missed = shape(req.path);
      sendProblem(res, new AppError('NOT_FOUND', { detail: restTexts.noSuchPath }));
    }
  });
  return { operations: dispatch, others: router };
}

/** Returns a function for the `Location` of a created record: the path of its read operation with the record's keys. */
function locator(operations: readonly Operation[]) {
  const singles = operations.filter(({ route }) => route.method === 'GET' && route.path.includes('{'));
  return ({ route }: Operation, record: Record<string, unknown>): string | undefined => {
    const single = singles.find(({ route: { path } }) => path.startsWith(`${route.path}/{`));
    const keys = single?.parameters.filter(({ place }) => place === 'path') ?? [];
    const values = keys.map(({ name, property }) => [name, record[snakeCase(property)]] as const);
    if (!single || values.some(([, value]) => value === undefined)) return undefined;
    return values.reduce(
      (path, [name, value]) => path.replace(`{${name}}`, String(value)),
      single.route.path,
    );
  };
}

/** The operation, or the variant that a parameter selects. */
function chosen(operation: Operation, query: URLSearchParams): Operation {
  const choice = Object.keys(operation.variants).find(parameter =>
    /^(true|1)$/i.test(query.get(parameter) ?? ''),
  );
  return choice === undefined ? operation : operation.variants[choice]!;
}

const prefersFile = (req: Request, { streamsAs = 'application/octet-stream' }: Route): boolean => {
  const preferred = req.accepts('application/json', 'application/octet-stream', streamsAs);
  return preferred !== false && preferred !== 'application/json';
};

/**
 * The parameters of a URL. Many libraries write list parameters as `a[]=1` or `a[0]=1`; both become `a=1`.
 * @throws BAD_REQUEST for invalid percent-encoded UTF-8, which URLSearchParams would silently replace
 */
function readQuery(url: string): URLSearchParams {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  try {
    decodeURIComponent(query);
  } catch {
    throw new AppError('BAD_REQUEST', { detail: restTexts.undecodable });
  }
  const given = [...new URLSearchParams(query)];
  return new URLSearchParams(given.map(([name, value]) => [name.replace(/\[\d*\]$/, ''), value]));
}
