import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';

const RETRY_SECONDS = 5;

export const storageAway = (cause: unknown): AppError =>
  new AppError('UNAVAILABLE', { detail: messages.storageAway, retryAfter: RETRY_SECONDS, cause });
