import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';

/**
 * Serves below `BASE_PATH` what is served without it. A proxy may pass the path on or cut it off, and a monitor beside the
 * service need not know it.
 */
export function belowBasePath({ BASE_PATH }: Pick<Config, 'BASE_PATH'>): RequestHandler {
  if (BASE_PATH === '') return (_req, _res, next) => next();
  return (req, _res, next) => {
    const rest = req.url.startsWith(BASE_PATH) ? req.url.slice(BASE_PATH.length) : undefined;
    if (rest !== undefined && /^([/?]|$)/.test(rest))
      // Signatures are of paths without it.
      req.url = req.originalUrl = rest.startsWith('/') ? rest : `/${rest}`;
    next();
  };
}
