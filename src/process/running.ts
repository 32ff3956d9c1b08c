import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { checkDatabase } from '../database/check.ts';
import { startEmbedded, type EmbeddedDatabase } from '../embedded-postgres/embedded.ts';
import type { ServerIdentity } from '../embedded-postgres/server.ts';
import { OperatorError } from '../errors.ts';
import { createSchema } from '../graphql/schema.ts';
import type { Services } from '../request/services.ts';
import { closeServices, databaseSettings, openServices } from '../services.ts';
import { prepareDatabase } from './prepare.ts';
import { warningsOf, type Warning } from './warnings.ts';

/** Base of a process that can be started and stopped at any time. */
export abstract class Running {
  /** Functions that close what was opened. They run in reverse order. */
  protected readonly closers: (() => Promise<void>)[] = [];
  readonly #ending = new AbortController();
  #starting: Promise<number> | undefined;
  #embedded: EmbeddedDatabase | undefined;
  #warnings: Warning[] = [];

  constructor(
    protected readonly config: Config,
    protected readonly log: Logger,
  ) {}

  /**
   * Starts, and returns the port when the service is ready. On failure everything opened is closed again.
   * @throws OperatorError for errors that the operator can fix; AbortError when `stop` was called meanwhile
   */
  start(): Promise<number> {
    return (this.#starting = this.open().catch(async error => {
      await this.#close();
      throw this.signal.aborted ? this.signal.reason : error;
    }));
  }

  /** Closes everything in reverse order. If a start is running, it ends at its next step. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#starting?.catch(() => undefined);
    await this.#close();
  }

  /**
   * For an exit that does not wait for requests: shuts down only the embedded database, because it would outlive the
   * process.
   */
  async abandon(): Promise<void> {
    await this.#embedded?.stop();
  }

  /** The processes of the embedded database, if there is one. */
  get embedded(): ServerIdentity | undefined {
    return this.#embedded?.processes;
  }

  /** What the operator may want to change, known since the start. */
  get warnings(): readonly Warning[] {
    return this.#warnings;
  }

  protected abstract open(): Promise<number>;

  /** Aborts when `stop` is called. */
  protected get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * The services, on a database that was migrated to this version. The caller must close them. @throws OperatorError
   */
  protected async openServices(): Promise<{ schema: GraphQLSchema; services: Services; url: string }> {
    const { config, log, signal } = this;
    // The schema is built while the embedded server starts, because that is a process of its own.
    const [database, schema] = await bothEnded(this.#openDatabase(), createSchema());
    signal.throwIfAborted();
    this.#warnings = warningsOf(await checkDatabase(databaseSettings(config, database.url)), config);
    const services = await openServices(config, database.url, log);
    try {
      await prepareDatabase(services, schema, database, signal);
    } catch (error) {
      await closeServices(services);
      throw error;
    }
    return { schema, services, url: database.url };
  }

  /** The URL of the database. Starts an embedded one without `DATABASE_URL`. */
  async #openDatabase(): Promise<{ url: string; demo: boolean }> {
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

/** Like `Promise.all`, but a failure waits until the other one has ended, so that nothing is opened after it. */
async function bothEnded<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}
