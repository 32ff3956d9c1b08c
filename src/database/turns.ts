import { AppError } from '../errors.ts';
import { messages } from '../messages.ts';
import { timed } from '../runtime/trace.ts';

const RETRY_SECONDS = 2;

/** Requests that may wait at one gate. */
const MOST_WAITING = 1_000;

/** Lets so many in at a time. The others wait, in the order in which they came. */
class Gate {
  #inside = 0;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly most: number) {}

  get isEmpty(): boolean {
    return this.#inside === 0;
  }

  /** Goes in at once when there is room; somebody who waits is never passed, since `leave` hands its room over. */
  tryEnter(): boolean {
    if (this.#inside >= this.most) return false;
    this.#inside += 1;
    return true;
  }

  /** @throws UNAVAILABLE when too many wait already, or when the signal comes first */
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
 * What a write is known to lock, or what kind of write it is, and how many writes that share it may use a connection
 * at a time. In the order in which turns are taken: the narrowest first, so that who waits for a narrow one does not
 * hold a wide one meanwhile.
 */
const AT_A_TIME = {
  /** One login at a time of a person: whoever locks that person's rows holds up nobody else's login. */
  person: 1,
  /** One waits for the lock while the other holds it, so that the lock is never idle. */
  cell: 2,
  record: 2,
  /** More than a cell's, so that one locked cell does not hold up the other cells of its batch. */
  batch: 3,
} as const;

type Kind = keyof typeof AT_A_TIME;
const KINDS = Object.keys(AT_A_TIME) as Kind[];

/** Something that a write locks: its kind and its key. */
export type Wanted = readonly [kind: Kind, key: string | number];

/** What a transaction is for, which decides how many connections such transactions may hold together. */
export type Lane = 'write' | 'login';

/** What a write needs a turn for before it may ask for a connection. */
export interface Claim {
  lane: Lane;
  /** Name of the operation: no single operation takes the whole lane. */
  operation: string;
  wants: readonly Wanted[];
}

/** How many connections of a pool each lane may hold. What is left over is for reads, sessions and permissions. */
const lanesOf = (pool: number): Record<Lane, number> => ({
  write: Math.max(1, Math.floor(pool * 0.6)),
  login: Math.max(1, Math.floor(pool * 0.2)),
});

/**
 * Turns of the writes of this process. A write may wait for a row that somebody else has locked, and holds its
 * connection meanwhile. So writes wait here, without a connection, until few others want the same row.
 */
export class Turns {
  readonly #lanes: Record<Lane, Gate>;
  /** Of rows and operations that somebody uses right now. */
  readonly #gates = new Map<string, Gate>();
  readonly #perOperation: number;
  #waiting = 0;

  /** `patienceMs`: longest wait for all the turns of one write together; longer than for a connection, shorter than a request. */
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
   * Does the work when it is its turn. All turns are taken in one fixed order, so that no two writes wait for each other.
   * The work must not ask for turns itself.
   * @throws UNAVAILABLE when too many wait already, or for too long
   */
  async run<T>({ lane, operation, wants }: Claim, work: () => Promise<T>): Promise<T> {
    const most = new Map<string, number>();
    for (const [kind, key] of inOrder(wants)) most.set(`${kind} ${key}`, AT_A_TIME[kind]);
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

function inOrder(wants: readonly Wanted[]): readonly Wanted[] {
  if (wants.length < 2) return wants;
  return wants.toSorted(
    ([kind, key], [otherKind, otherKey]) =>
      KINDS.indexOf(kind) - KINDS.indexOf(otherKind) || (String(key) < String(otherKey) ? -1 : 1),
  );
}
