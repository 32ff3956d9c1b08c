import { AppError } from '../errors.ts';
import { storageTexts } from './messages.ts';

const RETRY_SECONDS = 5;

export const storageAway = (cause: unknown): AppError =>
  new AppError('UNAVAILABLE', { detail: storageTexts.storageAway, retryAfter: RETRY_SECONDS, cause });

/** For a failed call of the storage. */
export function refuse(cause: unknown): never {
  throw storageAway(cause);
}

/** Whether it is an error of `storageAway`, and not of the database. */
export const isStorageAway = (error: unknown): boolean =>
  error instanceof AppError && error.details.detail === storageTexts.storageAway;
