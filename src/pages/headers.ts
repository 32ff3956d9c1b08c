import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Security headers of a page. No other page may frame it, and it may send no forms.
 * @param sources what the page may load, by directive of Content-Security-Policy; everything else is refused
 */
export function pageHeaders(sources: Readonly<Record<string, string[]>>): RequestHandler {
  const nothing = ["'none'"];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': nothing,
        'base-uri': nothing,
        'form-action': nothing,
        'frame-ancestors': nothing,
        ...sources,
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // Browsers use this header only on HTTPS, so the proxy that terminates TLS sets it.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  });
}

/** CSP source for one inline script or style, by its exact text. */
export const inline = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
