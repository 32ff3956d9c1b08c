import type { EntityManager } from '@mikro-orm/postgresql';
import type { Access, Session } from '../access/access.ts';
import type { PresumedSession } from '../access/presumed-session.ts';
import { mayAct } from '../access/session.ts';
import type { SignedPath } from '../access/signature.ts';
import type { Reader, Statement } from '../database/reader.ts';
import type { Trace } from '../runtime/trace.ts';
import { RequestReads } from './reads.ts';
import { hasLevel, live, requireLevel, unauthenticated } from './required.ts';
import { SentSystem } from './sent-system.ts';
import type { Services } from './services.ts';

/** What the caller sent, and what the request keeps while it runs. */
interface Sent {
  header(name: string): string | undefined;
  /** Names the caller in the log. */
  trace: Trace;
  /** Forgets what the run until now has read and failed at. */
  restart(): void;
}

/** Who sent a request: their session and their system, each looked up once, and what they may do. */
export class Caller {
  readonly reads: RequestReads;
  readonly system: SentSystem;
  readonly #services: Services;
  readonly #sent: Sent;
  #session: Promise<Session | null> | undefined;
  #presumed: PresumedSession | undefined;
  #isQuery = false;
  #signed: SignedPath | undefined;
  /** What the running field was let in for. */
  #letIn: Access[] = [];

  constructor(services: Services, sent: Sent) {
    this.#services = services;
    this.#sent = sent;
    this.reads = new RequestReads(services);
    this.system = new SentSystem(services.systems, name => sent.header(name));
  }

