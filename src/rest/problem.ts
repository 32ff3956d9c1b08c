import type { ErrorRequestHandler, Response } from 'express';
import { AppError, catalogue, type ErrorCode } from '../errors.ts';
import { publicError } from '../graphql/public-error.ts';
import type { Context } from '../context.ts';
import { messages } from '../messages.ts';

/** An error as RFC 9457 tells it (contract 5). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail: string;
  /** Names this very answer, as `X-Request-Id` does: the path could hold a token. */
  instance: string;
  errors?: { field: string; message: string }[];
}

/** The problem that an error is, and the headers that go with it; `fieldName` spells the names of broken fields. */
export function problemOf(error: unknown, context: Context, fieldName = (field: string): string => field) {
  const { message, extensions } = publicError(error, context);
  const code = extensions['code'] as ErrorCode;
  const { status, title } = catalogue[code];
  const errors = extensions['errors'] as Problem['errors'];
  const problem: Problem = {
    type: `/errors#${code}`,
    title: title[context.language],
    status,
    code,
    detail: message,
    instance: `urn:uuid:${context.requestId}`,
    ...(errors && { errors: errors.map(broken => ({ ...broken, field: fieldName(broken.field) })) }),
  };
  const headers: Record<string, string> = { 'content-type': 'application/problem+json; charset=utf-8' };
  const retryAfter = extensions['retryAfter'] as number | undefined;
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return { problem, headers };
}

export function sendProblem(res: Response, error: unknown, fieldName?: (field: string) => string): void {
  const { problem, headers } = problemOf(error, res.locals.context, fieldName);
  res.status(problem.status).set(headers).send(JSON.stringify(problem));
}

/** What Express and its parsers throw, by their `type` or status. */
function ofExpress(error: { type?: string; status?: number; limit?: number }): AppError | undefined {
  if (error.type === 'entity.parse.failed')
    return new AppError('BAD_REQUEST', { detail: messages.malformedJson });
  if (error.type === 'entity.too.large')
    return new AppError('PAYLOAD_TOO_LARGE', { detail: messages.bodyTooLarge(error.limit ?? 0) });
  if (error.status === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: messages.bodyNotJson });
  if (error.status !== undefined && error.status >= 400 && error.status < 500)
    return new AppError('BAD_REQUEST');
  return undefined;
}

/** The last handler: whatever went wrong, a client gets a problem and never a page or a stack. */
export const problemHandler: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) next(error);
  else sendProblem(res, error instanceof AppError ? error : (ofExpress(error as object) ?? error));
};
