import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { startEmbedded, type EmbeddedDatabase } from '../embedded-postgres/embedded.ts';
import type { Marked } from '../embedded-postgres/server.ts';
import { OperatorError } from '../errors.ts';

/** What runs from a start to an end, both of which may be asked for at any time. */
export abstract class Running {
  /** What ends, in reverse order, all that was opened. */
  protected readonly closers: (() => Promise<void>)[] = [];
  readonly #ending = new AbortController();
  #starting: Promise<number> | undefined;
  #embedded: EmbeddedDatabase | undefined;

  constructor(
    protected readonly config: Config,
    protected readonly log: Logger,
  ) {}

  /**
   * Answers the port when the service is ready. What was opened is closed again when it fails.
   * @throws OperatorError for what the operator can mend; AbortError when `stop` was called meanwhile
   */
  start(): Promise<number> {
    return (this.#starting = this.open().catch(async error => {
      await this.#close();
      throw this.signal.aborted ? this.signal.reason : error;
    }));
  }

  /** Closes all in order. A start that is under way ends at its next step. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#starting?.catch(() => undefined);
    await this.#close();
  }

  /** For an end that waits for no request: the embedded database alone is shut down, since it would outlive the process. */
  async abandon(): Promise<void> {
    await this.#embedded?.stop();
  }

  /** The processes of the embedded database, if there is one. */
  get embedded(): Marked | undefined {
    return this.#embedded?.processes;
  }

  protected abstract open(): Promise<number>;

  /** Aborted when the end was asked for. */
  protected get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Where the database is; without `DATABASE_URL` an embedded one is started. */
  protected async openDatabase(): Promise<{ url: string; demo: boolean }> {
    const { DATABASE_URL, DATA_DIR } = this.config;
    if (DATABASE_URL) return { url: DATABASE_URL, demo: false };
    const log = (message: string): void => this.log.info(message);
    const embedded = await startEmbedded({ dataDir: DATA_DIR, log }).catch((error: Error) => {
      throw new OperatorError(error.message, { cause: error });
    });
    this.#embedded = embedded;
    this.closers.push(() => embedded.stop());
    return { url: embedded.url, demo: true };
  }

  async #close(): Promise<void> {
    for (const close of this.closers.splice(0).toReversed()) await close();
  }
}
