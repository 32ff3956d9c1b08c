import type { Content } from './content.ts';
import type { Readable } from 'node:stream';
import { Incoming } from './incoming.ts';

/** What the storage holds under a digest. It is not verified. */
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

  /** Receives bytes under a temporary name. Only `put` stores them. Errors of `bytes` are thrown. */
  receive(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Incoming> {
    return Incoming.receive(this.incoming, bytes);
  }

  /** Stores received bytes; they are durable when it resolves. Replaces what is stored under the same digest. */
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

/** Slowest accepted transfer of contents. Deadlines grow with the size at this rate. */
export const SLOWEST_BYTES_PER_MS = 200;
