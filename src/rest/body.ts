import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { AppError, invalidField } from '../errors.ts';
import { messages, type Text } from '../messages.ts';
import { restTexts } from './messages.ts';
import type { Incoming } from '../storage/incoming.ts';

/** A body as an object, and its file, which was stored separately. */
export interface Body {
  json: object;
  file?: Incoming;
}

export type BodyReader = (req: Request, res: Response) => Promise<Body>;

/**
 * Reads a JSON body of at most `limit` bytes; `{}` when it is absent.
 * @throws VALIDATION_FAILED for JSON that is not an object; what `readJson` throws
 */
export const bodyReader = (limit: number): BodyReader => {
  const read = readJson(limit);
  return async (req, res) => ({ json: asObject(await read(req, res)) });
};

/**
 * Reads JSON of at most `limit` bytes; undefined when the body is absent.
 * @throws UNSUPPORTED_MEDIA_TYPE; BAD_REQUEST when it is incomplete, or not JSON in UTF-8; what Express's parser throws
 */
export function readJson(limit: number): (req: Request, res: Response) => Promise<unknown> {
  const parse = jsonParser(limit);
  return async (req, res) => {
    if (!(await hasBody(req))) return undefined;
    requireJson(req);
    // Express's parser does not know this older name (RFC 9110, 8.4.1.3).
    if (encodingOf(req) === 'x-gzip') req.headers['content-encoding'] = 'gzip';
    await new Promise<void>((resolve, reject) => {
      parse(req, res, error => (error ? reject(error as Error) : resolve()));
    });
    // If the connection breaks during the body, Express's parser returns neither a body nor an error.
    if (req.body === undefined) throw brokenOff();
    return req.body;
  };
}

/**
 * Whether at least one byte was sent. A body without bytes is none, and its headers mean nothing. If the body comes in
 * chunks, only its first byte shows that there is one.
 * @throws BAD_REQUEST when the connection breaks before that
 */
export async function hasBody(req: Request): Promise<boolean> {
  // A request that runs again has read it.
  if (req.body !== undefined) return true;
  if (req.headers['transfer-encoding'] === undefined) return Number(req.headers['content-length'] ?? 0) > 0;
  try {
    await Promise.race([once(req, 'readable'), finished(req, { cleanup: true })]);
  } catch (error) {
    throw brokenOff(error);
  }
  return req.readableLength > 0;
}

const brokenOff = (cause?: unknown): AppError =>
  new AppError('BAD_REQUEST', { detail: restTexts.bodyBrokenOff, cause });

/** The error 413 for a body that is too large. The rest of it is not read, so the connection must be closed. */
export function bodyTooLarge(res: Response, detail: Text): AppError {
  res.shouldKeepAlive = false;
  return new AppError('PAYLOAD_TOO_LARGE', { detail });
}

/**
 * A parser for JSON bodies. Express's own would read a body that is too large to its end before it refuses it, and
 * replace bytes that are not UTF-8, so that different passwords would be the same.
 */
function jsonParser(limit: number): RequestHandler {
  const read = express.raw({ type: () => true, limit });
  return (req, res, next) => {
    let size = 0;
    let isDone = false;
    const done = (error?: unknown): void => {
      if (isDone) return;
      isDone = true;
      req.off('data', count);
      if (error || !Buffer.isBuffer(req.body)) return next(error);
      try {
        req.body = parseJson(req.body);
      } catch (unreadable) {
        return next(unreadable);
      }
      next();
    };
    const refuse = (): void => done(bodyTooLarge(res, messages.bodyTooLarge(limit)));
    const count = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) refuse();
    };
    if (Number(req.headers['content-length']) > limit) return refuse();
    read(req, res, done);
    if (!isDone) req.on('data', count);
  };
}

/** Drops a byte order mark. */
const utf8 = new TextDecoder();

/** `{}` for no bytes. @throws BAD_REQUEST when they are not JSON in UTF-8 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new AppError('BAD_REQUEST', { detail: restTexts.bodyNotUtf8 });
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new AppError('BAD_REQUEST', { detail: restTexts.malformedJson, cause: error });
  }
}

/** How the body is encoded, in small letters. */
export const encodingOf = ({ headers }: Request): string =>
  (headers['content-encoding'] || 'identity').toLowerCase();

/** Any but the names of UTF-8 that clients write, and its subset ASCII. */
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?(?:utf-?8|us-ascii)"?\s*(?:;|$))/i;

/** @throws UNSUPPORTED_MEDIA_TYPE for a body with another content type or charset */
export function requireJson(req: Request): void {
  const type = req.headers['content-type'];
  if (type === undefined) return;
  if (!req.is(['json', '+json']) || OTHER_CHARSET.test(type))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: messages.bodyNotJson });
}

/** `{}` when the body is absent. @throws VALIDATION_FAILED for JSON that is not an object */
export function asObject(json: unknown): object {
  const body = json === undefined ? {} : json;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidField('VALIDATION_FAILED', '', restTexts.notAnObject);
  }
  return body;
}
