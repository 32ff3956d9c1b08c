import cluster from 'node:cluster';
import { ignored, inBackground } from '../../runtime/background.ts';
import { serveMetrics } from '../metrics/server.ts';
import { Running } from '../running.ts';
import { closeServices } from '../../services.ts';
import { Place } from './place.ts';
import { scrapeAll } from './scrape.ts';

/**
 * The first of several processes. It prepares the database and runs `WORKERS` others, which share the port and the
 * database. It serves no requests itself.
 */
export class Supervisor extends Running {
  readonly #places: Place[] = [];

  /** Kills the workers, too. */
  override async abandon(): Promise<void> {
    for (const { worker } of this.#places) worker.process.kill('SIGKILL');
    await super.abandon();
  }

  protected async open(): Promise<number> {
    const { config, log, signal } = this;
    const { services, url } = await this.openServices();
    await closeServices(services);
    // Each worker accepts by itself. If this process handed connections over, those that a worker has not yet taken when it
    // dies would never be answered or closed.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    this.closers.push(() => this.#endWorkers());
    // Errors are reported at shutdown, which awaits this again.
    signal.addEventListener('abort', () => inBackground(this.#endWorkers(), ignored));
    // One worker starts first, so that a common error is reported only once.
    const port = await this.#startWorker(1, url);
    const others = Array.from({ length: config.WORKERS - 1 }, (_, i) => this.#startWorker(i + 2, url));
    await Promise.all(others);
    if (config.METRICS_PORT !== undefined)
      this.closers.push(await serveMetrics(() => scrapeAll(this.#places), config, log));
    return port;
  }

  async #startWorker(number: number, url: string): Promise<number> {
    this.signal.throwIfAborted();
    const place = new Place(number, { DATABASE_URL: url }, this.log);
    this.#places.push(place);
    return place.start();
  }

  /** @throws Error when a worker did not end cleanly */
  async #endWorkers(): Promise<void> {
    const inOrder = await Promise.all(this.#places.map(place => place.stop()));
    if (inOrder.includes(false)) throw new Error('a worker did not stop cleanly');
  }
}
