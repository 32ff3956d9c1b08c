import type { Logger } from 'pino';
import type { Session } from '../access/access.ts';
import type { Sessions } from '../access/session.ts';
import { AppError } from '../errors.ts';
import type { Listing } from '../listing/listing.ts';
import { inBackground } from '../runtime/background.ts';
import { Gate } from '../runtime/gates.ts';
import { SharedRun } from '../runtime/shared-run.ts';
import type { Audiences } from './audience.ts';
import { confirm } from './confirm.ts';
import { distribute } from './distribute.ts';
import { latestPosition, readChanges } from './feed.ts';
import { nextPage, tellsMore, type ChangePage, type Following } from './follow.ts';
import { CHANGED_TABLES } from './kinds.ts';
import { changeTexts } from './messages.ts';
import { isAfter, type Position } from './position.ts';
import type { Sequencer } from './sequencer.ts';
import type { ChangeSignal } from './signal.ts';
import { Subscriber } from './subscriber.ts';

/** Interval at which all sessions are checked. A revoked permission takes effect within this time. */
const CONFIRM_MS = 1_000;
/** Most changes that are read in one statement for all subscribers. */
const BATCH = 500;
/** Number of subscribers that catch up at the same time, each with its own statements. */
const CATCHING_UP = 2;

interface Needs {
  listing: Listing;
  sessions: Sessions;
  sequencer: Sequencer;
  signal: ChangeSignal;
  log: Logger;
  /** Most subscriptions of this process. */
  most: number;
}

/**
 * The subscriptions of this process. New changes are read once for all live subscribers, and then distributed. A
 * subscriber that starts in the past reads its own pages until it has caught up.
 */
export class Hub {
  readonly #subscribers = new Set<Subscriber>();
  readonly #catchingUp = new Gate(CATCHING_UP);
  /** The position up to which live subscribers have received all changes. */
  #at: Promise<Position> | Position | undefined;
  #advancing: Promise<void> | undefined;
  /** Whether there may be changes that were not read yet. */
  #isBehind = false;
  #ends: (() => void)[] = [];
  /** One at a time: an older answer that comes later would give back a right that was taken. */
  readonly #confirming = new SharedRun(() => confirm(this.needs.sessions, [...this.#subscribers]));
  #isDraining = false;

  constructor(
    private readonly needs: Needs,
    private readonly audiences: Audiences,
  ) {}

  get size(): number {
    return this.#subscribers.size;
  }

