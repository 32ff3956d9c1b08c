import { AppError } from '../errors.ts';
import type { Session } from '../access/access.ts';
import { fromDatabase } from '../database/errors.ts';
import type { Audiences } from './audience.ts';
import { tablesOf, type ChangePage, type Following } from './follow.ts';
import type { ChangedTable } from './kinds.ts';
import { changeTexts } from './messages.ts';
import { isAfter, type Position } from './position.ts';

/** Most changes that may wait for a slow consumer. */
const MOST_WAITING = 2_000;

/** The reason why the service ended a subscription, and the position to continue from. */
export class Ended extends AppError {
  constructor(
    reason: AppError,
    readonly position: Position | undefined,
  ) {
    super(reason.code, reason.details);
  }
}

/** A subscriber of the feed. */
export class Subscriber {
  /** What they follow. `after` is the end of the last queued page. */
  readonly following: Following;
  /** Whether the hub sends them new changes. Before that they read their own pages. */
  isLive = false;
  #pages: ChangePage[] = [];
  #waiting = 0;
  #wake: (() => void) | undefined;
  #end: AppError | 'left' | undefined;
  /** If queued pages were dropped: the end of the last page that the consumer took. */
  #dropped: Position | null | undefined;
  #taken: Position | null;
  #session!: Session;
  #rights = '';
  #tables: ReadonlySet<ChangedTable> = new Set();

  /** @throws FORBIDDEN */
  constructor(
    session: Session,
    following: Following,
    private readonly audiences: Audiences,
  ) {
    this.following = { ...following };
    this.#taken = following.after;
    this.renew(session);
  }

  get session(): Session {
    return this.#session;
  }

  /**
   * Replaces the session by its current state. If its rights have changed while pages wait, the subscription is cut, because
   * these pages were made by the former rights. @throws FORBIDDEN if the person may no longer read what they follow
   */
  renew(session: Session): void {
    const rights = JSON.stringify([session.everywhere, session.levels, this.following.tables]);
    const isChanged = rights !== this.#rights;
    if (isChanged) this.#tables = new Set(tablesOf(this.audiences, session, this.following.tables));
    if (this.#tables.size === 0) throw new AppError('FORBIDDEN');
    if (isChanged && this.#pages.length > 0) this.#cutByRights();
    this.#rights = rights;
    this.#session = session;
  }

  /** Subscribers with equal rights see the same changes, except those of their own records. */
  get rights(): string {
    return this.#rights;
  }

  /** The tables whose changes they may read, of those that they follow. */
  get tables(): ReadonlySet<ChangedTable> {
    return this.#tables;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Whether a page that was made by these rights may be sent. The subscription is cut if they are former rights. */
  accepts(rights: string): boolean {
    if (!this.hasEnded && rights !== this.#rights) this.#cutByRights();
    return !this.hasEnded;
  }

  /**
   * Queues a page for the consumer, if it has changes. A consumer that is too slow is disconnected. The subscription is cut
   * if the page was made by former rights.
   */
  add(page: ChangePage, rights: string): void {
    if (!this.accepts(rights)) return;
    if (isAfter(page.end, this.following.after!)) this.following.after = page.end;
    if (page.changes.length === 0) return;
    this.#pages.push(page);
    this.#waiting += page.changes.length;
    if (this.#waiting > MOST_WAITING)
      this.cut(new AppError('RATE_LIMITED', { detail: changeTexts.tooSlow, retryAfter: 1 }));
    this.#wake?.();
  }

  /** Ends the subscription at once, at the end of the page that the consumer took last. */
  cut(reason: AppError): void {
    if (this.#pages.length > 0) this.#dropped = this.#taken;
    this.#pages = [];
    this.end(reason);
  }

  #cutByRights(): void {
    this.cut(new AppError('UNAVAILABLE', { detail: changeTexts.rightsChanged, retryAfter: 1 }));
  }

  /** Ends the subscription after the queued pages. */
  end(reason: AppError | 'left'): void {
    this.#end ??= reason;
    this.#wake?.();
  }

  /**
   * Ends the subscription at the position of its consumer, if the database failed. @throws Ended; other errors
   * unchanged
   */
  interrupt(error: unknown): never {
    const reason = fromDatabase(error);
    if (reason?.code !== 'UNAVAILABLE') throw error;
    throw new Ended(reason, this.#taken ?? undefined);
  }

  /** The next page; undefined when the consumer has left. @throws Ended */
  async take(): Promise<ChangePage | undefined> {
    if (this.#pages.length === 0 && !this.#end)
      await new Promise<void>(resolve => (this.#wake = resolve)).finally(() => (this.#wake = undefined));
    if (this.#end === 'left') return undefined;
    const page = this.#pages.shift();
    if (page) return this.took(page);
    if (!this.#end) return this.take();
    const end = this.#dropped === undefined ? this.following.after : this.#dropped;
    throw new Ended(this.#end, end ?? undefined);
  }

  /** Stores the end of a page that the consumer has taken. */
  took(page: ChangePage): ChangePage {
    this.#waiting = Math.max(0, this.#waiting - page.changes.length);
    this.#taken = page.end;
    return page;
  }
}
