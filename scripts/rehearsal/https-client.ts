import { Agent, request } from 'node:https';
import { demoPassword } from '../../src/demo/login.ts';
import { systemHeaders } from '../../test/support/client.ts';
import type { Door } from '../../test/support/doors.ts';

export interface Answer {
  /** 0 if there was no answer. */
  status: number;
  /** Parsed, if it is JSON. */
  body: unknown;
}

/** Longer than a request waits for the database in the service. */
const TIMEOUT_MS = 10_000;

/** A client of the service through nginx. */
export class HttpsClient {
  readonly #agent: Agent;
  /** How many answers had each status. */
  readonly statuses = new Map<number, number>();

  constructor(private readonly door: Door) {
    this.#agent = new Agent({ keepAlive: true, ca: door.ca });
  }

  async send(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
    const answer = await this.#send(method, path, headers, body).catch(() => ({
      status: 0,
      body: undefined,
    }));
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    return answer;
  }

  /** Logs in as a person of the demo. */
  logIn(username: string): Promise<Answer> {
    return this.send('POST', '/auth/login', systemHeaders, { username, password: demoPassword(username) });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const written = {
      ...headers,
      ...(text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(this.door.url + path, {
        method,
        headers: written,
        agent: this.#agent,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      sent.once('error', reject);
      sent.once('response', answer => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', reject);
        answer.once('end', () => {
          const isJson = /json/.test(answer.headers['content-type'] ?? '');
          const received = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode!, body: isJson ? JSON.parse(received) : received });
        });
      });
      sent.end(text);
    });
  }
}
