import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../errors.ts';
import { restTexts } from './messages.ts';

/** The value of `Allow` for these methods. */
function allowedBy(methods: Iterable<string>): string {
  const named = [...methods];
  return [...named, ...(named.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

/** Whether the request is a CORS preflight. */
export const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Answers OPTIONS with the methods of the path. A CORS preflight gets them in its own header, too. */
export function answerOptions(req: Request, res: Response, methods: Iterable<string>): void {
  const allowed = allowedBy(methods);
  res.setHeader('Allow', allowed);
  if (isPreflight(req)) res.setHeader('Access-Control-Allow-Methods', allowed);
  res.status(204).end();
}

/** The error 405, with the methods of the path, which the answer names in `Allow`. */
export function methodRefused(res: Response, methods: Iterable<string>): AppError {
  const allowed = allowedBy(methods);
  res.setHeader('Allow', allowed);
  return new AppError('METHOD_NOT_ALLOWED', { detail: restTexts.methodNotAllowed(allowed) });
}

/** Passes on only requests with these methods of the path, and answers OPTIONS. @throws METHOD_NOT_ALLOWED */
const only =
  (...methods: string[]): RequestHandler =>
  (req, res, next) => {
    if (req.method === 'OPTIONS') answerOptions(req, res, methods);
    else if (methods.includes(req.method === 'HEAD' ? 'GET' : req.method)) next();
    else throw methodRefused(res, methods);
  };

/** For a path that is only read. */
export const onlyGet = only('GET');

/** For `/graphql`. */
export const onlyGetAndPost = only('GET', 'POST');
