import type { ErrorRequestHandler, Response } from 'express';
import { catalogue, type ErrorCode } from '../errors.ts';
import { publicError } from '../graphql/public-error.ts';
import { languageTags } from '../messages.ts';
import type { Context } from '../request/context.ts';
import { acceptedBodies, fromExpress } from '../request/express-error.ts';

/** An error in the form of RFC 9457 (contract 5). */
interface Problem {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail: string;
  /** The request id of `X-Request-Id` as a URN. The path is not used, because it may contain a token. */
  instance: string;
  errors?: { field: string; message: string }[];
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const urnOf = (requestId: string): string =>
  UUID.test(requestId) ? `urn:uuid:${requestId}` : `urn:request:${encodeURIComponent(requestId)}`;

/** Converts an error to a problem and its headers. `fieldName` converts the names of invalid fields. */
export function problemOf(error: unknown, context: Context, fieldName = (field: string): string => field) {
  const { message, extensions } = publicError(fromExpress(error) ?? error, context);
  const code = extensions['code'] as ErrorCode;
  const { status, title } = catalogue[code];
  const errors = extensions['errors'] as Problem['errors'];
  const problem: Problem = {
    type: `${context.services.config.BASE_PATH}/errors#${code}`,
    title: title[context.language],
    status,
    code,
    detail: message,
    instance: urnOf(context.requestId),
    ...(errors && { errors: errors.map(broken => ({ ...broken, field: fieldName(broken.field) })) }),
  };
  const headers: Record<string, string> = {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-language': languageTags[context.language],
    ...(status === 415 && acceptedBodies(extensions)),
    // RFC 9110 requires a scheme. Browsers do not know this one, so they open no login window.
    ...(status === 401 && { 'www-authenticate': 'token realm="SII"' }),
  };
  const retryAfter = extensions['retryAfter'] as number | undefined;
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return { problem, headers };
}

export function sendProblem(res: Response, error: unknown, fieldName?: (field: string) => string): void {
  const { problem, headers } = problemOf(error, res.locals.context, fieldName);
  res.vary('Accept-Language').status(problem.status).set(headers).send(JSON.stringify(problem));
}

/** The last error handler. A client always gets a problem document, never an HTML page or a stack trace. */
export const problemHandler: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) next(error);
  else sendProblem(res, error);
};
