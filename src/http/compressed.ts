import { constants } from 'node:zlib';
import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';
import onHeaders from 'on-headers';
import type { Config } from '../config.ts';

/** Bytes from which compressing saves more than it costs. */
const THRESHOLD = 1_024;

/** Answers, exports as csv, and the parts of pages. A spreadsheet, a PDF and most pictures are compressed already. */
const TEXTS = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?:css|csv|html|javascript|plain))\b/;

/** Whether the answer may be sent compressed to a client that asks for it. */
function isCompressible(_req: Request, res: Response): boolean {
  return (
    TEXTS.test(String(res.getHeader('content-type'))) &&
    // The bytes of a range are counted in the content as it is.
    !res.hasHeader('content-range') &&
    // The length of a compressed answer tells of a secret how much of it is the same as what was sent.
    !res.locals.context.trace.isSecret
  );
}

const compress = compression({
  threshold: THRESHOLD,
  filter: isCompressible,
  // Every part of an answer leaves when it is written.
  flush: constants.Z_SYNC_FLUSH,
  level: 4,
  brotli: {
    flush: constants.BROTLI_OPERATION_FLUSH,
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
  },
});

/** Compresses long texts with Brotli or gzip, as the client asks (`COMPRESSION`). */
export function compressed({ COMPRESSION }: Pick<Config, 'COMPRESSION'>): RequestHandler {
  if (!COMPRESSION) return (_req, _res, next) => next();
  return (req, res, next) => {
    // It is called after the library has decided, because it is registered before.
    onHeaders(res, () => tell(req, res));
    compress(req, res, next);
  };
}

/** The bytes of a compressed answer are not those of the tag, and HEAD cannot know how many they are. */
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
