import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { inBackground } from '../../runtime/background.ts';
import { OperatorError } from '../../errors.ts';

/** First and longest pause before a worker that ended is started again. Who lived longer than the latter begins anew. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** How a process ended. */
interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The place of one worker, which is filled again whenever its process ends before it should. */
export class Place {
  /** How often it was filled again. */
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

  /** Answers the port when the worker is ready. @throws OperatorError when it ends before */
  async start(): Promise<number> {
    const port = await this.#fill();
    inBackground(this.#refill(), error => this.log.error({ worker: this.number, err: error }, 'worker'));
    return port;
  }

  /** Whether the worker ended in order. */
  stop(): Promise<boolean> {
    return (this.#stopped ??= this.#stop());
  }

  async #stop(): Promise<boolean> {
    this.#stopping.abort();
    if (this.#worker.isDead()) return true;
    this.#worker.process.kill('SIGTERM');
    const { code, signal } = await this.#ended;
    // By the signal itself ends who has not come as far as to listen to it.
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
    throw new OperatorError(`Worker ${this.number} ended before it was ready. What it said stands above.`);
  }

  #endOf(worker: Worker): Promise<End> {
    return new Promise(resolve => {
      worker.once('exit', (code, signal) => resolve({ code, signal: signal as NodeJS.Signals }));
      worker.on('error', (error: Error) => {
        this.log.error({ worker: this.number, err: error }, 'worker');
        // A process that could not be made never exits.
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
