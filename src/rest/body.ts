import express, { type Request, type RequestHandler, type Response } from 'express';
import { AppError, bodyTooLarge, invalid } from '../errors.ts';
import { messages } from '../messages.ts';
import { restTexts } from './messages.ts';
import type { Incoming } from '../storage/incoming.ts';

/** A body as an object, and its file, which was stored separately. */
export interface Body {
  json: object;
  file?: Incoming;
}

export type BodyReader = (req: Request, res: Response) => Promise<Body>;

type JsonOptions = NonNullable<Parameters<typeof express.json>[0]> & { limit: number };

/**
 * Reads a JSON body of at most `limit` bytes; `{}` when it is absent.
 * @throws UNSUPPORTED_MEDIA_TYPE; BAD_REQUEST when it is incomplete; VALIDATION_FAILED for JSON that is not an object;
 * what Express's parser throws
 */
export function bodyReader(limit: number): BodyReader {
  const parse = jsonParser({ limit, type: () => true, strict: false });
  return async (req, res) => {
    requireJson(req);
    await new Promise<void>((resolve, reject) => {
      parse(req, res, error => (error ? reject(error as Error) : resolve()));
    });
    if (req.body === undefined && declaresBody(req))
      throw new AppError('BAD_REQUEST', { detail: restTexts.bodyBrokenOff });
    return { json: asObject(req.body) };
  };
}

/**
 * Express's JSON parser, except that a body that is too large is refused at once. Express would read it to its end
 * first.
 */
export function jsonParser({ limit, ...options }: JsonOptions): RequestHandler {
  const parse = express.json({ ...options, limit });
  return (req, res, next) => {
    let size = 0;
    let isDone = false;
    const done = (error?: unknown): void => {
      if (isDone) return;
      isDone = true;
      req.off('data', count);
      next(error);
    };
    const refuse = (): void => done(bodyTooLarge(res, messages.bodyTooLarge(limit)));
    const count = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) refuse();
    };
    if (Number(req.headers['content-length']) > limit) return refuse();
    parse(req, res, done);
    if (!isDone) req.on('data', count);
  };
}

/** If the connection breaks during the body, Express's parser returns neither a body nor an error. */
const declaresBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

/** @throws UNSUPPORTED_MEDIA_TYPE for a body with another content type */
export function requireJson(req: Request): void {
  if (req.headers['content-type'] !== undefined && req.is(['json', '+json']) === false) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: messages.bodyNotJson });
  }
}

/** `{}` when the body is absent. @throws VALIDATION_FAILED for JSON that is not an object */
export function asObject(json: unknown): object {
  const body = json === undefined ? {} : json;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('VALIDATION_FAILED', [{ field: '', message: restTexts.notAnObject }]);
  }
  return body;
}
