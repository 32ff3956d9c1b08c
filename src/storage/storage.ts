import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import type { Readable } from 'node:stream';
import { Incoming } from './incoming.ts';

/** Bytes by what they are: their SHA-256 in hexadecimal, and how many. */
export interface Content {
  sha256: string;
  size: number;
}

/** What the storage holds under a digest, whether or not it is what the digest says. */
export interface Stored extends Content {
  storedAt: Date;
}

/**
 * Where contents are kept, each under its own digest: equal contents are one. Every method throws UNAVAILABLE when the
 * storage is away, within bounded time.
 */
export abstract class Storage {
  /** `incoming` is a local folder for what has not arrived completely. */
  constructor(readonly incoming: string) {}

  /** Takes bytes in, under a temporary name; nothing is kept before `put`. Whatever `bytes` throws is thrown. */
  receive(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Incoming> {
    return Incoming.receive(this.incoming, bytes);
  }

  /** Keeps what has arrived: durable when it resolves. What is kept under the same digest already is replaced. */
  abstract put(file: Incoming): Promise<void>;

  /** The bytes kept under a digest, not verified (`verified` is); undefined when there are none. */
  abstract open(sha256: string): Promise<{ size: number; bytes: Readable } | undefined>;

  abstract has(sha256: string): Promise<boolean>;

  /** Everything that is kept, in no order. */
  abstract list(): AsyncIterable<Stored>;

  /** Does nothing when there is nothing. */
  abstract remove(sha256: string): Promise<void>;

  abstract close(): void;
}

const DIGEST = /^[0-9a-f]{64}$/;

export const isDigest = (name: string): boolean => DIGEST.test(name);

/** `ab/cd/abcd…`: where a content is kept. Nothing that a client sent becomes part of it. */
export function placeOf(sha256: string): string {
  if (!isDigest(sha256)) throw new Error('not a SHA-256 in hexadecimal');
  return `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}

/** Slowest that contents may come and go: whoever waits for one waits so much longer for every byte. */
export const SLOWEST_BYTES_PER_MS = 200;

const RETRY_SECONDS = 5;

export const storageAway = (cause: unknown): AppError =>
  new AppError('UNAVAILABLE', { detail: messages.storageAway, retryAfter: RETRY_SECONDS, cause });
