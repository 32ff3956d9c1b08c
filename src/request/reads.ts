import type { Session } from '../access/access.ts';
import type { RequestReader } from '../access/presumed-session.ts';
import type { SessionReads } from '../access/session-reads.ts';
import type { CursorPlace, Reader } from '../database/reader.ts';
import type { Listing } from '../listing/listing.ts';
import type { Services } from './services.ts';

/** The server that a request reads from: the primary, or for a query perhaps a standby. */
export class RequestReads {
  readonly #services: Services;
  #isQuery = false;
  #ofSession: SessionReads | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Lets the request read from a standby. Never call it for a mutation. */
  allowStandby(): void {
    this.#isQuery = true;
  }

  /** From now on, reads go to a server that has everything that this session has seen. */
  follow({ id }: Session): RequestReader {
    const { reads, sessions } = this.#services;
    if (this.#isQuery) this.#ofSession ??= reads.of(id, sessions);
    return this.reader;
  }

  get reader(): Reader {
    const { listing, queryReader } = this.#services;
    return this.#ofSession ?? (this.#isQuery ? queryReader : listing.reader);
  }

  /** Totals that are not newer than what `reader` reads. */
  get totals(): Listing['totals'] {
    return this.#ofSession?.totals ?? this.#services.listing.totals;
  }

  /** Reads batches of rows over a connection for exports. */
  batches<T>(
    read: (at: Pick<CursorPlace, 'pool' | 'reader'>) => AsyncGenerator<T, void>,
  ): AsyncGenerator<T, void> {
    const { exportPool, listing } = this.#services;
    return this.#ofSession?.batches(read) ?? read({ pool: exportPool, reader: listing.reader });
  }
}
