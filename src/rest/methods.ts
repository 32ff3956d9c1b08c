import type { Request, Response } from 'express';
import { AppError } from '../errors.ts';
import { restTexts } from './messages.ts';
import { sendProblem } from './problem.ts';

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

/** Answers 405 with the methods of the path. */
export function refuseMethod(res: Response, methods: Iterable<string>): void {
  const allowed = allowedBy(methods);
  res.setHeader('Allow', allowed);
  sendProblem(res, new AppError('METHOD_NOT_ALLOWED', { detail: restTexts.methodNotAllowed(allowed) }));
}
