import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../request/services.ts';
import { Courier, type DelivererOptions } from './courier.ts';
import { findEvents } from './finder.ts';
import { Lanes } from './lanes.ts';
import { bodiesOf } from './readable.ts';
import { endDelivery, stateOf, takeDeliveries, type Delivery } from './queue.ts';

/** Interval at which to look for due deliveries. */
const LOOK_MS = 1_000;
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
  readonly #inFlight = new Set<Promise<void>>();
  readonly #lanes = new Lanes();
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
    const arrived = Promise.all(this.#inFlight);
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
    for (const [lane, room] of this.#lanes.rooms(this.#courier.leftWebhooks)) {
      const taken = await takeDeliveries(this.services.listing.reader, this.#holder, room);
      if (taken.length === 0) continue;
      const bodies = await bodiesOf(this.services, taken);
      for (const delivery of taken) {
        this.#lanes.begin(delivery, lane);
        const flight = this.#deliver(delivery, bodies.get(delivery)).finally(() => {
          this.#lanes.end(delivery);
          this.#inFlight.delete(flight);
          this.#takeMore();
        });
        this.#inFlight.add(flight);
      }
    }
  }

  /** Never rejects. */
  async #deliver(delivery: Delivery, body: string | null | undefined): Promise<void> {
    const { id, idWebhook } = delivery;
    try {
      if (body === undefined) await this.#courier.withhold(delivery, 'direitos');
      else if (body === null) await endDelivery(this.services.listing.reader, this.#holder, id, 'omitida');
      else {
        const isAccepted = await this.#courier.send(delivery, body);
        if (isAccepted !== undefined) this.#lanes.learn(delivery, isAccepted);
      }
    } catch (error) {
      // A process takes it again when the lease has expired.
      this.services.log.warn(
        { err: error, webhook: idWebhook, delivery: id },
        'webhook delivery not recorded',
      );
    }
  }
}
