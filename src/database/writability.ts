import type { Logger } from 'pino';
import { SharedRun } from '../runtime/shared-run.ts';
import { SERVICE_NAME } from './orm.ts';
import type { Reader } from './reader.ts';
import type { Servers } from './servers.ts';

/**
 * A standby server is read-only, and so is a server with `default_transaction_read_only`: that of the server, because
 * `holdWrites` sets that of the connection. And whether a commit of the service waits for a standby, for longer than any
 * statement of the service may take. The server is asked, because other processes and earlier ones may have left the commit
 * there. Commands and people have no such limit, so what they run may take long for other reasons.
 */
const ASK = `select pg_is_in_recovery() or exists (
    select from pg_settings where name = 'default_transaction_read_only' and reset_val = 'on') as c0,
  exists (select from pg_stat_activity where wait_event = 'SyncRep' and application_name = '${SERVICE_NAME}'
    and now() - query_start > current_setting('statement_timeout')::interval) as c1`;

/** Whether the database accepts writes, or why not: it is read-only, or its commits wait for a standby that is away. */
export type Writes = 'ok' | 'read-only' | 'awaiting-standby';

/** While the server stays read-only, connections to it are left at this interval. */
const LEAVE_AGAIN_MS = 30_000;

/** What the log says about further servers of the URL that accept writes. */
export const RIVALS =
  'further servers of DATABASE_URL accept writes: the service uses the one with the newest history. Stop the others, because what is written there will be lost';

/** Whether the database accepts writes. It does not during a failover. Changes of the state are logged. */
export class Writability {
  /** One at a time, so that an older answer never replaces a newer one. */
  readonly #asking = new SharedRun(() => this.#ask());
  #state: Writes = 'ok';
  #leftAt = -Infinity;
  /** The further servers that the log names. */
  #logged = '';

  constructor(
    private readonly reader: Reader,
    private readonly servers: Servers,
    private readonly log: Logger,
  ) {}

  /** @throws Error when the database does not answer */
  ask(): Promise<Writes> {
    return this.#asking.run();
  }

  /** Finds out whether another server was promoted, or came back, while this one accepts writes. */
  async compare(): Promise<void> {
    await this.servers.compare();
    const { rivals } = this.servers;
    if (rivals.length > 0 && rivals.join() !== this.#logged) this.log.error({ rivals }, RIVALS);
    this.#logged = rivals.join();
  }

  async #ask(): Promise<Writes> {
    const [row] = (await this.reader.rows(ASK, [])) as [isReadOnly: boolean, awaitsStandby: boolean][];
    const [isReadOnly, awaitsStandby] = row!;
    if (isReadOnly) this.#leave();
    this.servers.awaitsStandby = awaitsStandby;
    const state = isReadOnly ? 'read-only' : awaitsStandby ? 'awaiting-standby' : 'ok';
    if (state !== this.#state) this.#logChange(state);
    return (this.#state = state);
  }

  /** Looks for another server, but not so often that reads on a server that stays read-only would lose their connections. */
  #leave(): void {
    if (this.#state === 'read-only' && performance.now() - this.#leftAt < LEAVE_AGAIN_MS) return;
    this.#leftAt = performance.now();
    this.servers.leave();
  }

  #logChange(state: Writes): void {
    if (state === 'ok') this.log.info('the database accepts writes again');
    else if (state === 'read-only')
      this.log.error('the database is read-only (or a standby): reads are served, writes get 503');
    else
      this.log.error(
        'commits wait for a synchronous standby that is away: reads are served, writes get 503 until it is back',
      );
  }
}
