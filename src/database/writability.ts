import type { Logger } from 'pino';
import type { Reader } from './reader.ts';
import type { Servers } from './servers.ts';

/** A standby server is read-only, and so is a server with `default_transaction_read_only`. */
const ASK = `select current_setting('transaction_read_only') = 'off' as c0`;

/** Whether the database accepts writes. It does not during a failover. Changes of the state are logged. */
export class Writability {
  #isWritable = true;

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

  #logChange(isWritable: boolean): void {
    if (isWritable) this.log.info('the database accepts writes again');
    else this.log.error('the database is read-only (or a standby): reads are served, writes get 503');
  }
}