  /**
   * The pages of a subscription: the first one at once, even if it is empty, then one whenever there are new changes.
   * It continues until the consumer calls `return`, which then calls `ended`. @throws Ended with the position to
   * continue from
   */
  follow(session: Session, following: Following, ended: () => void): AsyncGenerator<ChangePage> {
    if (this.#isDraining) throw new AppError('UNAVAILABLE', { detail: changeTexts.draining, retryAfter: 1 });
    if (this.size >= this.needs.most)
      throw new AppError('UNAVAILABLE', { detail: changeTexts.allTaken, retryAfter: 10 });
    const subscriber = new Subscriber(session, following, this.audiences);
    this.#subscribers.add(subscriber);
    if (this.#ends.length === 0) this.#begin();
    const leave = (): void => {
      if (!this.#subscribers.delete(subscriber)) return;
      if (this.size === 0) this.#stop();
      ended();
    };
    const pages = this.#pages(subscriber, leave);
    // `return` of a generator waits for the pending page, and does not run `finally` before the first page.
    const giveUp = pages.return.bind(pages);
    pages.return = value => {
      subscriber.end('left');
      leave();
      return giveUp(value);
    };
    return pages;
  }

  /** Ends all subscriptions gracefully, because the process ends. */
  drain(): void {
    this.#isDraining = true;
    for (const subscriber of this.#subscribers)
      subscriber.end(new AppError('UNAVAILABLE', { detail: changeTexts.draining, retryAfter: 1 }));
  }

  async *#pages(subscriber: Subscriber, leave: () => void): AsyncGenerator<ChangePage> {
    const { following } = subscriber;
    try {
      const beginsNow = !following.after;
      if (!following.after) {
        following.after = await this.#place();
        await this.needs.sessions.saw([subscriber.session.id]);
        yield subscriber.took({ changes: [], end: following.after, more: false, latest: following.after });
      }
      for (let isFirst = !beginsNow; !subscriber.isLive && !subscriber.hasEnded; isFirst = false) {
        const page = await this.#catchUp(subscriber).catch((error: unknown) => subscriber.interrupt(error));
        if (page && (page.changes.length > 0 || isFirst)) yield subscriber.took(page);
      }
      for (let page; (page = await subscriber.take());) yield page;
    } finally {
      leave();
    }
  }

  /**
   * The next page of a subscriber that is not live yet. It becomes live when it has reached the position of the others.
   * Undefined if the subscription has ended meanwhile.
   */
  async #catchUp(subscriber: Subscriber): Promise<ChangePage | undefined> {
    const { listing, sequencer, sessions } = this.needs;
    if (!this.#catchingUp.tryEnter()) await this.#catchingUp.wait();
    try {
      await sequencer.number();
      const { session, rights, following } = subscriber;
      const page = await nextPage(listing, this.audiences, session, { ...following, first: BATCH });
      if (tellsMore(page, following.after)) await sessions.saw([session.id]);
      await this.#place();
      if (!subscriber.accepts(rights)) return undefined;
      following.after = page.end;
      // No `await` between reading `#at` and setting `isLive`: the hub may advance during each.
      const at = this.#at;
      subscriber.isLive = !page.more && at !== undefined && 'number' in at && !isAfter(at, page.end);
      return page;
    } finally {
      this.#catchingUp.leave();
    }
  }

  /** The position of the live subscribers. */
  async #place(): Promise<Position> {
    return (this.#at ??= this.#start());
  }

  /** If the last subscriber leaves meanwhile, the next one begins at a newer position. */
  #start(): Promise<Position> {
    const keep = <At extends Position | undefined>(at: At): At => {
      if (this.#at === starting) this.#at = at;
      return at;
    };
    const starting: Promise<Position> = this.#latest().then(keep, (error: unknown) => {
      keep(undefined);
      throw error;
    });
    return starting;
  }

  async #latest(): Promise<Position> {
    const { listing, sequencer } = this.needs;
    await sequencer.number();
    return latestPosition(listing.reader);
  }

  #begin(): void {
    const { signal, log } = this.needs;
    const timer = setInterval(() => {
      inBackground(this.#confirming.run(), error => log.warn({ err: error }, 'subscriptions not confirmed'));
      if (this.#isBehind) this.#advance();
    }, CONFIRM_MS);
    this.#ends = [signal.on(() => this.#advance()), () => clearInterval(timer)];
  }

  #stop(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#at = undefined;
  }

  /** Reads new changes. If a read is running already, it reads once more afterwards. */
  #advance(): void {
    this.#isBehind = true;
    if (!this.#advancing) this.#advancing = this.#readOn().finally(() => (this.#advancing = undefined));
  }

  async #readOn(): Promise<void> {
    try {
      while (this.#isBehind && this.size > 0) {
        this.#isBehind = false;
        const at = await this.#place();
        const stretch = await readChanges(this.needs.listing.reader, at, BATCH, CHANGED_TABLES);
        // All have left meanwhile. Who came after them began at a newer position.
        if (this.#at !== at) continue;
        // From now on, a subscriber becomes live only when it has reached the new position.
        this.#at = stretch.end;
        const live = [...this.#subscribers].filter(({ isLive }) => isLive);
        this.#isBehind ||= stretch.more;
        if (live.length > 0)
          await distribute(this.needs, this.audiences, stretch, live).catch((error: unknown) => {
            if (this.#at === stretch.end) this.#at = at;
            throw error;
          });
      }
    } catch (error) {
      this.#isBehind = true;
      if (error instanceof AppError && error.code === 'GONE') {
        for (const subscriber of this.#subscribers) subscriber.end(error);
        this.#at = undefined;
      } else this.needs.log.warn({ err: error }, 'changes not read');
    }
  }
}
