import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { messages } from '../../messages.ts';
import type { TemplateName } from './templates.ts';
import type { Job, Outcome, WorkerSettings } from './worker.ts';

declare module '../../request/services.ts' {
  interface Services {
    pdf: PdfWriter;
  }
}

/** Most documents that may wait for their turn, how long they may, and how long one may then take. */
const MOST_WAITING = 20;
const LONGEST_WAIT_MS = 10_000;
const LONGEST_MS = 15_000;

/**
 * Heap of the thread, in megabytes: twice what the longest document takes, so that garbage is not heaped up. It must
 * not be reached: a large allocation beyond it would end the whole process.
 */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/** Relative to this module, as TypeScript or compiled. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

/** Writes PDFs one after another, in a thread of its own, since each keeps a processor busy; it is started with the first. */
export class PdfWriter {
  readonly #settings: WorkerSettings;
  #worker: Worker | undefined;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** The last document of each person that waits. */
  readonly #lastOf = new Map<number | undefined, Promise<unknown>>();

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
  }

  /**
   * Data as the PDF that a template makes of it, issued `now`. A function that gives the data is called when it is their turn, so
   * that nothing is held while others are written. A person's document joins the queue when their one before it is
   * written, so that somebody who asks for many holds up others by one at a time.
   * @throws UNAVAILABLE when too many wait already, or for too long; RESULT_TOO_LARGE when its texts are too long
   */
  async write(template: TemplateName, now: Date, data: Data, idPessoa?: number): Promise<Uint8Array> {
    if (this.#waiting >= MOST_WAITING) throw busy();
    this.#waiting += 1;
    const latest = performance.now() + LONGEST_WAIT_MS;
    const work = async (): Promise<Uint8Array> => {
      if (performance.now() > latest) throw busy();
      return this.#run({ template, now, data: isFunction(data) ? await data() : data });
    };
    const before = this.#lastOf.get(idPessoa) ?? Promise.resolve();
    const turn = before.then(() => this.#queue(work));
    const settled = turn.catch(() => undefined);
    this.#lastOf.set(idPessoa, settled);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
      if (this.#lastOf.get(idPessoa) === settled) this.#lastOf.delete(idPessoa);
    }
  }

  #queue(work: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Documents that wait for their turn, with the one that is being written. */
  get waiting(): number {
    return this.#waiting;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #run(job: Job): Promise<Uint8Array> {
    const worker = (this.#worker ??= this.#start());
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(job);
    const outcome = await this.#outcome(worker);
    if ('tooLong' in outcome) throw new AppError('RESULT_TOO_LARGE', { detail: messages.tooMuchForPdf });
    if ('error' in outcome) throw outcome.error;
    return outcome.file;
  }

  async #outcome(worker: Worker): Promise<Outcome> {
    try {
      const [outcome] = await once(worker, 'message', { signal: AbortSignal.timeout(LONGEST_MS) });
      return outcome as Outcome;
    } catch (error) {
      this.#worker = undefined;
      await worker.terminate();
      throw (error as Error).name === 'AbortError' ? busy() : error;
    }
  }

  #start(): Worker {
    const worker = new Worker(WORKER, { workerData: this.#settings, resourceLimits: HEAP });
    // Whoever waits is told by `once`; between two documents there is nobody to tell.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    // An idle writer keeps no process alive.
    worker.unref();
    return worker;
  }
}

const busy = (): AppError =>
  new AppError('UNAVAILABLE', { detail: messages.tooManyDocuments, retryAfter: 10 });

type Data = object | (() => Promise<object>);

const isFunction = (data: Data): data is () => Promise<object> => typeof data === 'function';
