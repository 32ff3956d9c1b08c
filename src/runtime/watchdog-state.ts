/** Most requests in the memory, and bytes for each: its id and the start of its operation. */
const PLACES = 64;
const PLACE_BYTES = 256;

/** Indexes of the counters at the start of the memory. */
const BEATS = 0;
const BLOCKS = 1;
const STOPPING = 2;
const INSPECTED = 3;
const HEADER_BYTES = 16;

export interface RequestInWork {
  requestId: string;
  operation?: string;
}

/**
 * State that a process shares with its watchdog thread. It is shared memory, because a blocked thread sends no
 * messages.
 */
export class WatchdogState {
  readonly #numbers: Int32Array;
  readonly #places: Buffer[];
  readonly #free: number[];

  constructor(readonly memory = new SharedArrayBuffer(HEADER_BYTES + PLACES * PLACE_BYTES)) {
    this.#numbers = new Int32Array(memory, 0, HEADER_BYTES / 4);
    this.#places = Array.from({ length: PLACES }, (_, i) =>
      Buffer.from(memory, HEADER_BYTES + i * PLACE_BYTES, PLACE_BYTES),
    );
    this.#free = this.#places.map((_, i) => i);
  }

  /** Called by the event loop at intervals while it runs. */
  beat(isInspected: boolean): void {
    Atomics.store(this.#numbers, INSPECTED, Number(isInspected));
    Atomics.add(this.#numbers, BEATS, 1);
  }

  get beats(): number {
    return Atomics.load(this.#numbers, BEATS);
  }

  /** Whether a debugger may have paused the event loop. */
  get isInspected(): boolean {
    return Atomics.load(this.#numbers, INSPECTED) === 1;
  }

  stopping(): void {
    Atomics.store(this.#numbers, STOPPING, 1);
  }

  get isStopping(): boolean {
    return Atomics.load(this.#numbers, STOPPING) === 1;
  }

  /** Called by the watchdog. */
  blocked(): void {
    Atomics.add(this.#numbers, BLOCKS, 1);
  }

  /** Number of times that the event loop was blocked. */
  get blocks(): number {
    return Atomics.load(this.#numbers, BLOCKS);
  }

  /** Reserves an entry for a new request; undefined when all are taken. */
  enter(requestId: string): number | undefined {
    const place = this.#free.pop();
    if (place !== undefined) this.#write(place, requestId);
    return place;
  }

  note(place: number, requestId: string, operation: string): void {
    this.#write(place, `${requestId} ${operation}`);
  }

  leave(place: number): void {
    this.#write(place, '');
    this.#free.push(place);
  }

  get requests(): RequestInWork[] {
    const texts = this.#places.map(place => place.toString('latin1', 1, 1 + place[0]!));
    return texts.filter(Boolean).map(text => {
      const [requestId = '', ...operation] = text.split(' ');
      return { requestId, ...(operation.length > 0 && { operation: operation.join(' ') }) };
    });
  }

  /** Writes the length first. */
  #write(place: number, text: string): void {
    const bytes = this.#places[place]!;
    bytes[0] = bytes.write(text, 1, 'latin1');
  }
}

/** The state of this process. There is only one, because there is one event loop. */
export const watchdogState = new WatchdogState();
