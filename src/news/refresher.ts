import type { Client } from 'pg';
import { ignored, inBackground } from '../runtime/background.ts';
import { connectTo } from '../database/check.ts';
import { trySessionLock } from '../database/locks.ts';
import { sessionSettings } from '../database/session-settings.ts';
import { type Services } from '../request/services.ts';
import type { DownloadLimits } from './download.ts';
import { refreshNews } from './refresh.ts';

const LIMITS: DownloadLimits = { answerMs: 10_000, wholeMs: 30_000, bytes: 5_000_000, redirects: 5 };

/**
 * Refreshes the news from a feed at start and then at intervals. Only one process of a database does it: the holder of
 * a lock. When that connection ends, another process takes over at its next turn. Errors are logged, and the next turn
 * tries again.
 */
export class NewsRefresher {
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> | undefined;
  #lock: Client | undefined;
  /** After this silence, the server ends the connection of the lock. 0: never. */
  #silenceMs = 0;

  constructor(
    private readonly services: Services,
    private readonly feedUrl: string,
  ) {}

  start(minutes: number): void {
    const turn = async (): Promise<void> => {
      await (this.#turn ??= this.turn());
      this.#turn = undefined;
    };
    const failed = (error: unknown): void => this.services.log.error({ err: error }, 'news refresh failed');
    const next = (): void => inBackground(turn(), failed);
    const interval = minutes * 60_000;
    // A process that is suspended misses its turns, and another one takes over.
    this.#silenceMs = Math.round(interval * 2);
    this.#timer = setInterval(next, interval);
    next();
  }

  /** Cancels a running download. A running write is completed first. */
  async stop(): Promise<void> {
    this.#ending.abort();
    clearInterval(this.#timer);
    await this.#turn;
    this.#release();
  }

  /** Refreshes once, if this process holds the lock. Never throws. */
  async turn(): Promise<void> {
    const { log } = this.services;
    try {
      if (!(await this.#holdsLock())) return;
      const refreshed = await refreshNews(this.services, this.feedUrl, LIMITS, this.#ending.signal);
      log.info(refreshed ?? { changed: 0 }, 'news feed read');
    } catch (error) {
      if (!this.#ending.signal.aborted) log.warn({ err: error as Error }, 'news feed not read');
    }
  }

  /** Takes the lock again even if it is held, which shows whether the connection is still alive. */
  async #holdsLock(): Promise<boolean> {
    let mine = false;
    if (this.#lock && this.services.servers.hasLeft(this.#lock)) this.#release();
    try {
      const client = (this.#lock ??= await this.#connect());
      mine = await trySessionLock(client, 'news');
    } finally {
      if (!mine) this.#release();
    }
    return mine;
  }

  async #connect(): Promise<Client> {
    const client = await connectTo(this.services.servers, {
      application_name: 'sii-news',
      query_timeout: 5_000,
      options: sessionSettings({ idle_session_timeout: String(this.#silenceMs) }),
    });
    client.on('end', () => {
      if (this.#lock === client) this.#lock = undefined;
    });
    return client;
  }

  /** Does not wait for the server to close the connection, because the server may be gone. */
  #release(): void {
    if (this.#lock) inBackground(this.#lock.end(), ignored);
    this.#lock = undefined;
  }
}
