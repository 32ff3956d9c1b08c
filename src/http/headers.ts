import cors from 'cors';
import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';

/** Security headers of answers that are not pages. Pages have their own (`pages/headers.ts`). */
const data = new Map([
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
]);

/** Security headers of every answer. */
export const answerHeaders: RequestHandler = (_req, res, next) => {
  res.setHeaders(data);
  next();
};

/**
 * Allows web pages of the configured origins to call. Tokens are sent in a header, so cookies and other credentials
 * are not allowed.
 */
export const crossOrigin = ({ CORS_ORIGINS }: Config): RequestHandler =>
  cors({
    origin: CORS_ORIGINS.includes('*') ? '*' : CORS_ORIGINS,
    exposedHeaders: ['X-Request-Id', 'ETag', 'Location', 'Retry-After', 'Content-Disposition'],
    maxAge: 3600,
  });
