import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../request/services.ts';
import { Courier, type DelivererOptions } from './courier.ts';
import { findEvents } from './finder.ts';
import { bodiesOf } from './readable.ts';
import { endDelivery, stateOf, takeDeliveries, type Delivery } from './queue.ts';

/** Interval at which to look for due deliveries. */
const LOOK_MS = 1_000;
/** Most deliveries in flight, of this process and of one webhook. */
const MOST = 16;
const MOST_OF_ONE = 4;
/** Pause after a database failure. */
const AFTER_FAILURE_MS = 5_000;
/** How long deliveries in flight may continue when the process ends. */
const DRAIN_MS = 3_000;

/**
 * Sends events to webhooks. Every process sends the deliveries that it has leased. A delivery is sent at least once,
 * and the events of one record in their order.
 */
export class WebhookDeliverer {
  /** Name of this process in the leases of deliveries. */
  readonly #holder = randomUUID();
  readonly #courier: Courier;
  readonly #inFlight = new Map<Delivery, Promise<void>>();
  /**
   * Lower limits of deliveries in flight, for webhooks that have failed: halved after each failure, one more after each
   * success.
   */
  readonly #lowered = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  /** Ends listening for changes. */
  #stopListening: (() => void) | undefined;
  #turn: Promise<void> | undefined;
  #isWanted = false;
  #mayHaveEvents = false;
  #isEnding = false;
  #notBefore = 0;

  constructor(
    private readonly services: Services,
    private readonly options: DelivererOptions = {},
  ) {
    this.#courier = new Courier(services, this.#holder, options);
  }

  start(): void {
    this.#timer = setInterval(this.wake, LOOK_MS);
    this.wake();
  }

  /** Waits a short time for deliveries in flight, then releases the rest to other processes. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#timer);
    await this.#turn;
    this.#listen(false);
    const arrived = Promise.all(this.#inFlight.values());
    await Promise.race([arrived, sleep(this.options.drainMs ?? DRAIN_MS, undefined, { ref: false })]);
    this.#courier.abort();
    await arrived;
  }

  /** Looks for events and deliveries now. */
  readonly wake = (): void => {
    this.#mayHaveEvents = true;
    this.#takeMore();
  };

  #takeMore(): void {
    this.#isWanted = true;
    // A run that returned at once would finish before it is stored here, and no other run could follow it.
    if (this.#hasTurn) this.#turn ??= this.#turns();
  }

  get #hasTurn(): boolean {
    return this.#isWanted && !this.#isEnding && performance.now() >= this.#notBefore;
  }

  /** Never rejects. */
  async #turns(): Promise<void> {
    while (this.#hasTurn) {
      this.#isWanted = false;
      try {
        const { reader } = this.services.listing;
        const { isWritable, areThere } = await stateOf(reader);
        this.#listen(areThere);
        if (!isWritable) break;
        if (areThere) await this.#find();
        await this.#take();
      } catch (error) {
        this.#notBefore = performance.now() + (this.options.afterFailureMs ?? AFTER_FAILURE_MS);
        this.services.log.warn({ err: error }, 'webhook deliveries interrupted');
      }
    }
    this.#turn = undefined;
  }

  /** Listens only while there are webhooks: without listeners, writes are not numbered at once. */
  #listen(areThere: boolean): void {
    if (areThere) this.#stopListening ??= this.services.changes.signal.on(this.wake);
    else {
      this.#stopListening?.();
      this.#stopListening = undefined;
    }
  }

  /** Creates deliveries of new events. */
  async #find(): Promise<void> {
    if (!this.#mayHaveEvents) return;
    this.#mayHaveEvents = false;
    const { orm, log } = this.services;
    const { more, lost, refused } = await orm.em.fork().transactional(em => findEvents(em, this.services));
    for (const webhook of lost) log.warn({ webhook }, 'webhook lost its position in the feed');
    await Promise.all(refused.map(webhook => this.#courier.pause(webhook, 'direitos')));
    if (more) {
      this.#mayHaveEvents = true;
      this.#isWanted = true;
    }
  }

  async #take(): Promise<void> {
    const all = MOST - this.#inFlight.size;
    if (all <= 0) return;
    const room = { all, each: MOST_OF_ONE, less: this.#lessRoom() };
    const taken = await takeDeliveries(this.services.listing.reader, this.#holder, room);
    if (taken.length === 0) return;
    const bodies = await bodiesOf(this.services, taken);
    for (const delivery of taken) {
      const flight = this.#deliver(delivery, bodies.get(delivery)).finally(() => {
        this.#inFlight.delete(delivery);
        this.#takeMore();
      });
      this.#inFlight.set(delivery, flight);
    }
  }

  #lessRoom(): Map<number, number> {
    const less = new Map(this.#lowered);
    for (const { idWebhook } of this.#inFlight.keys())
      less.set(idWebhook, Math.max(0, (less.get(idWebhook) ?? MOST_OF_ONE) - 1));
    return less;
  }

  /** Never rejects. */
  async #deliver(delivery: Delivery, body: string | null | undefined): Promise<void> {
    const { id, idWebhook } = delivery;
    try {
      if (body === undefined) await this.#courier.withhold(delivery, 'direitos');
      else if (body === null) await endDelivery(this.services.listing.reader, this.#holder, id, 'omitida');
      else this.#learn(idWebhook, await this.#courier.send(delivery, body));
    } catch (error) {
      // A process takes it again when the lease has expired.
      this.services.log.warn(
        { err: error, webhook: idWebhook, delivery: id },
        'webhook delivery not recorded',
      );
    }
  }

  #learn(idWebhook: number, isAccepted: boolean | undefined): void {
    if (isAccepted === undefined) return;
    const before = this.#lowered.get(idWebhook) ?? MOST_OF_ONE;
    const room = isAccepted ? before + 1 : Math.max(1, Math.floor(before / 2));
    if (room > MOST_OF_ONE) this.#lowered.delete(idWebhook);
    else this.#lowered.set(idWebhook, room);
  }
}
