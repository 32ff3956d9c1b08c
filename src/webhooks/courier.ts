import type { PauseReason } from '../entities/institucional/webhook.ts';
import type { Services } from '../request/services.ts';
import { LeftDeliveries } from './left-deliveries.ts';
import type { Resolve } from './names.ts';
import { Networks, NotReached } from './networks.ts';
import { TEST_EVENT } from '../entities/institucional/own-events.ts';
import { pauseAfter } from './pauses.ts';
import {
  endDelivery,
  pauseFor,
  releaseDelivery,
  retryDelivery,
  attemptOf,
  type Delivery,
  type DeliveryAttempt,
} from './queue.ts';
import { Sender } from './sender.ts';
import { SecretKeeper, signedHeaders } from './signing.ts';

/** Status with which a receiver says that it wants no more events. */
const GONE = 410;

/** Limits and look-ups that tests replace. */
export interface DelivererOptions {
  /** Resolves host names; by default as the system does. */
  resolve?: Resolve;
  /** Longest time for an exchange with a receiver. */
  exchangeMs?: number;
  /** How long deliveries in flight may continue when the process ends. */
  drainMs?: number;
  /** Pause after a database failure. */
  afterFailureMs?: number;
  /** How long the process takes nothing of a webhook whose secret it cannot decrypt. */
  leaveMs?: number;
}

/** Sends the deliveries of one process, and stores the outcome of each. */
export class Courier {
  readonly #sender: Sender;
  readonly #keeper: SecretKeeper | undefined;
  readonly #left: LeftDeliveries;
  readonly #breakingOff = new AbortController();

  /** @param holder name of the process in the leases of deliveries */
  constructor(
    private readonly services: Services,
    private readonly holder: string,
    { resolve, exchangeMs, leaveMs }: DelivererOptions,
  ) {
    const { config } = services;
    this.#sender = new Sender(new Networks(config.WEBHOOK_ALLOW), resolve, exchangeMs);
    this.#keeper = SecretKeeper.of(config);
    this.#left = new LeftDeliveries(leaveMs);
  }

  /** Webhooks that are left to other processes now. */
  get leftWebhooks(): ReadonlySet<number> {
    return this.#left.webhooks;
  }

  /** Sends one delivery. Returns whether it was accepted; undefined if it was not sent. */
  async send(delivery: Delivery, body: string): Promise<boolean | undefined> {
    const { id, url, mensagem, tentadaEm } = delivery;
    const secrets = this.#secretsOf(delivery);
    if (!secrets) {
      await this.#leave(delivery);
      return undefined;
    }
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'institutional-information-service',
      ...signedHeaders({ id: `msg_${mensagem}`, now: tentadaEm }, body, secrets),
    };
    const { signal } = this.#breakingOff;
    const tried = await this.#sender.post(url, headers, body, signal).then(attemptOf, failureOf);
    if (tried.status === undefined && signal.aborted) {
      await releaseDelivery(this.#reader, this.holder, id);
      return undefined;
    }
    const isAccepted = tried.status !== undefined && tried.status >= 200 && tried.status < 300;
    const refusal = tried.status === undefined ? 'unanswered' : 'refused';
    this.services.metrics.delivery(isAccepted ? 'delivered' : refusal);
    if (isAccepted) await endDelivery(this.#reader, this.holder, id, 'entregue', tried);
    else await this.#failed(delivery, tried);
    return isAccepted;
  }

  /** Pauses the webhook of a delivery that may not be sent. The delivery waits, unless it is a test. */
  async withhold({ id, idWebhook, evento }: Delivery, reason: PauseReason): Promise<undefined> {
    await this.pause(idWebhook, reason);
    const erro = `the webhook is paused: ${reason}`;
    if (evento === TEST_EVENT) await endDelivery(this.#reader, this.holder, id, 'falhou', { erro });
    else await releaseDelivery(this.#reader, this.holder, id);
  }

  async pause(idWebhook: number, reason: PauseReason): Promise<void> {
    if (await pauseFor(this.#reader, idWebhook, reason))
      this.services.log.warn({ webhook: idWebhook, reason }, 'webhook paused');
  }

  /** Aborts deliveries in flight and releases them. Another process sends them again. */
  abort(): void {
    this.#breakingOff.abort();
    this.#sender.close();
  }

  get #reader() {
    return this.services.listing.reader;
  }

  /** Leaves a delivery to processes that can decrypt its secret. If there seems to be none, the webhook is paused. */
  async #leave(delivery: Delivery): Promise<void> {
    const { id, idWebhook } = delivery;
    const isKnown = this.#left.webhooks.has(idWebhook);
    if (!this.#left.leave(delivery)) {
      await this.withhold(delivery, 'segredo');
      return;
    }
    if (!isKnown)
      this.services.log.warn(
        { webhook: idWebhook },
        'webhook left to other processes: the WEBHOOK_KEY of this one does not decrypt its secret',
      );
    await releaseDelivery(this.#reader, this.holder, id);
  }

  async #failed({ id, idWebhook, evento, tentativas }: Delivery, tried: DeliveryAttempt): Promise<void> {
    if (evento === TEST_EVENT) {
      await endDelivery(this.#reader, this.holder, id, 'falhou', tried);
      return;
    }
    const seconds = pauseAfter(tentativas);
    if (tried.status === GONE) await this.pause(idWebhook, 'cancelamento');
    else if (seconds === undefined) await this.pause(idWebhook, 'falhas');
    await retryDelivery(this.#reader, this.holder, id, seconds ?? 0, tried);
  }

  /** The secrets that sign; undefined if the current one cannot be decrypted. */
  #secretsOf({ idWebhook, segredos }: Delivery): string[] | undefined {
    const [current, before] = segredos.map(sealed => this.#keeper?.open(idWebhook, sealed));
    return current === undefined ? undefined : before === undefined ? [current] : [current, before];
  }
}

/** The reason why there was no answer. It does not reveal the internal addresses of a host name. */
function failureOf(error: unknown): DeliveryAttempt {
  if (error instanceof NotReached) return { erro: 'the name leads to no address that may be reached' };
  const { name, code, message } = error as NodeJS.ErrnoException;
  const erro = name === 'AbortError' || name === 'TimeoutError' ? 'no answer in time' : (code ?? message);
  return { erro: erro.slice(0, 300) };
}
