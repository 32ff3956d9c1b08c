import type { Client } from 'pg';
import type { Logger } from 'pino';
import { connectTo } from '../database/check.ts';
import type { Servers } from '../database/servers.ts';
import { ignored, inBackground } from '../runtime/background.ts';
import { LISTENER, type Sequencer } from './sequencer.ts';

/** Interval at which writes from outside the service are found, and a lost connection is reopened. */
const LOOK_MS = 1_000;

/**
 * Calls its listeners when any process has numbered changes. It holds one connection while there are listeners. If the
 * connection is lost, notifications may be lost. So until there is a new one, the listeners are called each second. A
 * connection may also be silent without an end. So each look calls them if there are new numbers, and replaces a
 * connection that has not told of them by the next look.
 */
export class ChangeSignal {
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #client: Client | undefined;
  #connecting = false;
  /** The last number at the look before. */
  #last: string | undefined;
  /** Number of looks since the last notification. */
  #quiet = 0;
  /** Whether there was no notification of the new numbers at the look before. It may be only a little late. */
  #isMissing = false;

  constructor(
    private readonly servers: Servers,
    private readonly sequencer: Sequencer,
    private readonly log: Logger,
  ) {}

  /** Calls the listener when there may be new changes. Returns a function that removes it. */
  on(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (!this.#timer) {
      this.#timer = setInterval(() => this.#look(), LOOK_MS);
      this.#look();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#leave();
  }

  #leave(): void {
    const client = this.#client;
    this.#client = undefined;
    this.#isMissing = false;
    this.#quiet = 0;
    if (client) inBackground(client.end(), ignored);
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }

  #look(): void {
    const failed = (error: unknown): void => this.log.warn({ err: error }, 'changes not numbered');
    if (this.#client && this.servers.hasLeft(this.#client)) this.#leave();
    const client = this.#client;
    if (client)
      return inBackground(
        this.sequencer.number().then(() => this.#compare(client)),
        failed,
      );
    inBackground(
      this.sequencer.number().then(() => this.#wake()),
      failed,
    );
    inBackground(this.#connect(), error =>
      this.log.warn({ err: error }, 'notifications of changes not received'),
    );
  }

  #compare(client: Client): void {
    if (client !== this.#client) return;
    const { last } = this.sequencer;
    const hasGrown = this.#last !== undefined && last !== this.#last;
    // A look does not see what it numbers itself, so the notification may come a look earlier.
    const isQuiet = ++this.#quiet > 2;
    const isSilent = this.#isMissing && isQuiet;
    this.#isMissing = hasGrown && isQuiet;
    this.#last = last;
    if (hasGrown) this.#wake();
    if (!isSilent) return;
    this.log.warn('the connection that receives notifications of changes is silent; it is replaced');
    this.#leave();
  }

  async #connect(): Promise<void> {
    if (this.#connecting) return;
    this.#connecting = true;
    try {
      const client = await connectTo(this.servers, { application_name: LISTENER, query_timeout: 5_000 });
      client.on('notification', () => {
        if (client === this.#client) this.#quiet = 0;
        this.#wake();
      });
      client.on('end', () => {
        if (this.#client === client) this.#client = undefined;
      });
      await client.query('listen mudancas');
      if (this.#timer) this.#client = client;
      else await client.end();
      this.#wake();
    } finally {
      this.#connecting = false;
    }
  }
}
