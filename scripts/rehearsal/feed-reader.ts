import { setTimeout as sleep } from 'node:timers/promises';
import type { Door } from '../../test/support/doors.ts';
import { HttpsClient } from './https-client.ts';
import { FOLLOWED_TABLES } from './committed-changes.ts';

/** Pause between two pages. */
const PAUSE_MS = 100;
/** Probability of a crash of the reader before each page. */
const CRASH_PROBABILITY = 0.2;
/** Most changes that it reads again after a crash. */
const MOST_REREAD = 40;
const MOST_ON_PAGE = 50;

interface Change {
  cursor: string;
  id: string;
}

interface Page {
  data: Change[];
  cursor: string;
  mais: boolean;
  ultimo: string;
}

/** A reader of the change feed. It crashes at random, and then continues from an earlier cursor. */
export class FeedReader {
  /** What contradicts the promises of the feed. */
  readonly problems: string[] = [];
  deaths = 0;
  readonly #read: Change[] = [];
  #client: HttpsClient;
  #start!: string;
  /** Cursor at the end of the last page. */
  #place!: string;
  #isOver = false;
  #working: Promise<void> | undefined;

  constructor(
    private readonly door: Door,
    private readonly token: string,
  ) {
    this.#client = new HttpsClient(door);
  }

  /** Ids of the changes that it received, in order. */
  get ids(): string[] {
    return this.#read.map(({ id }) => id);
  }

  /** Begins at the end of the feed. @throws Error when the feed does not answer */
  async start(): Promise<void> {
    const page = await this.#ask(undefined, 1);
    if (!page) throw new Error('the feed does not answer');
    this.#start = this.#place = page.ultimo;
    this.#working = this.#readOn();
  }

  /** Reads to the end of the feed, and stops. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#working;
    this.#client.close();
  }

  async #readOn(): Promise<void> {
    for (let isAtEnd = false; !isAtEnd; await sleep(PAUSE_MS)) {
      // A page that was asked for before the load stopped may lack its last changes.
      const isLast = this.#isOver;
      const dies = !isLast && Math.random() < CRASH_PROBABILITY;
      if (dies) this.#die();
      const again = dies ? Math.min(this.#read.length, Math.floor(Math.random() * MOST_REREAD)) : 0;
      const known = this.#read.length - again;
      const after = again === 0 ? this.#place : (this.#read[known - 1]?.cursor ?? this.#start);
      const page = await this.#ask(after, 1 + Math.floor(Math.random() * MOST_ON_PAGE));
      if (!page) continue;
      this.#compare(page, known);
      isAtEnd = isLast && !page.mais;
    }
  }

  #die(): void {
    this.deaths++;
    this.#client.close();
    this.#client = new HttpsClient(this.door);
  }

  /** Changes that were read before must come again unchanged. What follows them is new. */
  #compare({ data, mais, cursor }: Page, known: number): void {
    const before = this.#read.slice(known, known + data.length);
    for (const [i, change] of before.entries())
      if (JSON.stringify(change) !== JSON.stringify(data[i]))
        this.problems.push(
          `change ${change.id} was replaced by ${JSON.stringify(data[i])} at the second read`,
        );
    if (!mais && known + data.length < this.#read.length)
      this.problems.push(`${this.#read.length - known - data.length} changes are gone that were read before`);
    const added = data.slice(before.length);
    this.#read.push(...added);
    if (added.length > 0 || known === this.#read.length) this.#place = cursor;
  }

  /** The page after a cursor; undefined if there was no answer. */
  async #ask(after: string | undefined, first: number): Promise<Page | undefined> {
    const query = new URLSearchParams([
      ['first', String(first)],
      ...(after === undefined ? [] : [['after', after] as [string, string]]),
      ...FOLLOWED_TABLES.map(table => ['tabelas', table] as [string, string]),
    ]);
    const { status, body } = await this.#client.send('GET', `/mudancas?${query}`, { token: this.token });
    if (status === 200) return body as Page;
    if (![0, 502, 503, 504].includes(status) && this.problems.length < 20)
      this.problems.push(`GET /mudancas: ${status} ${JSON.stringify(body)?.slice(0, 200)}`);
    return undefined;
  }
}
