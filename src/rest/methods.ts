import type { Request, Response } from 'express';
import { AppError } from '../errors.ts';
import { restTexts } from './messages.ts';
import { sendProblem } from './problem.ts';

/** The methods that a path takes, as `Allow` names them. */
function allowedBy(methods: Iterable<string>): string {
  const named = [...methods];
  return [...named, ...(named.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

/** Whether a browser asks if it may send a request. */
export const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Answers OPTIONS with the methods of the path. A browser that asks before a request gets them in its own header, too. */
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
