import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';

/** Converts errors of Express and its parsers for unreadable requests; undefined for other errors. */
export function fromExpress(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { type, status, limit } = error as { type?: string; status?: number; limit?: number };
  if (type === 'entity.parse.failed') return new AppError('BAD_REQUEST', { detail: messages.malformedJson });
  if (type === 'entity.too.large')
    return new AppError('PAYLOAD_TOO_LARGE', { detail: messages.bodyTooLarge(limit ?? 0) });
  if (status === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: messages.bodyNotJson });
  return status !== undefined && status >= 400 && status < 500 ? new AppError('BAD_REQUEST') : undefined;
}
