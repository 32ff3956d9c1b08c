import type { Logger } from 'pino';
import type { Reader } from './reader.ts';

/** A server that is a standby, or that is told to be, makes every transaction read-only. */
const ASK = `select current_setting('transaction_read_only') = 'off' as c0`;

/** Whether the database takes changes, which it stops to do when its server fails over. What becomes of it is logged. */
export class Writability {
  #isWritable = true;

  constructor(
    private readonly reader: Reader,
    private readonly log: Logger,
  ) {}

  /** @throws Error when the database cannot be asked */
  async ask(): Promise<boolean> {
    const isWritable = (await this.reader.rows(ASK, []))[0]![0] as boolean;
    if (isWritable !== this.#isWritable) this.#tell(isWritable);
    this.#isWritable = isWritable;
    return isWritable;
  }

  #tell(isWritable: boolean): void {
    if (isWritable) this.log.info('the database takes changes again');
    else
      this.log.error(
        'the database takes no changes: it is read-only, or a standby; reads are served, writes get 503',
      );
  }
}
