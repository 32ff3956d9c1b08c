import { lookup } from 'node:dns';
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { Networks, NotReached, type Resolve } from './networks.ts';

/** Longest time for a whole exchange: connecting, sending, and reading the beginning of the answer. */
const EXCHANGE_MS = 10_000;
/** Most bytes of an answer that are read. Then the connection is closed. */
const READ_BYTES = 4_096;
/** Most idle connections to one receiver. */
const KEPT = 2;

/** What a receiver answered. */
export interface Answer {
  status: number;
  /** The beginning of its body. */
  text: string;
}

const agentOptions = { keepAlive: true, maxFreeSockets: KEPT, timeout: EXCHANGE_MS };

/** Sends deliveries. It follows no redirects, and connects only to addresses that `Networks` permits. */
export class Sender {
  readonly #plain = new HttpAgent(agentOptions);
  readonly #encrypted = new HttpsAgent(agentOptions);

  constructor(
    private readonly networks: Networks,
    private readonly resolve: Resolve = lookup,
    private readonly exchangeMs = EXCHANGE_MS,
  ) {}

  /**
   * Posts a body and reads the beginning of the answer.
   * @throws NotReached; an AbortError when it is stopped or takes too long; and errors of sockets, names and TLS
   */
  async post(
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    stop: AbortSignal,
  ): Promise<Answer> {
    const url = new URL(address);
    const isEncrypted = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    // `lookup` is not called for a literal address.
    if (isIP(host) !== 0 && !this.networks.admit(host, isEncrypted)) throw new NotReached();
    const asked = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: this.networks.lookup(isEncrypted, this.resolve),
      signal: AbortSignal.any([stop, AbortSignal.timeout(this.exchangeMs)]),
    };
    const answered = Promise.withResolvers<IncomingMessage>();
    const request = isEncrypted
      ? requestHttps(url, { ...asked, agent: this.#encrypted })
      : requestHttp(url, { ...asked, agent: this.#plain });
    request.on('error', answered.reject).once('response', answered.resolve).end(body);
    try {
      const response = await answered.promise;
      return { status: response.statusCode!, text: await beginningOf(response) };
    } catch (error) {
      // The receiver closed an idle connection while the request was on its way.
      const isStale = request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (isStale) return this.post(address, headers, body, stop);
      throw error;
    }
  }

  /** Closes all connections. */
  close(): void {
    this.#plain.destroy();
    this.#encrypted.destroy();
  }
}

/** The beginning of a body. Only the status decides the outcome, so an incomplete body counts, too. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= READ_BYTES) break;
    }
  } catch {
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, READ_BYTES).toString('utf8');
}
