import type { RequestHandler } from 'express';
import { AppError } from '../errors.ts';
import { httpTexts } from './messages.ts';

/**
 * Refuses a request of HTTP/1.1 without a Host header, and any request with several, of which a proxy may have read
 * another one (RFC 9112, 3.2). The connection is closed, as after every request that cannot be trusted.
 */
export const oneHost: RequestHandler = (req, res, next) => {
  const hosts = req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')) return next();
  res.setHeader('Connection', 'close');
  throw new AppError('BAD_REQUEST', { detail: httpTexts.oneHost });
};
