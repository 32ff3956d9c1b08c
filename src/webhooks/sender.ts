import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { systemNames, type Resolve } from './names.ts';
import { Networks, NotReached } from './networks.ts';

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

interface Sent {
  headers: Readonly<Record<string, string | number>>;
  body: string;
}

const agentOptions = { keepAlive: true, maxFreeSockets: KEPT, timeout: EXCHANGE_MS };

/** Sends deliveries. It follows no redirects, and connects only to addresses that `Networks` permits. */
export class Sender {
  readonly #plain = new HttpAgent(agentOptions);
  readonly #encrypted = new HttpsAgent(agentOptions);

  constructor(
    private readonly networks: Networks,
    private readonly resolve: Resolve = systemNames,
    private readonly exchangeMs = EXCHANGE_MS,
  ) {}

  /**
   * Posts a body and reads the beginning of the answer.
   * @throws NotReached; an AbortError or a TimeoutError when it is stopped or takes too long; and errors of sockets,
   *   names and TLS
   */
  post(
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    stop: AbortSignal,
  ): Promise<Answer> {
    const sent = { headers: { ...headers, 'content-length': Buffer.byteLength(body) }, body };
    return this.#exchange(
      new URL(address),
      sent,
      AbortSignal.any([stop, AbortSignal.timeout(this.exchangeMs)]),
    );
  }

  async #exchange(url: URL, sent: Sent, end: AbortSignal): Promise<Answer> {
    const isEncrypted = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    // `lookup` is not called for a literal address.
    if (isIP(host) !== 0 && !this.networks.admit(host, isEncrypted)) throw new NotReached();
    const asked = {
      method: 'POST',
      headers: sent.headers,
      lookup: this.networks.lookup(isEncrypted, name => this.resolve(name, end)),
      signal: end,
    };
    end.throwIfAborted();
    const answered = Promise.withResolvers<IncomingMessage>();
    const request = isEncrypted
      ? requestHttps(url, { ...asked, agent: this.#encrypted })
      : requestHttp(url, { ...asked, agent: this.#plain });
    request
      .on('error', answered.reject)
      .once('response', answered.resolve)
      // Only the status of 101 is of interest. Without this listener Node.js reports nothing at all.
      .once('upgrade', (response, socket) => {
        socket.destroy();
        answered.resolve(response);
      })
      .end(sent.body);
    // A request may end without an event of its own, so the limit does not rely on one.
    end.addEventListener('abort', () => answered.reject(end.reason), { once: true });
    try {
      const response = await answered.promise;
      return { status: response.statusCode!, text: await beginningOf(response) };
    } catch (error) {
      // The receiver closed an idle connection while the request was on its way.
      const isStale = request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (isStale) return this.#exchange(url, sent, end);
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
