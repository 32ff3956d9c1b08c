import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { inBackground } from '../../runtime/background.ts';
import { OperatorError } from '../../errors.ts';

/** First and longest delay before a worker is restarted. A worker that ran longer than the latter resets the delay. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** How a process ended. */
interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The slot of one worker. It starts a new process whenever the old one ends unexpectedly. */
export class Place {
  /** Number of restarts. */
  restarts = 0;
  #worker!: Worker;
  #ended!: Promise<End>;
  #stopped: Promise<boolean> | undefined;
  readonly #stopping = new AbortController();

  constructor(
    readonly number: number,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly log: Logger,
  ) {}

  get worker(): Worker {
    return this.#worker;
  }

  /** Starts the worker and returns its port when it is ready. @throws OperatorError when the worker ends before that */
  async start(): Promise<number> {
    const port = await this.#fill();
    inBackground(this.#refill(), error =>
      this.log.error({ worker: this.number, err: error }, 'worker failed'),
    );
    return port;
  }

  /** Stops the worker. Returns whether it ended cleanly. */
  stop(): Promise<boolean> {
    return (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<boolean> {
    this.#stopping.abort();
    if (this.#worker.isDead()) return true;
    this.#worker.process.kill('SIGTERM');
    const { code, signal } = await this.#ended;
    // A worker without a handler is ended by the signal itself.
    return code === 0 || signal === 'SIGTERM';
  }

  async #fill(): Promise<number> {
    const worker = (this.#worker = cluster.fork(this.environment));
    this.#ended = this.#endOf(worker);
    const listening = new Promise<number>(resolve => {
      worker.once('listening', ({ port }) => resolve(port));
    });
    const port = await Promise.race([listening, this.#ended]);
    if (typeof port === 'number') return port;
    throw new OperatorError(`Worker ${this.number} ended before it was ready. See its messages above.`);
  }

  #endOf(worker: Worker): Promise<End> {
    return new Promise(resolve => {
      worker.once('exit', (code, signal) => resolve({ code, signal: signal as NodeJS.Signals }));
      worker.on('error', (error: Error) => {
        this.log.error({ worker: this.number, err: error }, 'worker failed');
        // A process that could not be started never emits `exit`.
        if (worker.process.pid === undefined) resolve({ code: null, signal: null });
      });
    });
  }

  async #refill(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      const since = performance.now();
      const end = await this.#ended;
      if (this.#stopping.signal.aborted) return;
      if (performance.now() - since > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      this.log.error(
        { worker: this.number, ...end },
        `worker ended; it is started again in ${pause / 1000} s`,
      );
      await sleep(pause, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted) return;
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      this.restarts += 1;
      await this.#fill().catch(() => undefined);
    }
  }
}
