import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../request/services.ts';
import { Courier, type Surroundings } from './courier.ts';
import { findEvents } from './finder.ts';
import { bodiesOf } from './readable.ts';
import { endDelivery, stateOf, takeDeliveries, type Delivery } from './queue.ts';

/** How often to look for deliveries whose time has come. */
const LOOK_MS = 1_000;
/** Deliveries at a time, of this process and of one webhook. */
const MOST = 16;
const MOST_OF_ONE = 4;
/** Pause after a failure of the database. */
const AFTER_FAILURE_MS = 5_000;
/** How long deliveries that are on their way may take when the process ends. */
const DRAIN_MS = 3_000;

/**
 * Sends what happens to webhooks. Every process does so, each with deliveries that it has for itself for a time. A
 * delivery is sent at least once, and the events of one record in their order.
 */
export class WebhookDeliverer {
  /** Name under which this process takes deliveries. */
  readonly #holder = randomUUID();
  readonly #courier: Courier;
  readonly #flying = new Map<Delivery, Promise<void>>();
  /** Deliveries at a time of webhooks that have failed: half as many after each failure, one more after each success. */
  readonly #careful = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  /** Ends listening for changes. */
  #deaf: (() => void) | undefined;
  #turn: Promise<void> | undefined;
  #isWanted = false;
  #mayHaveEvents = false;
  #isEnding = false;
  #notBefore = 0;

  constructor(
    private readonly services: Services,
    private readonly surroundings: Surroundings = {},
  ) {
    this.#courier = new Courier(services, this.#holder, surroundings);
  }

  start(): void {
    this.#timer = setInterval(this.wake, LOOK_MS);
    this.wake();
  }

  /** Lets deliveries on their way arrive, for a short time, and gives the others back to other processes. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#timer);
    await this.#turn;
    this.#listen(false);
    const arrived = Promise.all(this.#flying.values());
    await Promise.race([arrived, sleep(this.surroundings.drainMs ?? DRAIN_MS, undefined, { ref: false })]);
    this.#courier.breakOff();
    await arrived;
  }

  /** Looks for events and deliveries now. */
  readonly wake = (): void => {
    this.#mayHaveEvents = true;
    this.#takeMore();
  };

  #takeMore(): void {
    this.#isWanted = true;
    this.#turn ??= this.#turns();
  }

  /** Never rejects. */
  async #turns(): Promise<void> {
    while (this.#isWanted && !this.#isEnding && performance.now() >= this.#notBefore) {
      this.#isWanted = false;
      try {
        const { reader } = this.services.listing;
        const { isWritable, areThere } = await stateOf(reader);
        this.#listen(areThere);
        if (!isWritable) break;
        if (areThere) await this.#find();
        await this.#take();
      } catch (error) {
        this.#notBefore = performance.now() + AFTER_FAILURE_MS;
        this.services.log.warn({ err: error }, 'webhooks');
      }
    }
    this.#turn = undefined;
  }

  /** While nobody listens for changes, writes need not be numbered at once. */
  #listen(areThere: boolean): void {
    if (areThere) this.#deaf ??= this.services.changes.signal.on(this.wake);
    else {
      this.#deaf?.();
      this.#deaf = undefined;
    }
  }

  /** Makes deliveries of what has happened. */
  async #find(): Promise<void> {
    if (!this.#mayHaveEvents) return;
    this.#mayHaveEvents = false;
    const { orm, log } = this.services;
    const { more, lost, refused } = await orm.em.fork().transactional(em => findEvents(em, this.services));
    for (const webhook of lost) log.warn({ webhook }, 'webhook lost its place in the feed');
    await Promise.all(refused.map(webhook => this.#courier.pause(webhook, 'direitos')));
    if (more) {
      this.#mayHaveEvents = true;
      this.#isWanted = true;
    }
  }

  async #take(): Promise<void> {
    const all = MOST - this.#flying.size;
    if (all <= 0) return;
    const room = { all, each: MOST_OF_ONE, less: this.#lessRoom() };
    const taken = await takeDeliveries(this.services.listing.reader, this.#holder, room);
    if (taken.length === 0) return;
    const bodies = await bodiesOf(this.services, taken);
    for (const delivery of taken) {
      const flight = this.#deliver(delivery, bodies.get(delivery)).finally(() => {
        this.#flying.delete(delivery);
        this.#takeMore();
      });
      this.#flying.set(delivery, flight);
    }
  }

  #lessRoom(): Map<number, number> {
    const less = new Map(this.#careful);
    for (const { idWebhook } of this.#flying.keys())
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
      // Another process takes it when the lease has ended.
      this.services.log.warn({ err: error, webhook: idWebhook, delivery: id }, 'webhooks');
    }
  }

  #learn(idWebhook: number, isAccepted: boolean | undefined): void {
    if (isAccepted === undefined) return;
    const before = this.#careful.get(idWebhook) ?? MOST_OF_ONE;
    const room = isAccepted ? before + 1 : Math.max(1, Math.floor(before / 2));
    if (room > MOST_OF_ONE) this.#careful.delete(idWebhook);
    else this.#careful.set(idWebhook, room);
  }
}
