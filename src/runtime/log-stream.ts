import { write, writeSync } from 'node:fs';
import { ignored } from './background.ts';

/**
 * Lines are gathered for up to so many characters or milliseconds. A write for each line took a thirtieth of a small
 * request (decision 127).
 */
const GATHERED = 4_096;
const GATHERED_MS = 100;

/** Most characters that wait until the system takes them. */
const MOST_WAITING = 4_000_000;

/** How long the last lines of a process wait for a reader who is slow. Nothing else runs meanwhile. */
const PATIENCE_MS = 1_000;
const PAUSE_MS = 10;
const CLOCK = new Int32Array(new SharedArrayBuffer(4));

const NOTHING: Buffer = Buffer.alloc(0);

/** Lines of this process that were lost, because the log could not be written. */
export const lostLines = { count: 0 };

/**
 * Writes lines to a file descriptor, and never ends or stops the process for them: on a full disk, or before a reader who
 * does not read, they wait, and are tried again. (sonic-boom, which comes with pino, tries a full disk for ever in its
 * `flushSync`, and nothing else runs meanwhile.)
 */
export class LogStream {
  #waiting = '';
  /** What is being written, or what the system has not taken. */
  #rest = NOTHING;
  #isWriting = false;
  #isStuck = false;
  readonly #flushed: (() => void)[] = [];

  constructor(
    private readonly fd: number,
    /** Whether each line is written at once. */
    private readonly sync = false,
  ) {
    setInterval(() => (sync ? this.#writeNow(0) : this.flush()), GATHERED_MS).unref();
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.#waiting.length + this.#rest.length > MOST_WAITING) lostLines.count += 1;
    else this.#waiting += line;
    if (this.sync) this.#writeNow(0);
    else if (this.#waiting.length >= GATHERED && !this.#isStuck) this.flush();
  }

  /** Begins to write, and calls back when all is written, or cannot be written now. */
  flush(done: () => void = ignored): void {
    this.#flushed.push(done);
    if (!this.#isWriting) this.#writeNext();
  }

  /** Writes what the system takes within a second. pino calls it for a fatal error. */
  flushSync(): void {
    this.#writeNow(PATIENCE_MS);
  }

  #writeNext(): void {
    if (this.#rest.length === 0) this.#rest = this.#take();
    if (this.#rest.length === 0) return this.#end();
    this.#isWriting = true;
    write(this.fd, this.#rest, (error, written) => {
      this.#isWriting = false;
      this.#isStuck = error !== null;
      if (error) return this.#end();
      this.#rest = this.#rest.subarray(written);
      const isDue = this.#flushed.length > 0 || this.#waiting.length >= GATHERED;
      if (this.#rest.length > 0 || isDue) this.#writeNext();
    });
  }

  #writeNow(patienceMs: number): void {
    const until = performance.now() + patienceMs;
    // A write that has begun ends by itself. Only what comes after it is written here.
    let text = this.#isWriting ? this.#take() : Buffer.concat([this.#rest, this.#take()]);
    if (!this.#isWriting) this.#rest = NOTHING;
    while (text.length > 0) {
      try {
        text = text.subarray(writeSync(this.fd, text));
      } catch (error) {
        const isBusy = (error as NodeJS.ErrnoException).code === 'EAGAIN';
        if (!isBusy || performance.now() >= until) break;
        Atomics.wait(CLOCK, 0, 0, PAUSE_MS);
      }
    }
    if (text.length > 0) this.#rest = Buffer.concat([this.#rest, text]);
  }

  #take(): Buffer {
    const text = Buffer.from(this.#waiting);
    this.#waiting = '';
    return text;
  }

  #end(): void {
    for (const done of this.#flushed.splice(0)) done();
  }
}