  /** The live session of the request. A query may have presumed it. @throws UNAUTHENTICATED */
  async session(): Promise<Session> {
    if (!this.#isQuery) await this.#requireConfirmed();
    return this.presumedSession();
  }

  /**
   * The session, which a mutation may also have presumed. It may only decide what to read, and what to write in the
   * transaction that confirms it. @throws UNAUTHENTICATED
   */
  async presumedSession(): Promise<Session> {
    // Inside a transaction it might have to wait for a second connection.
    if (!this.#isQuery && this.#presumed?.isRead) await this.#requireConfirmed();
    const session = live(await this.#sentSession());
    if (this.#presumed) this.#presumed.isUsed = true;
    else this.reads.follow(session);
    this.#sent.trace.idPessoa = session.idPessoa;
    return session;
  }

  /** The session if it was already looked up, or is being looked up. */
  get knownSession(): Promise<Session | null> | undefined {
    return this.#session;
  }

  /** Takes session and system from the signed path of the request, not from headers. */
  enterBy(signed: SignedPath): void {
    this.#signed = signed;
    this.system.enterBy(async () =>
      (await this.#sentSession()) ? this.#services.systems.findSigner(signed) : null,
    );
  }

  /**
   * Lets a request begin with the session that this process has cached, before the database has confirmed it. Run the
   * request in `confirmed`. A query may also read from a standby. A mutation may presume only if it does everything in
   * one transaction. Its session is cached first if it is not, because a transaction confirms only a cached one.
   */
  async presume(kind: 'query' | 'mutation'): Promise<void> {
    this.#isQuery = kind === 'query';
    if (this.#isQuery) this.reads.allowStandby();
    const token = this.#sent.header('token');
    if (this.#session || this.#signed || !token) return;
    const cached = () => this.#services.sessions.presume(token, session => this.reads.follow(session));
    this.#presumed = cached();
    if (!this.#presumed && !this.#isQuery) {
      // Whoever needs the session gets the error.
      await this.#sentSession().catch(() => null);
      this.#presumed = cached();
    }
    if (this.#presumed) this.#session = Promise.resolve(this.#presumed.session);
  }

  /** Looks session and system up anew when they are needed, because time has passed. Work confirms what is presumed. */
  forget(): void {
    this.system.forget();
    if (!this.#presumed) this.#session = undefined;
  }

  /**
   * The result of a request. If it used a presumed session that turns out to be outdated, it runs again with the
   * current session.
   */
  async confirmed<T>(run: () => Promise<T>): Promise<T> {
    const presumed = this.#presumed;
    if (!presumed) return run();
    const isValid = async (): Promise<boolean> => !presumed.isUsed || presumed.isCurrent();
    try {
      const found = await run();
      if (await isValid()) return found;
    } catch (error) {
      if (await isValid()) throw error;
    }
    this.#adopt(presumed);
    this.#sent.restart();
    return run();
  }

  /**
   * Runs the first statement of a transaction, a select of one row, and confirms a presumed session in it.
   * @throws UNAUTHENTICATED if the session has changed. Then nothing is committed, and the request runs again.
   */
  async begin(reader: Reader, select: Statement): Promise<void> {
    if (!this.#presumed) await reader.rows(select.text, select.values);
    else {
      await this.#presumed.begin(reader, select);
      await this.#requireConfirmed();
    }
  }

  /**
   * Confirms a session that is not presumed in a transaction that has not written yet, with all that the running field
   * was let in for. @throws UNAUTHENTICATED, FORBIDDEN
   */
  async confirmIn(em: EntityManager): Promise<void> {
    const session = live(await this.#findIn(em));
    for (const access of this.#letIn) requireLevel(access, session);
    this.#session = Promise.resolve(session);
  }

  /** Whether the request runs with a cached session. */
  get isPresumed(): boolean {
    return this.#presumed !== undefined;
  }

  /** Reads for this request. The first read also confirms a presumed session. */
  get reader(): Reader {
    return this.#presumed ?? this.reads.reader;
  }

  /** Lets a field begin, with the permission that it declares. @throws UNAUTHENTICATED, FORBIDDEN */
  async letIn(access: Access): Promise<void> {
    this.#letIn = [];
    await this.authorize(access);
  }

  /** @throws UNAUTHENTICATED or FORBIDDEN when the caller lacks the required permission */
  async authorize(access: Access): Promise<void> {
    if (access.kind === 'public' && access.presumesSystem) return this.system.presume();
    if (access.apiKey) await this.system.required();
    if (access.kind === 'public') return;
    const presumed = this.#presumed;
    if (presumed && !hasLevel(access, presumed.session)) {
      if (!this.#isQuery) await this.#requireConfirmed();
      else if (!(await presumed.isCurrent())) this.#adopt(presumed);
    }
    requireLevel(access, await this.presumedSession());
    this.#letIn.push(access);
  }

  /** Checks the permission again inside a transaction, because it may have been revoked meanwhile. */
  async authorizeAnew(access: Access, em: EntityManager): Promise<void> {
    requireLevel(access, live(await this.#findIn(em)));
  }

  /** Whether the caller may read the records of others on this controller. */
  async readsAll(controller: string): Promise<boolean> {
    return mayAct(await this.session(), controller, 1);
  }

  /** From now on the caller has the current session. */
  #adopt(presumed: PresumedSession): void {
    this.#presumed = undefined;
    this.#session = presumed.current;
  }

  /**
   * A run of a mutation ends with the session that it began with. With another one it could write, and would then run
   * again. To read that one, it might wait for a connection while its transaction holds one.
   */
  async #requireConfirmed(): Promise<void> {
    if (!this.#presumed) return;
    this.#presumed.isUsed = true;
    if (!(await this.#presumed.isCurrent())) throw unauthenticated();
  }

  #findIn(em: EntityManager): Promise<Session | null> {
    return this.#services.sessions.findIn(em, this.#sent.header('token') ?? '');
  }

  #sentSession(): Promise<Session | null> {
    const token = this.#sent.header('token');
    const { sessions } = this.#services;
    return (this.#session ??= this.#signed
      ? sessions.findSigner(this.#signed)
      : token
        ? sessions.find(token)
        : Promise.resolve(null));
  }
}
