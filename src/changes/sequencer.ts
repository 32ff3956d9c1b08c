import { unlessReadOnly } from '../database/primary.ts';
import type { Reader } from '../database/reader.ts';
import { SharedRun } from '../runtime/shared-run.ts';

/** Name of the connections that listen for changes. */
export const LISTENER = 'sii-changes';

/** Numbers the transactions that were committed since the last call, and notifies the listeners of all processes. */
const NUMBER = `select numerar_mudancas() is null as c0, exists (
  select from pg_stat_activity where application_name = '${LISTENER}' and datname = current_database()) as c1,
  (select ultima::text from historia_mudancas) as c2`;

/** Milliseconds to wait after a write, so that several writes are numbered together. */
const TOGETHER_MS = 10;

/**
 * Numbers committed transactions of the audit trail. The numbers are the order of the feed. All processes may do this:
 * a lock makes them take turns.
 */
export class Sequencer {
  /** A running statement may have started before the caller's commit. Then a second one follows. */
  readonly #numbering = new SharedRun(() => this.#ask());
  #timer: NodeJS.Timeout | undefined;
  /** Whether any process was listening at the last numbering. */
  #hasListeners = false;
  #last: string | undefined;

  constructor(
    private readonly reader: Reader,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** The last number when the latest numbering began; undefined before the first one. */
  get last(): string | undefined {
    return this.#last;
  }

  /**
   * Numbers everything that was committed before this call. Concurrent calls share a statement. While the database is
   * read-only nothing is numbered: the feed can be read, and what it lacks comes later.
   */
  number(): Promise<void> {
    return this.#numbering.run();
  }

  /** Numbers a write soon, if any process is listening. */
  soon(): void {
    if (!this.#hasListeners || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.number().catch(this.failed);
    }, TOGETHER_MS).unref();
  }

  async #ask(): Promise<void> {
    const rows = await this.reader.rows(NUMBER, []).catch(unlessReadOnly);
    if (!rows) return;
    const [row] = rows;
    this.#hasListeners = row![1] as boolean;
    this.#last = row![2] as string;
  }
}
