import { constants } from 'node:zlib';
import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';
import onHeaders from 'on-headers';
import type { Config } from '../config.ts';

/** Smallest answer in bytes for which compression pays. */
const THRESHOLD = 1_024;

/**
 * JSON answers, csv exports, and the resources of pages. Spreadsheets, PDFs and most pictures are compressed already.
 */
const TEXTS = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?:css|csv|html|javascript|plain))\b/;

/** Whether the answer may be sent compressed to a client that asks for it. */
function isCompressible(_req: Request, res: Response): boolean {
  return (
    TEXTS.test(String(res.getHeader('content-type'))) &&
    // The byte positions of a range refer to the uncompressed content.
    !res.hasHeader('content-range') &&
    // With secrets, the length of a compressed answer would reveal how much of the secret equals text chosen by an
    // attacker.
    !res.locals.context.trace.isSecret
  );
}

const compress = compression({
  threshold: THRESHOLD,
  filter: isCompressible,
  // Every chunk of an answer is sent when it is written.
  flush: constants.Z_SYNC_FLUSH,
  level: 4,
  brotli: {
    flush: constants.BROTLI_OPERATION_FLUSH,
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
  },
});

/** Compresses long texts with Brotli or gzip, according to the request (`COMPRESSION`). */
export function compressed({ COMPRESSION }: Pick<Config, 'COMPRESSION'>): RequestHandler {
  if (!COMPRESSION) return (_req, _res, next) => next();
  return (req, res, next) => {
    // Called after the library has decided, because it is registered before.
    onHeaders(res, () => tell(req, res));
    compress(req, res, next);
  };
}

/** The bytes of a compressed answer differ from those of the tag, and HEAD cannot know their number. */
function tell(req: Request, res: Response): void {
  const isShortened = req.method === 'HEAD' ? wouldShorten(req, res) : res.hasHeader('content-encoding');
  if (!isShortened) return;
  if (req.method === 'HEAD') res.removeHeader('content-length');
  const tag = res.getHeader('etag');
  if (typeof tag === 'string' && !tag.startsWith('W/')) res.setHeader('ETag', `W/${tag}`);
}

function wouldShorten(req: Request, res: Response): boolean {
  const length = res.getHeader('content-length');
  const isLong = length === undefined || Number(length) >= THRESHOLD;
  return isLong && isCompressible(req, res) && Boolean(req.acceptsEncodings('br', 'gzip'));
}
