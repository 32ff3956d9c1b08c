import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import { urlsOf } from '../settings/database-url.ts';
import { ask, byHistory, hostOf, isWritable, type Answer, type Writable } from './asked-server.ts';

/** Longest search for the primary. Search and connection together take less than the limit for a connection. */
const SEARCH_MS = 1_800;
/** Pause before a server is tried again in the same search. */
const PAUSE_MS = 100;
/** Longest wait for the other servers when one has been found that accepts writes. */
const RIVAL_MS = 200;
/** Connections that are younger stay open. Otherwise each write to a read-only database would close all the others. */
const TRUSTED_MS = 1_000;

const OVERTAKEN = 'Another server of DATABASE_URL has become the primary meanwhile.';

/** All servers are read-only. The error code is the same as for a server that cannot be reached now. */
class NoPrimary extends Error {
  readonly code = '57P03';
}

/** The servers of the database URL, and which of them is the primary. */
export class Servers {
  readonly urls: readonly string[];
  /** Whether connections must go to a server that accepts writes. */
  readonly onlyPrimary: boolean;
  /** Whether commits wait for a synchronous standby that is away. Then no write begins. */
  awaitsStandby = false;
  #primary: string | undefined;
  /** The primary that was found last, unless it has become read-only. */
  #last: string | undefined;
  #search: Promise<string> | undefined;
  #rivals: readonly string[] = [];
  /** The newest history that a primary had. A server that accepts writes in an older one is not the primary. */
  #timeline = '';
  #leftAt = -Infinity;
  readonly #openedAt = new WeakMap<object, number>();
  readonly #lost = new WeakSet<object>();

  constructor(url: string) {
    const { urls, onlyPrimary } = urlsOf(url);
    this.urls = urls;
    this.onlyPrimary = onlyPrimary;
  }

  /** Hosts and name of the database, without the password. */
  get names(): string {
    return this.urls.map(url => new URL(url).host).join(',') + new URL(this.urls[0]!).pathname;
  }

  /** Hosts that accepted writes, too, when the servers were asked last. */
  get rivals(): readonly string[] {
    return this.#rivals;
  }

  /** The URL of the primary, or of the only server. @throws Error when no primary is found within a short time */
  async find(): Promise<string> {
    if (!this.onlyPrimary) return this.urls[0]!;
    return this.#primary ?? (this.#search ??= this.#seek().finally(() => (this.#search = undefined)));
  }

  /** Stores when a connection began to open. */
  opens(client: object): void {
    this.#openedAt.set(client, performance.now());
  }

  /** Reports that a server refused a connection, or is no longer the primary. */
  lost(url: string, error: object): void {
    if (!this.onlyPrimary) return;
    if (this.#primary === url) this.#primary = undefined;
    this.#lost.add(error);
  }

  /** Whether this error of a connection may mean that another server is the primary now. */
  mayHaveMoved(error: object): boolean {
    return this.#lost.has(error);
  }

  /** Reports that the presumed primary is read-only: all connections that are open now will be closed. */
  leave(): void {
    if (performance.now() - this.#leftAt >= TRUSTED_MS) this.#leaveAll();
  }

  /**
   * Asks all servers. A standby that is promoted while the old primary accepts writes breaks no connection. It has the
   * newer history, so it is the primary: all connections that are open now will be closed.
   */
  async compare(): Promise<void> {
    if (!this.onlyPrimary || this.urls.length === 1) return;
    const [newest, ...rivals] = byHistory(await Promise.all(this.urls.map(ask)));
    // A search that runs meanwhile would overwrite what is found here.
    if (this.#search || !newest || newest.timeline < this.#timeline) return;
    this.#rivals = rivals.map(hostOf);
    const isRival = rivals.some(({ url }) => url === this.#primary);
    if (isRival || (newest.timeline > this.#timeline && newest.url !== this.#primary)) {
      this.#leaveAll();
      this.#primary = this.#last = newest.url;
    }
    this.#timeline = newest.timeline;
  }

  /**
   * Returns a check for the end of work that may take longer than the time between two comparisons. The check fails if
   * another server has become the primary meanwhile: what was written here would be lost. `outcome`: what the error says
   * about the work. @throws OperatorError
   */
  beginLongWork(outcome = 'Nothing was changed; begin again.'): () => Promise<void> {
    const work = {};
    this.opens(work);
    return async () => {
      await this.compare();
      if (this.hasLeft(work)) throw new OperatorError(`${OVERTAKEN} ${outcome}`);
    };
  }

  #leaveAll(): void {
    this.#leftAt = performance.now();
    this.#primary = this.#last = undefined;
  }

  /** Whether this connection was opened before `leave`. */
  hasLeft(client: object): boolean {
    return (this.#openedAt.get(client) ?? Infinity) <= this.#leftAt;
  }

  /**
   * Asks all servers at the same time, repeatedly. Several accept writes after a standby was promoted and the old primary
   * came back. Then the one with the newer history is the primary.
   */
  async #seek(): Promise<string> {
    const end = performance.now() + SEARCH_MS;
    const over = new AbortController();
    try {
      const first = this.urls.map(url => this.#ask(url));
      const found = await Promise.any(first.map(answer => this.#awaitPrimary(answer, end, over.signal)));
      const others = await Promise.race([Promise.all(first), sleep(RIVAL_MS, [])]);
      const [newest, ...rivals] = byHistory([found, ...others.filter(({ url }) => url !== found.url)]);
      this.#rivals = rivals.map(hostOf);
      this.#timeline = newest!.timeline;
      return (this.#primary = this.#last = newest!.url);
    } catch (error) {
      const reasons = (error as AggregateError).errors.map(({ message }: Error) => message).join('; ');
      throw new NoPrimary(`no server takes changes: ${reasons}`, { cause: error });
    } finally {
      over.abort();
    }
  }

  /**
   * Returns the answer of a server when it accepts writes in the history of the last primary or a newer one.
   * @throws Error with the reason, at the end of the search
   */
  async #awaitPrimary(first: Promise<Answer>, end: number, over: AbortSignal): Promise<Writable> {
    const least = this.#timeline;
    for (let answer = await first; ; answer = await this.#ask(answer.url)) {
      if (isWritable(answer) && answer.timeline >= least) return answer;
      const refusal =
        answer.refusal ??
        `has an older history, ${answer.timeline}, than the last primary, ${least}: restart the service if that is meant`;
      if (over.aborted || performance.now() + PAUSE_MS > end) throw new Error(`${hostOf(answer)} ${refusal}`);
      await sleep(PAUSE_MS);
    }
  }

  /**
   * Asks a server. One that only has too many connections is still the primary if it was the last one, since the open
   * connections can be used.
   */
  async #ask(url: string): Promise<Answer> {
    const answer = await ask(url);
    return answer.isFull && url === this.#last ? { url, timeline: this.#timeline } : answer;
  }
}
