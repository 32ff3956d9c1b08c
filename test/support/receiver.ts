import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect } from 'vitest';
import type { TestService } from './service.ts';

/** A message that a receiver got. */
export interface Message {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of webhooks on a real server, which answers each path as a test wants it to. */
export class Receiver {
  port = 0;
  readonly #messages: Message[] = [];
  readonly #answers = new Map<string, (res: ServerResponse, message: Message) => void>();

  /** The address of a path of its own. */
  at(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  /** How the path answers from now on; 204 until then. */
  answers(path: string, answer: (res: ServerResponse, message: Message) => void): void {
    this.#answers.set(path, answer);
  }

  /** What the path got, in its order. */
  got(path: string): Message[] {
    return this.#messages.filter(message => message.path === path);
  }

  async take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = (await buffer(req)).toString();
    const message = { path: req.url!, headers: req.headers, body };
    this.#messages.push(message);
    const answer = this.#answers.get(message.path) ?? (other => other.writeHead(204).end());
    answer(res, message);
  }
}

export function useReceiver(): Receiver {
  const receiver = new Receiver();
  const server = createServer((req, res) => {
    receiver.take(req, res).catch(() => res.destroy());
  });
  beforeAll(async () => {
    // All addresses of the loopback network are this machine.
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    receiver.port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}

/** The event of a message, as who has the secret reads it. @throws Error for a wrong signature */
export const verified = (secret: string, { headers, body }: Message): any =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

/** A webhook of the administrator, to an address where nobody is. */
export async function makeWebhook(service: TestService): Promise<void> {
  const eventos = ['lote.criado', 'lote.alterado'];
  const body = { url: 'https://painel.universidade.example/eventos', eventos };
  expect((await (await service.as('admin')).post('/institucional/webhooks', body)).status).toBe(201);
}
