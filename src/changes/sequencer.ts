import type { Reader } from '../database/reader.ts';

/** Name of the connections that listen for changes. */
export const LISTENER = 'sii-changes';

/** Numbers the transactions that were committed since, and wakes whoever listens, in all processes. */
const NUMBER = `select numerar_mudancas() is null as c0, exists (
  select from pg_stat_activity where application_name = '${LISTENER}' and datname = current_database()) as c1`;

/** How long a finished write waits for others, so that they are numbered together, in milliseconds. */
const TOGETHER_MS = 10;

/**
 * Gives committed transactions of the audit trail their numbers, in the order in which the feed tells them. Any number
 * of processes may do so at once: each waits for the one before.
 */
export class Sequencer {
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether somebody listens, in any process, as far as is known. */
  #isHeard = false;

  constructor(
    private readonly reader: Reader,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Numbers everything that was committed before this call. Calls at one time share a statement. */
  number(): Promise<void> {
    if (!this.#running) return this.#run();
    // The statement that runs may have begun before the commit that the caller means.
    return (this.#next ??= this.#running.catch(() => undefined).then(() => this.#run()));
  }

  /** The same in a moment, after a write, if anybody waits for changes. */
  soon(): void {
    if (!this.#isHeard || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.number().catch(this.failed);
    }, TOGETHER_MS).unref();
  }

  #run(): Promise<void> {
    this.#next = undefined;
    const run = this.#ask().finally(() => {
      if (this.#running === run) this.#running = undefined;
    });
    this.#running = run;
    return run;
  }

  async #ask(): Promise<void> {
    const [row] = await this.reader.rows(NUMBER, []);
    this.#isHeard = row![1] as boolean;
  }
}
