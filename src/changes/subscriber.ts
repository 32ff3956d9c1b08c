import { AppError } from '../errors.ts';
import type { Session } from '../access/access.ts';
import type { Audiences } from './audience.ts';
import { tablesOf, type ChangePage, type Following } from './follow.ts';
import type { ChangedTable } from './kinds.ts';
import { changeTexts } from './messages.ts';
import type { Position } from './position.ts';

/** Changes that may wait for a slow reader. */
const MOST_WAITING = 2_000;

/** Why the service ends a subscription, and where the reader can go on. */
export class Ended extends AppError {
  constructor(
    reason: AppError,
    readonly position: Position | undefined,
  ) {
    super(reason.code, reason.details);
  }
}

/** Somebody who follows the feed as it grows. */
export class Subscriber {
  /** What they follow; `after` is where the pages end that wait for them. */
  readonly following: Following;
  /** Whether new changes come from the hub. Before that the subscriber reads pages by itself. */
  isLive = false;
  #pages: ChangePage[] = [];
  #waiting = 0;
  #wake: (() => void) | undefined;
  #end: AppError | 'left' | undefined;
  /** Where the last page ended that was taken, if others were dropped. */
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
    this.meet(session);
  }

  get session(): Session {
    return this.#session;
  }

  /** Takes over the session as it is now. @throws FORBIDDEN when its person may not read any more what they follow */
  meet(session: Session): void {
    const rights = JSON.stringify([session.everywhere, session.levels, this.following.tables]);
    if (rights !== this.#rights)
      this.#tables = new Set(tablesOf(this.audiences, session, this.following.tables));
    if (this.#tables.size === 0) throw new AppError('FORBIDDEN');
    this.#rights = rights;
    this.#session = session;
  }

  /** Equal for subscribers who read the same of records that are not somebody's own. */
  get rights(): string {
    return this.#rights;
  }

  follows(table: ChangedTable): boolean {
    return this.#tables.has(table);
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Adds a page for the reader. One that is too slow is dropped. */
  add(page: ChangePage): void {
    if (this.hasEnded) return;
    this.#pages.push(page);
    this.#waiting += page.changes.length;
    if (this.#waiting > MOST_WAITING) {
      this.#pages = [];
      this.#dropped = this.#taken;
      this.end(new AppError('RATE_LIMITED', { detail: changeTexts.tooSlow, retryAfter: 1 }));
    }
    this.#wake?.();
  }

  /** Ends the subscription after the pages that wait. */
  end(reason: AppError | 'left'): void {
    this.#end ??= reason;
    this.#wake?.();
  }

  /** The next page; undefined when the reader has left. @throws Ended */
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

  /** Notes where a page ends that the reader got. */
  took(page: ChangePage): ChangePage {
    this.#waiting = Math.max(0, this.#waiting - page.changes.length);
    this.#taken = page.end;
    return page;
  }
}
