import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

/** Most sources that are logged, so that a client with many addresses cannot fill the log. */
const MOST = 100;

/**
 * Logs, once for each source, that its `X-Forwarded-For` is ignored. Behind a proxy that `TRUSTED_PROXIES` does not
 * list, all clients have the proxy's address, and share its limit of failed logins.
 */
export function warnOfForwarded(log: Logger): RequestHandler {
  const named = new Set<string>();
  return (req, _res, next) => {
    const source = req.headers['x-forwarded-for'] === undefined ? undefined : req.socket.remoteAddress;
    if (source !== undefined && !named.has(source) && named.size < MOST) {
      const isTrusted = req.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
      if (!isTrusted(source, 0)) {
        named.add(source);
        log.warn({ source }, 'X-Forwarded-For is ignored: TRUSTED_PROXIES does not list its sender');
      }
    }
    next();
  };
}
