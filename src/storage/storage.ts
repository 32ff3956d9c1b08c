import type { Content } from './content.ts';
import type { Readable } from 'node:stream';
import { storageAway } from './away.ts';
import { Incoming, tryFolder } from './incoming.ts';

/** A stored content, not verified. */
export interface StoredContent extends Content {
  storedAt: Date;
}

/** Bytes from `start` to `end`, both included. */
export interface Range {
  start: number;
  end: number;
}

/**
 * Storage of contents by digest: equal contents are stored once. If the storage is not available, every method throws
 * UNAVAILABLE within a limited time. So does a storage that has lost its label, except when it removes something: it is
 * another folder or bucket, as behind a disk that is no longer mounted.
 */
export abstract class Storage {
  /** Whether this process has seen the label. */
  #isLabelled = false;

  /** `incoming` is a local folder for incomplete contents. */
  constructor(readonly incoming: string) {}

  /** Receives bytes into a file with a temporary name. Only `put` stores them. Errors of `bytes` are thrown. */
  receive(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Incoming> {
    return Incoming.receive(this.incoming, bytes);
  }

  /**
   * Stores received bytes. When it resolves they are durable. Replaces existing bytes with the same digest.
   * @throws BAD_REQUEST if the file was discarded meanwhile, because the client has left
   */
  async put(file: Incoming): Promise<void> {
    await this.label();
    await file.unlessDiscarded(this.store(file));
  }

  /**
   * The stored bytes of a digest, or a range of them, not verified (use `verified`); undefined if there are none.
   * `size` is the size of the whole content.
   */
  abstract open(sha256: string, range?: Range): Promise<{ size: number; bytes: Readable } | undefined>;

  abstract has(sha256: string): Promise<boolean>;

  /** All stored contents, unordered, in batches that are looked up in the database together. The last may be empty. */
  async *inBatches(): AsyncGenerator<StoredContent[]> {
    await this.label();
    let batch: StoredContent[] = [];
    for await (const content of this.list()) {
      batch.push(content);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }

  protected abstract list(): AsyncIterable<StoredContent>;

  /** Removes a content, if it exists. */
  abstract remove(sha256: string): Promise<void>;

  /**
   * The text that `setLabel` stored; undefined if there never was one. Any answer shows that the storage works.
   * @throws UNAVAILABLE also when it was there and is gone
   */
  async label(): Promise<string | undefined> {
    const text = await this.readLabel();
    if (text !== undefined) this.#isLabelled = true;
    else if (this.#isLabelled) throw storageAway(new Error(`${LABEL} is gone`));
    return text;
  }

  /**
   * Checks that contents can be read, and be received into the local folder.
   * @throws UNAVAILABLE with the reason
   */
  async check(): Promise<void> {
    // First, because nothing may be made below a disk that is no longer mounted.
    await this.label();
    await tryFolder(this.incoming);
  }

  /** Stores a short text beside the contents. */
  abstract setLabel(text: string): Promise<void>;

  abstract close(): void;

  protected abstract store(file: Incoming): Promise<void>;

  protected abstract readLabel(): Promise<string | undefined>;

  /** The answer when nothing was found. @throws UNAVAILABLE when that is because the storage is another one */
  protected async nothing(): Promise<undefined> {
    await this.label();
  }
}

/** The number of contents in a batch. */
const BATCH = 500;

/** Where a storage has its label. */
export const LABEL = 'owner.json';

const DIGEST = /^[0-9a-f]{64}$/;

export const isDigest = (name: string): boolean => DIGEST.test(name);

/** `ab/cd/abcd…`: path of a content. It contains no text from clients. */
export function placeOf(sha256: string): string {
  if (!isDigest(sha256)) throw new Error('not a SHA-256 in hexadecimal');
  return `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}

/** Slowest accepted transfer rate. Time limits grow with the size at this rate. */
export const SLOWEST_BYTES_PER_MS = 200;
