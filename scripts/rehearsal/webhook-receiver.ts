import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** Probabilities at the first try of a message: it is refused, its connection is dropped, it gets no answer. */
const REFUSED = 0.03;
const DROPPED = 0.02;
const SILENT = 0.003;

/** A webhook receiver that fails at random. It fails a message at most once, because each further try comes much later. */
export class WebhookReceiver {
  /** Ids of the changes that it accepted, in the order of their first arrival. */
  readonly ids: string[] = [];
  /** How many messages it failed, and how many came again after it had accepted them. */
  failed = 0;
  repeated = 0;
  /** What contradicts the promises of webhooks. */
  readonly problems: string[] = [];
  readonly #accepted = new Set<string>();
  readonly #failedOnce = new Set<string>();
  #isPatient = false;
  #webhook!: Webhook;
  readonly #server = createServer((req, res) => {
    this.#take(req, res).catch(error => {
      this.problems.push(String(error));
      res.destroy();
    });
  });

  /** @returns its address */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Sets the secret with which messages are signed. */
  trust(secret: string): void {
    this.#webhook = new Webhook(secret);
  }

  /** From now on it accepts everything. */
  becomePatient(): void {
    this.#isPatient = true;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = (await buffer(req)).toString();
    const message = String(req.headers['webhook-id']);
    const event = this.#webhook.verify(body, req.headers as Record<string, string>) as {
      data: { id: string };
    };
    if (!this.#accepted.has(message) && !this.#failedOnce.has(message) && this.#fails(res)) {
      this.#failedOnce.add(message);
      this.failed++;
      return;
    }
    res.writeHead(204).end();
    if (this.#accepted.has(message)) this.repeated++;
    else this.ids.push(event.data.id);
    this.#accepted.add(message);
  }

  #fails(res: ServerResponse): boolean {
    const luck = this.#isPatient ? 1 : Math.random();
    if (luck < REFUSED) res.writeHead(500).end();
    else if (luck < REFUSED + DROPPED) res.destroy();
    else if (luck >= REFUSED + DROPPED + SILENT) return false;
    return true;
  }
}
