import { AsyncLocalStorage } from 'node:async_hooks';
import { catalogue, isErrorCode } from '../errors.ts';
import { watchdogState } from './watchdog-state.ts';

/** What a GraphQL request is counted as that runs more than one field: there is no end to their combinations. */
const SEVERAL = 'graphql (several fields)';

/** What is gathered about a request while it runs, for its line in the log and for the metrics. It never holds what a client sent. */
export class Trace {
  /** Verb and path of the specification. */
  #route: string | undefined;
  /** Queries and mutations that ran. */
  readonly #fields = new Set<string>();
  /** Where the watchdog is told of the request. */
  #place: number | undefined;
  /** Who called, when that is known. */
  idPessoa: number | undefined;
  /** Milliseconds for which the database was waited for, a connection to it included; waits at the same time add up. */
  dbMs = 0;
  /** Status of the worst error of a GraphQL field, which the HTTP status does not tell. */
  failure = 0;

  constructor(private readonly requestId: string) {}

  /** The request is in work, which the watchdog shall know. */
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

  /** Notes a query or mutation that is to run. */
  runs(field: string): void {
    this.#fields.add(field);
    this.#noted();
  }

  /** The query or mutation that began last. */
  get latest(): string | undefined {
    return [...this.#fields].at(-1);
  }

  /** Notes an error of a field, by its code. */
  failed(code: unknown): void {
    this.failure = Math.max(this.failure, catalogue[isErrorCode(code) ? code : 'INTERNAL'].status);
  }

  /** What the request is counted as: one of as many names as there are routes and fields. */
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

/** Runs what a request does, so that what it waits for the database counts as its own. */
export const traced = (trace: Trace, run: () => void): void => current.run(trace, run);

/** Counts the time until the database has answered as the request's that waits for it, if there is one. */
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
