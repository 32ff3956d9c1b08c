import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Session } from '../access/access.ts';
import { Budget } from '../database/budget.ts';
import type { Reader } from '../database/reader.ts';
import { AppError } from '../errors.ts';
import type { Listing } from '../listing/listing.ts';
import { languageOf, type Language } from '../messages.ts';
import { Trace } from '../runtime/trace.ts';
import { Caller } from './caller.ts';
import { Deadline } from './deadline.ts';
import { requestTexts } from './messages.ts';
import { nameOf } from './request-id.ts';
import type { Services } from './services.ts';

/** Status for a client that closed the connection before the answer. */
const CLIENT_LEFT = 499;

/** Reason of an abort. Without a reason, Node would create an error with a stack trace for each request. */
const CLOSED = 'closed';

/** Header names as old clients write them. Kept, because a look-up by a new text is slow. */
const UNDERSCORED = new Map<string, string>();

function underscored(name: string): string {
  let found = UNDERSCORED.get(name);
  if (found === undefined) UNDERSCORED.set(name, (found = name.replaceAll('-', '_')));
  return found;
}

/** Length of the columns for addresses: that of the longest IPv6 address. */
const ADDRESS_LENGTH = 45;

/**
 * A GraphQL or REST request: its identifiers, its limits and its caller. Apollo gives resolvers a shallow clone of it.
 * So `#private` members do not work, and state that changes later lives in objects that the clone shares (`bound`,
 * `caller`).
 */
export class Context {
  readonly requestId: string;
  readonly language: Language;
  /** Network address of the caller. A proxy may forward any text instead; columns take its first 45 characters. */
  readonly address: string;
  readonly trace: Trace;
  /** Who sent the request, and what they may do. */
  readonly caller: Caller;
  private readonly headers: IncomingMessage['headers'];
  private readonly bound: {
    budget: Budget;
    deadline?: Deadline;
    closing?: AbortController;
    isClosed?: true;
    log?: Logger;
  };
  /** What each line of its log begins with. */
  private readonly logged: { requestId: string; traceId?: string };

  constructor(
    readonly services: Services,
    request: { headers: IncomingMessage['headers']; ip?: string | undefined },
    /** Trace id of the request's own span, if there is one. */
    ownTraceId?: string,
  ) {
    this.bound = { budget: new Budget(services.listing.limits.request) };
    this.headers = request.headers;
    this.address = (request.ip ?? '').slice(0, ADDRESS_LENGTH);
    const { requestId, traceId } = nameOf(this.header('x-request-id'), this.header('traceparent'));
    this.requestId = requestId;
    this.language = languageOf(this.header('accept-language'));
    this.trace = new Trace(this.requestId);
    this.caller = new Caller(services, this);
    const shown = ownTraceId ?? traceId;
    this.logged = { requestId, ...(shown && { traceId: shown }) };
  }

  /** Created at first use, because most requests log only the line of their end. */
  get log(): Logger {
    return (this.bound.log ??= this.services.log.child(this.logged));
  }

  /** Logs one line when the answer is sent or the client closes the connection. */
  logWhenDone(method: string, res: ServerResponse): void {
    const start = performance.now();
    this.trace.begin();
    res.once('close', () => {
      this.bound.isClosed = true;
      this.bound.closing?.abort(CLOSED);
      this.bound.deadline?.clear();
      this.trace.end();
      const ms = performance.now() - start;
      const { operation, missed, idPessoa, dbMs, counted, failure } = this.trace;
      const { statusCode, writableFinished: finished } = res;
      const worst = finished ? Math.max(statusCode, failure) : CLIENT_LEFT;
      const isStream = String(res.getHeader('content-type')).startsWith('text/event-stream');
      const seconds = isStream ? undefined : ms / 1000;
      this.services.metrics.request({ operation: counted, status: worst, seconds });
      const rounded = { ms: Math.round(ms), dbMs: Math.round(dbMs) };
      const named = { method, operation, path: missed, idPessoa };
      this.services.log.info(
        { ...this.logged, ...named, status: statusCode, finished, ...rounded },
        'request',
      );
    });
  }

  /** Limits what the request may read and return. */
  get budget(): Budget {
    return this.bound.budget;
  }

  /** Before the request runs again: forgets what the first run has read and failed at. */
  restart(): void {
    this.bound.budget = this.budget.anew();
    this.trace.failure = 0;
  }

  /** Time limit of the request. It starts when the first field is about to run. */
  get deadline(): Deadline {
    return (this.bound.deadline ??= new Deadline(this.services.config));
  }

  /** Waits for the work until the time limit. @throws UNAVAILABLE */
  inTime<T>(work: () => Promise<T>): Promise<T> {
    return this.deadline.within(work());
  }

  /**
   * Runs the work when the caller has a free slot among their concurrent requests, or at once if the caller is unknown.
   * It waits for a short time, or until `late` aborts.
   * @throws RATE_LIMITED
   */
  async inTurn<T>(work: () => Promise<T>, late?: AbortSignal): Promise<T> {
    const session = await this.caller.knownSession;
    return session ? this.services.inFlight.run(session.idPessoa, work, late) : work();
  }

  /** Aborts when the answer is sent or the client closes the connection. */
  get closed(): AbortSignal {
    // Created at first use, because it is costly and few requests need one.
    if (!this.bound.closing) {
      this.bound.closing = new AbortController();
      if (this.bound.isClosed) this.bound.closing.abort(CLOSED);
    }
    return this.bound.closing.signal;
  }

  /** Registers a release that runs when the answer is sent or the client closes the connection. */
  untilClosed(release: () => void): void {
    if (this.closed.aborted) release();
    else this.closed.addEventListener('abort', release, { once: true });
  }

  /** A header by name. Old clients write `_` for `-` (contract 6). */
  header(name: string): string | undefined {
    const value = this.headers[name] ?? this.headers[underscored(name)];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The request's `Idempotency-Key`. @throws BAD_REQUEST when it is invalid */
  get idempotencyKey(): string | undefined {
    const key = this.header('idempotency-key');
    if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
      throw new AppError('BAD_REQUEST', { detail: requestTexts.keyUnusable });
    return key;
  }

  /** The caller's live session. @throws UNAUTHENTICATED */
  session(): Promise<Session> {
    return this.caller.session();
  }

  /** Reads for this request. A query may read from a standby. */
  get reader(): Reader {
    return this.caller.reader;
  }

  /** Reads lists for this request, within its budget. */
  get listing(): Listing {
    const { budget, reader } = this;
    return { ...this.services.listing, budget, reader, totals: this.caller.reads.totals };
  }
}
