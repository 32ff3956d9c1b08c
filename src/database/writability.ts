import type { Logger } from 'pino';
import type { Reader } from './reader.ts';
import type { Servers } from './servers.ts';

/** A standby server is read-only, and so is a server with `default_transaction_read_only`. */
const ASK = `select current_setting('transaction_read_only') = 'off' as c0`;

/** What the log says about further servers of the URL that accept writes. */
export const RIVALS =
  'further servers of DATABASE_URL accept writes: the service uses the one with the newest history. Stop the others, because what is written there will be lost';

/** Whether the database accepts writes. It does not during a failover. Changes of the state are logged. */
export class Writability {
  #isWritable = true;
  /** The further servers that the log names. */
  #logged = '';

  constructor(
    private readonly reader: Reader,
    private readonly servers: Servers,
    private readonly log: Logger,
  ) {}

  /** @throws Error when the database does not answer */
  async ask(): Promise<boolean> {
    const isWritable = (await this.reader.rows(ASK, []))[0]![0] as boolean;
    if (!isWritable) this.servers.leave();
    if (isWritable !== this.#isWritable) this.#logChange(isWritable);
    this.#isWritable = isWritable;
    return isWritable;
  }

  /** Finds out whether another server was promoted, or came back, while this one accepts writes. */
  async compare(): Promise<void> {
    await this.servers.compare();
    const { rivals } = this.servers;
    if (rivals.length > 0 && rivals.join() !== this.#logged) this.log.error({ rivals }, RIVALS);
    this.#logged = rivals.join();
  }

  #logChange(isWritable: boolean): void {
    if (isWritable) this.log.info('the database accepts writes again');
    else this.log.error('the database is read-only (or a standby): reads are served, writes get 503');
  }
}
