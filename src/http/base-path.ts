import type { RequestHandler } from 'express';
import type { Config } from '../config.ts';
import { withoutPrefix } from '../text/prefix.ts';

/**
 * Serves all paths below `BASE_PATH`, too. A proxy may pass the prefix on or remove it, and a monitor beside the
 * service need not know it.
 */
export function belowBasePath({ BASE_PATH }: Pick<Config, 'BASE_PATH'>): RequestHandler {
  if (BASE_PATH === '') return (_req, _res, next) => next();
  return (req, _res, next) => {
    const url = withoutPrefix(req.url, BASE_PATH);
    // Paths are signed without the prefix.
    if (url !== req.url) req.url = req.originalUrl = url;
    next();
  };
}
