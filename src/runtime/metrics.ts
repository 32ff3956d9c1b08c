import { Counter, Histogram, Registry } from 'prom-client';
import { AppError } from '../errors.ts';

/** Upper bounds of the histogram buckets, in seconds. The last ones match the time-outs. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** A finished request. */
export interface CountedRequest {
  /** A known route or GraphQL field; undefined for anything else. Never text from a client. */
  operation: string | undefined;
  status: number;
  /** Undefined for a request that was never meant to end, such as a subscription. */
  seconds: number | undefined;
}

/** The metrics of a process. No label is chosen by a client or contains a secret, and each has few values. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Counter({
    name: 'sii_requests_total',
    help: 'Requests, by operation and status; in GraphQL the status of the worst error. 499: the client left',
    labelNames: ['operation', 'status'],
    registers: [this.registry],
  });
  readonly #durations = new Histogram({
    name: 'sii_request_duration_seconds',
    help: 'Time from the first line of a request to the last byte of its answer',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers: [this.registry],
  });
  readonly #logins = new Counter({
    name: 'sii_logins_total',
    help: 'Logins by outcome: OK, or the code of the error',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly #deliveries = new Counter({
    name: 'sii_webhook_deliveries_total',
    help: 'Tries to deliver an event to a webhook: delivered, refused by an answer, or unanswered',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  delivery(outcome: 'delivered' | 'refused' | 'unanswered'): void {
    this.#deliveries.inc({ outcome });
  }

  request({ operation = 'other', status, seconds }: CountedRequest): void {
    this.#requests.inc({ operation, status });
    if (seconds !== undefined) this.#durations.observe({ operation }, seconds);
  }

  /** Counts the outcome of a login. */
  async login<T>(opening: Promise<T>): Promise<T> {
    const [ended] = await Promise.allSettled([opening]);
    this.#logins.inc({ outcome: ended.status === 'fulfilled' ? 'OK' : codeOf(ended.reason) });
    return opening;
  }
}

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : 'INTERNAL');
