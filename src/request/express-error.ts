import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import { requestTexts } from './messages.ts';

/** Encodings that Express's body parsers can decode. */
const ENCODINGS = 'gzip, deflate, br, identity';

/** Converts errors of Express and its parsers for unreadable requests; undefined for other errors. */
export function fromExpress(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { type, status, limit } = error as { type?: string; status?: number; limit?: number };
  if (type === 'entity.too.large')
    return new AppError('PAYLOAD_TOO_LARGE', { detail: messages.bodyTooLarge(limit ?? 0) });
  if (type === 'encoding.unsupported')
    return new AppError('UNSUPPORTED_MEDIA_TYPE', {
      detail: requestTexts.encodingUnknown(ENCODINGS),
      acceptEncoding: ENCODINGS,
    });
  if (status === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: messages.bodyNotJson });
  return status !== undefined && status >= 400 && status < 500 ? new AppError('BAD_REQUEST') : undefined;
}

/**
 * The media types and encodings that the service accepts, as headers of an answer that refuses the body (RFC 9110,
 * 15.5.16).
 */
export function acceptedBodies(extensions: Readonly<Record<string, unknown>>): Record<string, string> {
  const { acceptEncoding } = extensions;
  return typeof acceptEncoding === 'string'
    ? { 'accept-encoding': acceptEncoding }
    : { accept: 'application/json' };
}
