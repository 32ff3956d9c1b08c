import type { MikroORM } from '@mikro-orm/postgresql';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Session } from '../access/access.ts';
import type { Sessions } from '../access/session.ts';
import type { Servers } from '../database/servers.ts';
import type { Listing } from '../listing/listing.ts';
import { audiencesOf, type Audiences } from './audience.ts';
import { Hub } from './hub.ts';
import { nextPage, tellsMore, type ChangePage, type Following } from './follow.ts';
import { Sequencer } from './sequencer.ts';
import { ChangeSignal } from './signal.ts';

declare module '../request/services.ts' {
  interface Services {
    changes: Changes;
  }
}

interface Needs {
  orm: MikroORM;
  listing: Listing;
  servers: Servers;
  sessions: Sessions;
  /** Most subscriptions of this process. */
  most: number;
  log: Logger;
}

/** The feed of changes of all records. */
export class Changes {
  readonly sequencer: Sequencer;
  readonly signal: ChangeSignal;
  #audiences: Audiences | undefined;
  #hub: Hub | undefined;

  constructor(private readonly needs: Needs) {
    const { listing, servers, log } = needs;
    const failed = (error: unknown): void => log.warn({ err: error }, 'changes not numbered');
    this.sequencer = new Sequencer(listing.reader, failed);
    this.signal = new ChangeSignal(servers, this.sequencer, log);
  }

  /** Derives from the schema who may read which changes. @throws Error for a table that no list shows */
  describe(schema: GraphQLSchema): void {
    this.#audiences = audiencesOf(schema, this.needs.orm.getMetadata());
    this.#hub = new Hub({ ...this.needs, sequencer: this.sequencer, signal: this.signal }, this.#audiences);
  }

  /** Who may read the changes of each table. */
  get audiences(): Audiences {
    return this.#audiences!;
  }

  /**
   * The next page for one session. It includes everything that was committed before this call. @throws GONE, FORBIDDEN
   */
  async page(session: Session, following: Following, listing: Listing): Promise<ChangePage> {
    await this.sequencer.number();
    // Reads on the primary, because a standby may not have the new numbers yet.
    const { reader } = this.needs.listing;
    const page = await nextPage({ ...listing, reader }, this.audiences, session, following);
    if (tellsMore(page, following.after)) await this.needs.sessions.saw([session.id]);
    return page;
  }

  /**
   * The pages of a subscription, the first one at once. It continues until the consumer calls `return`, which then
   * calls `ended`. @throws UNAVAILABLE, FORBIDDEN
   */
  follow(session: Session, following: Following, ended: () => void): AsyncGenerator<ChangePage> {
    return this.#hub!.follow(session, following, ended);
  }

  /** Number of open subscriptions in this process. */
  get followed(): number {
    return this.#hub?.size ?? 0;
  }

  /** Ends all subscriptions gracefully. */
  drain(): void {
    this.#hub?.drain();
  }

  stop(): void {
    this.drain();
    this.signal.stop();
  }
}
