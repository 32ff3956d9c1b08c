import { remember } from '../runtime/remember.ts';
import type { Delivery } from './queue.ts';

/** How long a process takes nothing of a webhook whose secret it cannot decrypt. */
const LEAVE_MS = 60_000;
/** How often a delivery is left to other processes. After that there seems to be none that can send it. */
const MOST_TIMES = 5;

interface Left {
  idWebhook: number;
  /** Number of the attempt for which it was left. */
  tentativas: number;
  times: number;
  /** Moment in the clock of `performance.now()`. */
  at: number;
}

/**
 * Deliveries that this process left to the other processes, because it cannot decrypt the secrets of their webhooks. Another
 * process may have the key, so one that lacks it must not stop the webhook.
 */
export class LeftDeliveries {
  readonly #left = new Map<number, Left>();

  /** @param leaveMs how long nothing of a webhook is taken after a delivery of it was left */
  constructor(private readonly leaveMs = LEAVE_MS) {}

  /** Webhooks of which this process takes nothing now. */
  get webhooks(): ReadonlySet<number> {
    const since = performance.now() - this.leaveMs;
    return new Set([...this.#left.values()].filter(({ at }) => at > since).map(({ idWebhook }) => idWebhook));
  }

  /** Returns whether to leave a delivery; false if it was left often, and no process has tried it meanwhile. */
  leave({ id, idWebhook, tentativas }: Delivery): boolean {
    const before = this.#left.get(id);
    const times = before?.tentativas === tentativas ? before.times + 1 : 1;
    if (times > MOST_TIMES) {
      // The secret may be changed now, so the next delivery is tried at once.
      this.#left.delete(id);
      return false;
    }
    remember(this.#left, id, { idWebhook, tentativas, times, at: performance.now() });
    return true;
  }
}
