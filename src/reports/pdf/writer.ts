import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { reportTexts } from '../messages.ts';
import type { TemplateName } from './templates.ts';
import type { Job, Outcome, WorkerSettings } from './worker.ts';

declare module '../../request/services.ts' {
  interface Services {
    pdf: PdfWriter;
  }
}

/** Most documents that may wait, their longest wait, and the longest time to write one. */
const MOST_WAITING = 20;
const LONGEST_WAIT_MS = 10_000;
const LONGEST_MS = 15_000;

/**
 * Heap of the thread in megabytes, twice the need of the longest document. It must never be reached, because a large
 * allocation beyond it ends the whole process.
 */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

/** Relative to this module, whether it is TypeScript or compiled. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

/**
 * Writes PDFs one after another in a thread, because each keeps a processor busy. The first document starts the thread.
 */
export class PdfWriter {
  readonly #settings: WorkerSettings;
  #worker: Worker | undefined;
  #waiting = 0;
  #refused = 0;
  #last: Promise<unknown> = Promise.resolve();
  /** The last waiting document of each person. */
  readonly #lastOf = new Map<number | undefined, Promise<unknown>>();

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
  }

  /**
   * Renders a template with its data as a PDF, issued at `now`. If `data` is a function, it is called when the
   * document's turn comes, so that waiting documents hold no data. A person's next document joins the queue only after
   * their previous one was written, so that one person delays others by one document at most.
   * @throws UNAVAILABLE when too many wait, or this one waits too long; RESULT_TOO_LARGE when its texts are too long; what the
   * template refuses
   */
  async write(template: TemplateName, now: Date, data: Data, idPessoa?: number): Promise<Uint8Array> {
    if (this.#waiting >= MOST_WAITING) throw this.#refusal();
    this.#waiting += 1;
    const latest = performance.now() + LONGEST_WAIT_MS;
    const work = async (): Promise<Uint8Array> => {
      if (performance.now() > latest) throw this.#refusal();
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

  /** Number of waiting documents, including the current one. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Number of documents that were refused because of others, since the start. */
  get refused(): number {
    return this.#refused;
  }

  #refusal(): AppError {
    this.#refused += 1;
    return busy();
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #run(job: Job): Promise<Uint8Array> {
    const worker = (this.#worker ??= this.#start());
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(job);
    const outcome = await this.#outcome(worker);
    if ('refused' in outcome) throw new AppError(outcome.refused.code, outcome.refused.details);
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
    // `once` reports errors of the current document. Errors between documents are ignored.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    // An idle writer must not keep the process alive.
    worker.unref();
    return worker;
  }
}

const busy = (): AppError =>
  new AppError('UNAVAILABLE', { detail: reportTexts.tooManyDocuments, retryAfter: 10 });

type Data = object | (() => Promise<object>);

const isFunction = (data: Data): data is () => Promise<object> => typeof data === 'function';
