import cors from 'cors';
import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';

/** Security headers of answers that are not pages. Pages have their own (`pages/headers.ts`). */
export const dataHeaders = new Map([
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
]);

/** Security headers of every answer. */
export const answerHeaders: RequestHandler = (_req, res, next) => {
  res.setHeaders(dataHeaders);
  next();
};

/** Headers that the service reads, and headers that GraphQL client libraries add. Some clients write `_` for `-`. */
const READ = [
  'token app-name app_name appversion api-key api_key',
  'Accept-Language Content-Type Idempotency-Key X-Request-Id traceparent tracestate',
  'If-Match If-None-Match If-Range Range Cache-Control X-Requested-With',
  'apollographql-client-name apollographql-client-version apollo-require-preflight x-apollo-operation-name',
].flatMap(names => names.split(' '));

/** Headers of answers that web pages may read, in addition to those that are always readable. */
const SHOWN = [
  'X-Request-Id ETag Location Retry-After Content-Disposition Allow',
  'Accept-Ranges Content-Range WWW-Authenticate',
].flatMap(names => names.split(' '));

/**
 * Allows web pages of the configured origins to call. Tokens are sent in a header, so cookies and other credentials
 * are not allowed. Without origins there is nothing to say: a browser lets no other page read the answers.
 */
export function crossOrigin({ CORS_ORIGINS }: Config): RequestHandler {
  if (CORS_ORIGINS.length === 0) return (_req, _res, next) => next();
  return cors({
    origin: CORS_ORIGINS.includes('*') ? '*' : CORS_ORIGINS,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    allowedHeaders: READ,
    exposedHeaders: SHOWN,
    maxAge: 3600,
    // The handler of the path knows its methods.
    preflightContinue: true,
  });
}
