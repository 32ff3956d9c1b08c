import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Access, Session } from '../access/access.ts';
import { findSigningSystem, findSystem, type CallingSystem } from '../access/calling-system.ts';
import { mayAct } from '../access/session.ts';
import type { PresumedSession } from '../access/presumed-session.ts';
import type { SessionReads } from '../access/session-reads.ts';
import type { SignedPath } from '../access/signature.ts';
import { type Services } from './services.ts';
import { managesAllOf } from '../access/grants.ts';
import { Deadline } from './deadline.ts';
import { nameOf } from './request-id.ts';
import { AppError } from '../errors.ts';
import { Budget } from '../database/budget.ts';
import { inLane } from '../database/read-lane.ts';
import type { CursorPlace, Reader } from '../database/reader.ts';
import type { Listing } from '../listing/read.ts';
import { Trace } from '../runtime/trace.ts';
import { languageOf, messages, type Language } from '../messages.ts';
import { requestTexts } from './messages.ts';

/** Status for a client that closed the connection before the answer. */
const CLIENT_LEFT = 499;

/** Reason of an abort. Without one, Node would make an error with its stack for each request. */
const CLOSED = 'closed';

/** What is known of a request, of GraphQL or REST, when it begins. Its session and its system are looked up once. */
export class Context {
  readonly requestId: string;
  readonly language: Language;
  readonly log: Logger;
  /** Network address of the caller. */
  readonly address: string;
  readonly trace: Trace;
  /** Limits what the request may read and return. */
  readonly budget: Budget;
  // Apollo clones its context, and #private members do not survive that.
  private readonly headers: IncomingMessage['headers'];
  private foundSession: Promise<Session | null> | undefined;
  private presumed: PresumedSession | undefined;
  private isReading = false;
  private reads: SessionReads | undefined;
  private foundSystem: Promise<CallingSystem | null> | undefined;
  private signed: SignedPath | undefined;
  // An object, because Apollo's clone shares it. Other properties set on the clone are not visible here.
  private readonly bound: { deadline?: Deadline; closing?: AbortController; isClosed?: true } = {};

