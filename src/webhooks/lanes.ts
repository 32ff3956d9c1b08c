import type { Delivery, Room } from './queue.ts';

/** Most deliveries of one webhook in flight. */
const MOST_OF_ONE = 4;
/** Most deliveries of one lane that were begun within `QUICK_MS`. They are what costs time of the process. */
const AT_ONCE = 16;
const QUICK_MS = 1_000;
/** Most deliveries of one lane in flight. A receiver that does not answer costs only a connection. */
const MOST = 128;

/** `sound`: webhooks that have accepted what they were sent last. `failing`: all others. */
type Lane = 'sound' | 'failing';

interface Flight {
  lane: Lane;
  begunAt: number;
}

/**
 * Divides the deliveries in flight between the webhooks of a process. Webhooks that fail have a lane of their own, so
 * however many of them there are, they take no place of the others.
 */
export class Lanes {
  readonly #inFlight = new Map<Delivery, Flight>();
  /**
   * Lower limits of deliveries in flight, for webhooks that have failed: halved after each failure, one more after each
   * success.
   */
  readonly #lowered = new Map<number, number>();

  begin(delivery: Delivery, lane: Lane): void {
    this.#inFlight.set(delivery, { lane, begunAt: performance.now() });
  }

  end(delivery: Delivery): void {
    this.#inFlight.delete(delivery);
  }

  learn({ idWebhook }: Delivery, isAccepted: boolean): void {
    const before = this.#lowered.get(idWebhook) ?? MOST_OF_ONE;
    const limit = isAccepted ? before + 1 : Math.max(1, Math.floor(before / 2));
    if (limit > MOST_OF_ONE) this.#lowered.delete(idWebhook);
    else this.#lowered.set(idWebhook, limit);
  }

  /**
   * The room for further deliveries, of each lane that has any.
   * @param closed webhooks without room
   */
  rooms(closed: ReadonlySet<number>): [Lane, Room][] {
    const failing = new Map(this.#lowered);
    const sound = new Map([...failing.keys()].map(idWebhook => [idWebhook, 0]));
    for (const { idWebhook } of this.#inFlight.keys()) {
      const own = failing.has(idWebhook) ? failing : sound;
      own.set(idWebhook, Math.max(0, (own.get(idWebhook) ?? MOST_OF_ONE) - 1));
    }
    for (const idWebhook of closed) {
      sound.set(idWebhook, 0);
      failing.delete(idWebhook);
    }
    const rooms: [Lane, Room][] = [
      ['sound', { all: this.#left('sound'), each: MOST_OF_ONE, own: sound }],
      ['failing', { all: failing.size > 0 ? this.#left('failing') : 0, each: 0, own: failing }],
    ];
    return rooms.filter(([, { all }]) => all > 0);
  }

  #left(lane: Lane): number {
    const flights = [...this.#inFlight.values()].filter(flight => flight.lane === lane);
    const since = performance.now() - QUICK_MS;
    const begun = flights.filter(({ begunAt }) => begunAt > since).length;
    return Math.max(0, Math.min(AT_ONCE - begun, MOST - flights.length));
  }
}
