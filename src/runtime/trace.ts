import { AsyncLocalStorage } from 'node:async_hooks';
import { catalogue, isErrorCode } from '../errors.ts';
import { watchdogState } from './watchdog-state.ts';

/** Name of GraphQL requests with several fields in the metrics, because their combinations are unlimited. */
const SEVERAL = 'graphql (several fields)';

/** Data about a running request for its log line and the metrics. It never contains text from the client. */
export class Trace {
  /** Method and path of the specification. */
  #route: string | undefined;
  /** Queries and mutations that ran. */
  readonly #fields = new Set<string>();
  /** The request's index in the watchdog's memory. */
  #place: number | undefined;
  /** The caller, if known. */
  idPessoa: number | undefined;
  /** Milliseconds of waiting for the database, including connections. Concurrent waits add up. */
  dbMs = 0;
  /** Status of the worst field error of GraphQL, which the HTTP status does not show. */
  failure = 0;
  /** The shape of an unknown path. */
  missed: string | undefined;
  /** Whether the answer contains a secret, such as a token. */
  isSecret = false;

  constructor(readonly requestId: string) {}

  /** Registers the running request with the watchdog. */
  begin(): void {
    this.#place = watchdogState.enter(this.requestId);
  }

  end(): void {
    if (this.#place !== undefined) watchdogState.leave(this.#place);
    this.#place = undefined;
  }

  set route(route: string) {
    this.#route = route;
    this.#noted();
  }

  /** Records that a query or mutation is about to run. */
  runs(field: string): void {
    this.#fields.add(field);
    this.#noted();
  }

  /** The query or mutation that started last. */
  get latest(): string | undefined {
    return [...this.#fields].at(-1);
  }

  /** Records a field error by its code. */
  failed(code: unknown): void {
    this.failure = Math.max(this.failure, catalogue[isErrorCode(code) ? code : 'INTERNAL'].status);
  }

  /** The request's name in the metrics: a route or a field. */
  get counted(): string | undefined {
    const [first, ...others] = this.#fields;
    return this.#route ?? (first && (others.length > 0 ? SEVERAL : `graphql ${first}`));
  }

  get operation(): string | undefined {
    return this.#route ?? ([...this.#fields].join(', ') || undefined);
  }

  #noted(): void {
    if (this.#place !== undefined) watchdogState.note(this.#place, this.requestId, this.operation ?? '');
  }
}

const current = new AsyncLocalStorage<Trace>();

/** Runs the code of a request, so that its database time is added to the trace. */
export const traced = (trace: Trace, run: () => void): void => current.run(trace, run);

/** The trace of the current request, if any. */
export const currentTrace = (): Trace | undefined => current.getStore();

/** Adds the wait for the database to the current request, if any. */
export async function timed<T>(answer: Promise<T>): Promise<T> {
  const trace = current.getStore();
  if (!trace) return answer;
  const start = performance.now();
  try {
    return await answer;
  } finally {
    trace.dbMs += performance.now() - start;
  }
}
