import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { urlsOf } from '../settings/database-url.ts';
import { reasonOf } from './errors.ts';

/** Longest attempt at one of several servers, in milliseconds. */
export const SERVER_MS = 1_500;
/** Longest search for the primary. Search and connection together take less than the limit for a connection. */
const SEARCH_MS = 1_800;
/** Pause before a server is tried again in the same search. */
const PAUSE_MS = 100;
/** Longest wait for the other servers when one has been found that accepts writes. */
const RIVAL_MS = 200;
/** Connections that are younger stay open. Otherwise each write to a read-only database would close all the others. */
const TRUSTED_MS = 1_000;

/** Parameters that a server reports when a connection opens, and whenever they change. */
const SIGNS: ReadonlySet<unknown> = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** The message events of a connection, which the driver does not declare. */
export interface Listening {
  connection: {
    on(
      event: 'parameterStatus',
      heard: (said: { parameterName: string; parameterValue: string }) => void,
    ): void;
    on(event: 'errorMessage', heard: (error: { code?: unknown }) => void): void;
  };
}

/** Returns a function that says whether the server of this connection is read-only. */
export function watchReadOnly(client: Client): () => boolean {
  const on = new Set<string>();
  (client as unknown as Listening).connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (!SIGNS.has(parameterName)) return;
    if (parameterValue === 'on') on.add(parameterName);
    else on.delete(parameterName);
  });
  return () => on.size > 0;
}

/** All servers are read-only. The error code is the same as for a server that cannot be reached now. */
class NoPrimary extends Error {
  readonly code = '57P03';
}

/** The servers of the database URL, and which of them is the primary. */
export class Servers {
  readonly urls: readonly string[];
  /** Whether connections must go to a server that accepts writes. */
  readonly onlyPrimary: boolean;
  #primary: string | undefined;
  #search: Promise<string> | undefined;
  #rivals: readonly string[] = [];
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

  /** Hosts that accepted writes, too, when the primary was looked for last. */
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
    const now = performance.now();
    if (now - this.#leftAt < TRUSTED_MS) return;
    this.#leftAt = now;
    this.#primary = undefined;
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
      const first = this.urls.map(ask);
      const found = await Promise.any(first.map(answer => awaitPrimary(answer, end, over.signal)));
      const others = await Promise.race([Promise.all(first), sleep(RIVAL_MS, [])]);
      const writable = [found, ...others.filter(({ url }) => url !== found.url)].filter(
        ({ timeline }) => timeline !== undefined,
      );
      const [newest, ...rivals] = writable.toSorted((a, b) => (a.timeline! < b.timeline! ? 1 : -1));
      this.#rivals = rivals.map(({ url }) => new URL(url).host);
      return (this.#primary = newest!.url);
    } catch (error) {
      const reasons = (error as AggregateError).errors.map(({ message }: Error) => message).join('; ');
      throw new NoPrimary(`no server takes changes: ${reasons}`, { cause: error });
    } finally {
      over.abort();
    }
  }
}

/** What a server answers: its timeline if it accepts writes, or why it does not. */
interface Answer {
  url: string;
  timeline?: string;
  refusal?: string;
}

/** Returns the answer of a server when it accepts writes. @throws Error with the reason, at the end of the search */
async function awaitPrimary(first: Promise<Answer>, end: number, over: AbortSignal): Promise<Answer> {
  for (let answer = await first; ; answer = await ask(answer.url)) {
    if (answer.timeline !== undefined) return answer;
    if (over.aborted || performance.now() + PAUSE_MS > end)
      throw new Error(`${new URL(answer.url).host} ${answer.refusal}`);
    await sleep(PAUSE_MS);
  }
}

/** SQL of the timeline of a server that accepts writes, 8 hexadecimal digits. A promotion begins a higher one. */
export const TIMELINE = 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)';

async function ask(url: string): Promise<Answer> {
  const limits = { connectionTimeoutMillis: SERVER_MS, query_timeout: SERVER_MS };
  const client = new Client({ connectionString: url, ...limits });
  const isReadOnly = watchReadOnly(client);
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (isReadOnly()) return { url, refusal: 'is read-only' };
    const { rows } = await client.query<{ timeline: string }>(`select ${TIMELINE} as timeline`);
    return { url, timeline: rows[0]!.timeline };
  } catch (error) {
    return { url, refusal: reasonOf(error) };
  } finally {
    client.end().catch(() => undefined);
  }
}
