import type { Request, Response } from 'express';
import type { SignedPath } from '../access/signature.ts';
import { AppError } from '../errors.ts';
import { authorizeField } from '../graphql/guard.ts';
import type { Services } from '../request/services.ts';
import { readArguments } from './arguments.ts';
import { bodyReader, type Body, type BodyReader } from './body.ts';
import { statesSeen } from './conditions.ts';
import { fileRequestOf } from './downloads.ts';
import { fileBodyReader } from './file-body.ts';
import { refuseFixed } from './fixed-members.ts';
import { restTexts } from './messages.ts';
import type { Operation } from './operation.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { readQuery } from './query.ts';
import type { sofaFace } from './sofa.ts';

/** Returns a function that reads a request and runs its operation, unless the answer is a file. */
export function asker(services: Services, run: ReturnType<typeof sofaFace>) {
  const readBody = bodyReader(services.config.MAX_BODY_BYTES);
  const readFileBody = new Map<string, BodyReader>(
    routes.flatMap(({ receives }) => (receives ? [[receives, fileBodyReader(services, receives)]] : [])),
  );

  return async function ask(
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
    const seen = statesSeen(context.header('if-match'), operation);
    const hasBody = operation.parameters.some(parameter => parameter.place === 'body');
    const read = readFileBody.get(route.receives ?? '') ?? readBody;
    const isOnItsWay = hasBody && !req.complete;
    const { json: body, file: received }: Body = hasBody ? await read(req, res) : { json: {} };
    // A body may take minutes, and the session may have ended meanwhile.
    if (isOnItsWay) {
      context.caller.forget();
      await authorizeField(context, operation.field);
    }
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
