import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';

/**
 * Serves all paths below `BASE_PATH`, too. A proxy may pass the prefix on or remove it, and a monitor beside the
 * service need not know it.
 */
export function belowBasePath({ BASE_PATH }: Pick<Config, 'BASE_PATH'>): RequestHandler {
  if (BASE_PATH === '') return (_req, _res, next) => next();
  return (req, _res, next) => {
    const rest = req.url.startsWith(BASE_PATH) ? req.url.slice(BASE_PATH.length) : undefined;
    if (rest !== undefined && /^([/?]|$)/.test(rest))
      // Paths are signed without the prefix.
      req.url = req.originalUrl = rest.startsWith('/') ? rest : `/${rest}`;
    next();
  };
}
