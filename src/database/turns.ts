import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import { timed } from '../runtime/trace.ts';

const RETRY_SECONDS = 2;

/** Limit of waiting requests at one gate. */
const MOST_WAITING = 1_000;

/** Admits a limited number at a time. The others wait in order of arrival. */
class Gate {
  #inside = 0;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly most: number) {}

  get isEmpty(): boolean {
    return this.#inside === 0;
  }

  /** Enters if there is room. It never overtakes a waiting one, because `leave` passes its room on. */
  tryEnter(): boolean {
    if (this.#inside >= this.most) return false;
    this.#inside += 1;
    return true;
  }

  /** @throws UNAVAILABLE when too many wait already, or when the signal aborts first */
  wait(late: AbortSignal): Promise<void> {
    if (this.#waiting.size >= MOST_WAITING || late.aborted) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        late.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(enter);
        reject(busy());
      };
      late.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(enter);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#inside -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

const busy = (): AppError =>
  new AppError('UNAVAILABLE', { detail: messages.tooManyWrites, retryAfter: RETRY_SECONDS });

/**
 * How many writes that lock the same thing may use a connection at a time, by kind. The order of the kinds is the
 * order of entering: the narrowest first, so that a write does not hold a wide gate while it waits for a narrow one.
 */
const AT_A_TIME = {
  /** One login of a person at a time: a lock on that person's rows then delays no other login. */
  person: 1,
  /** The second one waits for the row lock while the first one holds it, so that the lock is never idle. */
  cell: 2,
  record: 2,
  /** More than for a cell, so that a locked cell does not delay other cells of the batch. */
  batch: 3,
} as const;

type Kind = keyof typeof AT_A_TIME;
const KINDS = Object.keys(AT_A_TIME) as Kind[];

/** Something that a write locks: its kind and its key. */
export type Lock = readonly [kind: Kind, key: string | number];

/** Purpose of a transaction. It limits the connections of all such transactions together. */
export type Lane = 'write' | 'login';

/** What a write needs before it may take a connection. */
export interface Claim {
  lane: Lane;
  /** Name of the operation. One operation cannot take all connections of a lane. */
  operation: string;
  locks: readonly Lock[];
}

/** Connections of a pool for each lane. The rest is for reads, sessions and permissions. */
const lanesOf = (pool: number): Record<Lane, number> => ({
  write: Math.max(1, Math.floor(pool * 0.6)),
  login: Math.max(1, Math.floor(pool * 0.2)),
});

/**
 * Limits concurrent writes of this process. A write that waits for a row lock holds a connection. So writes wait here
 * first, without a connection, until few others lock the same row.
 */
export class Turns {
  readonly #lanes: Record<Lane, Gate>;
  /** Gates of rows and operations that are in use. */
  readonly #gates = new Map<string, Gate>();
  readonly #perOperation: number;
  #waiting = 0;

  /**
   * `patienceMs`: longest wait of one write for all its gates. It is longer than the wait for a connection and shorter
   * than a request.
   */
  constructor(
    pool: number,
    private readonly patienceMs: number,
  ) {
    const { write, login } = lanesOf(pool);
    this.#lanes = { write: new Gate(write), login: new Gate(login) };
    this.#perOperation = Math.max(1, write - 1);
  }

  /** How many writes wait for a turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs the work after entering all gates. Gates are entered in a fixed order, so that writes cannot deadlock. The
   * work must not call `run` itself.
   * @throws UNAVAILABLE when too many writes wait, or this one waits too long
   */
  async run<T>({ lane, operation, locks }: Claim, work: () => Promise<T>): Promise<T> {
    const most = new Map<string, number>();
    for (const [kind, key] of inOrder(locks)) most.set(`${kind} ${key}`, AT_A_TIME[kind]);
    if (lane === 'write') most.set(`operation ${operation}`, this.#perOperation);
    const entered: string[] = [];
    let late: AbortSignal | undefined;
    const enter = async (gate: Gate): Promise<void> => {
      if (gate.tryEnter()) return;
      this.#waiting += 1;
      late ??= AbortSignal.timeout(this.patienceMs);
      await timed(gate.wait(late)).finally(() => (this.#waiting -= 1));
    };
    try {
      for (const [key, count] of most) {
        await enter(this.#gateOf(key, count));
        entered.push(key);
      }
      await enter(this.#lanes[lane]);
      try {
        return await work();
      } finally {
        this.#lanes[lane].leave();
      }
    } finally {
      for (const key of entered) this.#leave(key);
    }
  }

  #gateOf(key: string, most: number): Gate {
    const known = this.#gates.get(key);
    if (known) return known;
    const gate = new Gate(most);
    this.#gates.set(key, gate);
    return gate;
  }

  #leave(key: string): void {
    const gate = this.#gates.get(key)!;
    gate.leave();
    if (gate.isEmpty) this.#gates.delete(key);
  }
}

function inOrder(locks: readonly Lock[]): readonly Lock[] {
  if (locks.length < 2) return locks;
  return locks.toSorted(
    ([kind, key], [otherKind, otherKey]) =>
      KINDS.indexOf(kind) - KINDS.indexOf(otherKind) || (String(key) < String(otherKey) ? -1 : 1),
  );
}