  constructor(
    readonly services: Services,
    request: { headers: IncomingMessage['headers']; ip?: string | undefined },
    /** Trace of its span, if there is one. */
    ownTraceId?: string,
  ) {
    this.budget = new Budget(services.listing.limits.request);
    this.headers = request.headers;
    this.address = request.ip ?? '';
    const { requestId, traceId } = nameOf(this.header('x-request-id'), this.header('traceparent'));
    this.requestId = requestId;
    this.language = languageOf(this.header('accept-language'));
    this.trace = new Trace(this.requestId);
    const shown = ownTraceId ?? traceId;
    this.log = services.log.child({ requestId, ...(shown && { traceId: shown }) });
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
      this.services.metrics.request({ operation: counted, status: worst, seconds: ms / 1000 });
      const rounded = { ms: Math.round(ms), dbMs: Math.round(dbMs) };
      const named = { method, operation, path: missed, idPessoa };
      this.log.info({ ...named, status: statusCode, finished, ...rounded }, 'request');
    });
  }

  /** Time limit of the request. It starts when the first field is about to run. */
  get deadline(): Deadline {
    return (this.bound.deadline ??= new Deadline(this.services.config));
  }

  /** The result of the work within the time limit. @throws UNAVAILABLE */
  inTime<T>(work: () => Promise<T>): Promise<T> {
    return this.deadline.within(work());
  }

  /**
   * The result of the work, in its turn among the caller's concurrent requests; at once while the caller is unknown.
   * It waits for a short time, or until `late` aborts.
   * @throws RATE_LIMITED
   */
  async inTurn<T>(work: () => Promise<T>, late?: AbortSignal): Promise<T> {
    const session = await this.foundSession;
    return session ? this.services.inFlight.run(session.idPessoa, work, late) : work();
  }

  /** Aborts when the answer is sent or the client closes the connection. */
  get closed(): AbortSignal {
    // It is costly, and few requests need one.
    if (!this.bound.closing) {
      this.bound.closing = new AbortController();
      if (this.bound.isClosed) this.bound.closing.abort(CLOSED);
    }
    return this.bound.closing.signal;
  }

  /** Registers a release that runs when the answer is sent or the client closes the connection. */
  untilClosed(giveBack: () => void): void {
    if (this.closed.aborted) giveBack();
    else this.closed.addEventListener('abort', giveBack, { once: true });
  }

  /** A header by name. Old clients write `_` for `-` (contract 6). */
  header(name: string): string | undefined {
    const value = this.headers[name] ?? this.headers[name.replaceAll('-', '_')];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The request's `Idempotency-Key`. @throws BAD_REQUEST when it is invalid */
  get idempotencyKey(): string | undefined {
    const key = this.header('idempotency-key');
    if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
      throw new AppError('BAD_REQUEST', { detail: requestTexts.keyUnusable });
    return key;
  }

  /** @throws UNAUTHENTICATED or FORBIDDEN when the caller lacks the required permission */
  async authorize(access: Access): Promise<void> {
    if (access.apiKey) await this.system();
    if (access.kind === 'public') return;
    if (this.presumed && !hasLevel(access, this.presumed.session)) await this.confirm(this.presumed);
    requireLevel(access, await this.session());
  }

  /**
   * Lets a read begin with the session as this process knows it. Until it is confirmed, nothing may be answered. From
   * then on a standby may be read from. Mutations do not presume.
   */
  presume(): void {
    this.isReading = true;
    const token = this.header('token');
    if (this.foundSession || this.signed || !token) return;
    this.presumed = this.services.sessions.presume(token, session => this.readsOf(session) ?? this.onPrimary);
    if (this.presumed) this.foundSession = Promise.resolve(this.presumed.session);
  }

  /** Whether the caller's session is the presumed one. If not, the current one counts from now on. */
  private async confirm(presumed: PresumedSession): Promise<boolean> {
    if (await presumed.isCurrent()) return true;
    if (this.presumed === presumed) {
      this.presumed = undefined;
      this.foundSession = presumed.current;
    }
    return false;
  }

  /** The result of a read. It is done again if it began with a session that has changed. */
  async confirmed<T>(read: () => Promise<T>): Promise<T> {
    const { presumed } = this;
    const stands = async (): Promise<boolean> => !presumed?.isUsed || (await this.confirm(presumed));
    try {
      const found = await read();
      if (await stands()) return found;
    } catch (error) {
      if (await stands()) throw error;
    }
    return read();
  }

  /** Reads for this request: if it is a query, perhaps on a standby. */
  get reader(): Reader {
    return this.presumed ?? this.reads ?? this.onPrimary;
  }

  private get onPrimary(): Reader {
    const { listing, readLane } = this.services;
    return this.isReading ? inLane(readLane, listing.reader) : listing.reader;
  }

  /** Reads lists for this request, within its budget. */
  get listing(): Listing {
    const { listing } = this.services;
    const { budget, reader, reads } = this;
    return { ...listing, budget, reader, totals: reads?.totals ?? listing.totals };
  }

  /** Reads batches of rows over a connection for exports. */
  batches<T>(
    read: (at: Pick<CursorPlace, 'pool' | 'reader'>) => AsyncGenerator<T, void>,
  ): AsyncGenerator<T, void> {
    const { exportPool, listing } = this.services;
    return this.reads?.batches(read) ?? read({ pool: exportPool, reader: listing.reader });
  }

  private readsOf({ id }: Session): SessionReads | undefined {
    const { reads, sessions } = this.services;
    return (this.reads ??= this.isReading ? reads.of(id, sessions) : undefined);
  }

  /** @throws FORBIDDEN when it is another person and the caller may not read on this controller */
  async readFor(idPessoa: number, controller: string): Promise<void> {
    const session = await this.session();
    if (session.idPessoa !== idPessoa) await this.authorize({ kind: 'level', controller, level: 1 });
  }

  /** Whether the caller may read others' records on this controller. */
  async readsAll(controller: string): Promise<boolean> {
    return mayAct(await this.session(), controller, 1);
  }

  /** Checks the permission again inside a transaction, because it may have been revoked meanwhile. */
  async authorizeAnew(access: Access, em: EntityManager): Promise<void> {
    requireLevel(access, live(await this.services.sessions.findIn(em, this.header('token') ?? '')));
  }

  /** @throws FORBIDDEN when it is another person and the caller may not act for others on this controller */
  async actFor(idPessoa: number | undefined, controller: string): Promise<void> {
    const session = await this.session();
    if (session.idPessoa !== idPessoa) await this.authorize({ kind: 'level', controller, level: 3 });
  }

  /**
   * Requires `actFor`, and level 3 on everything that the person may do. For operations that let the caller become
   * that person, or lock them out.
   * @throws FORBIDDEN
   */
  async actAs(
    idPessoa: number | undefined,
    controller: string,
    reader = this.services.listing.reader,
  ): Promise<void> {
    await this.actFor(idPessoa, controller);
    const caller = (await this.session()).idPessoa;
    if (idPessoa === undefined || idPessoa === caller) return;
    if (!(await managesAllOf(reader, caller, idPessoa)))
      throw new AppError('FORBIDDEN', { detail: requestTexts.mustManageAll });
  }

  /** The caller's live session. @throws UNAUTHENTICATED */
  async session(): Promise<Session> {
    const session = live(await this.sentSession());
    if (this.presumed) this.presumed.isUsed = true;
    else this.readsOf(session);
    this.trace.idPessoa = session.idPessoa;
    return session;
  }

  /** Lets the session and the system in that signed the path of the request, instead of headers. */
  enterBy(signed: SignedPath): void {
    this.signed = signed;
  }

  /** The calling system of the sent key, if one was sent that holds. */
  sentSystem(): Promise<CallingSystem | null> {
    return (this.foundSystem ??= this.findSystem());
  }

  /** The same. @throws UNAUTHENTICATED if there is none */
  async system(): Promise<CallingSystem> {
    const system = await this.sentSystem();
    if (!system) throw new AppError('UNAUTHENTICATED', { detail: requestTexts.apiKeyNeeded });
    return system;
  }

  private sentSession(): Promise<Session | null> {
    const token = this.header('token');
    const { sessions } = this.services;
    return (this.foundSession ??= this.signed
      ? sessions.findSigner(this.signed)
      : token
        ? sessions.find(token)
        : Promise.resolve(null));
  }

  private async findSystem(): Promise<CallingSystem | null> {
    const { reader } = this.services.listing;
    if (this.signed) return (await this.sentSession()) && findSigningSystem(reader, this.signed);
    const name = this.header('app-name');
    const key = this.header('api-key');
    return name && key ? findSystem(reader, name, key) : null;
  }
}

/** @throws UNAUTHENTICATED when there is no live session */
function live(session: Session | null): Session {
  if (!session) throw new AppError('UNAUTHENTICATED', { detail: requestTexts.tokenNeeded });
  return session;
}

const hasLevel = (access: Access, session: Session): boolean =>
  access.kind !== 'level' || mayAct(session, access.controller, access.level);

/** @throws FORBIDDEN when the session lacks the level */
function requireLevel(access: Access, session: Session): void {
  if (access.kind === 'level' && !hasLevel(access, session))
    throw new AppError('FORBIDDEN', { detail: messages.levelNeeded(access.controller, access.level) });
}
