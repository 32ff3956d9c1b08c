import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Incoming } from './incoming.ts';
import { refuse, storageAway } from './away.ts';
import { boundAnswer, endIfSilent } from './bucket-answers.ts';
import {
  isDigest,
  LABEL,
  placeOf,
  SLOWEST_BYTES_PER_MS,
  Storage,
  type Range,
  type StoredContent,
} from './storage.ts';

/** Address and credentials of the bucket. */
export interface BucketSettings {
  bucket: string;
  region: string;
  /** By default Amazon's own endpoint. */
  endpoint?: string | undefined;
  /** By default the credentials of the environment (`AWS_*`, or a role of the machine). */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Longest time without data from the bucket, and longest wait for an answer without a body. */
  timeoutMs: number;
}

const TRIES = 3;
const CONNECT_MS = 3_000;
/** Idle connections are closed before a firewall drops them. */
const AGENT = { keepAlive: true, maxSockets: 50, timeout: 10_000 };
/** Slow readers hold connections for long. The others must not wait for these. */
const READER_AGENT = { ...AGENT, maxSockets: Infinity };

const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Contents as objects in an S3-compatible bucket. Reads are verified by the service's own digest. */
export class S3Storage extends Storage {
  readonly #client: S3Client;
  /** For contents. The library would count the silence of a slow reader as silence of the bucket. */
  readonly #reader: S3Client;
  readonly #bucket: string;
  readonly #timeoutMs: number;

  constructor(incoming: string, { bucket, region, endpoint, credentials, timeoutMs }: BucketSettings) {
    super(incoming);
    this.#bucket = bucket;
    this.#timeoutMs = timeoutMs;
    const settings = {
      region,
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      maxAttempts: TRIES,
      // Errors are thrown, and logged by the caller.
      logger: silent,
      // Older servers would store the encoding of the newer checksums as content.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    } as const;
    const clientOf = (agent: typeof AGENT, socketTimeout: number): S3Client =>
      new S3Client({
        ...settings,
        requestHandler: {
          httpAgent: agent,
          httpsAgent: agent,
          connectionTimeout: CONNECT_MS,
          requestTimeout: timeoutMs,
          throwOnRequestTimeout: true,
          socketTimeout,
        },
      });
    this.#client = clientOf(AGENT, timeoutMs);
    this.#reader = clientOf(READER_AGENT, 0);
    for (const { middlewareStack } of [this.#client, this.#reader])
      middlewareStack.add(
        (next, { commandName }) =>
          async args => {
            const output = await next(args);
            if (commandName !== 'GetObjectCommand' || isError(output.response)) boundAnswer(output.response);
            return output;
          },
        { step: 'deserialize', priority: 'low' },
      );
  }

  /** Sends the digest, so that the server refuses bytes that were damaged on the way. */
  protected async store({ path, sha256, size }: Incoming): Promise<void> {
    for (let tried = 1; ; tried++) {
      // Opened first, because a missing file (its client has left) must be reported here. An error of the stream would
      // be lost.
      const file = await open(path).catch(refuse);
      const bytes = file.createReadStream();
      const broken = new AbortController();
      bytes.once('error', error => broken.abort(error));
      try {
        const object = {
          ...this.#at(sha256),
          Body: bytes,
          ContentLength: size,
          ChecksumSHA256: base64Of(sha256),
        };
        const requestTimeout = this.#timeoutMs + size / SLOWEST_BYTES_PER_MS;
        await this.#client.send(new PutObjectCommand(object), { requestTimeout, abortSignal: broken.signal });
        return;
      } catch (error) {
        // The library does not retry a stream.
        if (tried === TRIES || !isPassing(error)) throw storageAway(error);
      } finally {
        bytes.destroy();
      }
    }
  }

  async open(sha256: string, range?: Range): Promise<{ size: number; bytes: Readable } | undefined> {
    const part = range && { Range: `bytes=${range.start}-${range.end}` };
    const object = await found(this.#reader.send(new GetObjectCommand({ ...this.#at(sha256), ...part })));
    if (!object) return this.nothing();
    const bytes = object.Body as IncomingMessage;
    endIfSilent(bytes, this.#timeoutMs);
    if (!range) return { size: object.ContentLength ?? 0, bytes };
    // `bytes 0-99/1234`. If a bucket sends another range, or the whole object, the answer does not match.
    const [, sent, size] = /^bytes (\d+-\d+)\/(\d+)$/.exec(object.ContentRange ?? '') ?? [];
    if (sent === `${range.start}-${range.end}`) return { size: Number(size), bytes };
    bytes.destroy();
    throw storageAway(new Error('the bucket does not send ranges'));
  }

  async has(sha256: string): Promise<boolean> {
    // Without a body the answer does not tell whether the content or the whole bucket is missing.
    const head = await found(this.#client.send(new HeadObjectCommand(this.#at(sha256))));
    return (head ?? (await this.nothing())) !== undefined;
  }

  protected async *list(): AsyncGenerator<StoredContent> {
    let after: string | undefined;
    do {
      const command = new ListObjectsV2Command({ Bucket: this.#bucket, ContinuationToken: after });
      const page = await this.#client.send(command).catch(refuse);
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        const sha256 = Key.slice(Key.lastIndexOf('/') + 1);
        // Without a date the age is unknown, so a sweep must not remove it.
        if (LastModified && isDigest(sha256) && Key === placeOf(sha256))
          yield { sha256, size: Size, storedAt: LastModified };
      }
      after = page.NextContinuationToken;
    } while (after !== undefined);
  }

  async remove(sha256: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#at(sha256))).catch(refuse);
  }

  protected async readLabel(): Promise<string | undefined> {
    const object = await found(this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: LABEL })));
    return object?.Body?.transformToString().catch(refuse);
  }

  async setLabel(text: string): Promise<void> {
    const label = { Bucket: this.#bucket, Key: LABEL, Body: text };
    await this.#client.send(new PutObjectCommand(label)).catch(refuse);
  }

  close(): void {
    this.#client.destroy();
    this.#reader.destroy();
  }

  #at(sha256: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: placeOf(sha256) };
  }
}

const isError = (response: unknown): boolean => (response as { statusCode: number }).statusCode >= 300;

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

const base64Of = (sha256: string): string => Buffer.from(sha256, 'hex').toString('base64');

/** Error codes for bytes that do not match their digest. */
const DAMAGED: ReadonlySet<string> = new Set(['BadDigest', 'InvalidDigest', 'XAmzContentChecksumMismatch']);

/** Whether a retry may help: no answer, an overloaded or failed server, or bytes damaged on the way. */
function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status >= 500 || status === 429 || DAMAGED.has((error as Error).name);
}

async function found<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const missing = error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name);
    if (missing) return undefined;
    throw storageAway(error);
  }
}
