import { AppError } from '../errors.ts';
import { databaseTexts } from './messages.ts';
import { Gate, Gates } from '../runtime/gates.ts';
import { timed } from '../runtime/trace.ts';

const RETRY_SECONDS = 2;

/** Limit of waiting requests at one gate. */
const MOST_WAITING = 1_000;

const busy = (): AppError =>
  new AppError('UNAVAILABLE', { detail: databaseTexts.tooManyWrites, retryAfter: RETRY_SECONDS });

/**
 * How many writes that lock the same thing may use a connection at a time, by kind. Gates are entered in the order of
 * the kinds, narrowest first, so that a write does not hold a wide gate while it waits for a narrow one.
 */
const AT_A_TIME = {
  /** One login of a person at a time, so that a lock on that person's rows delays no other login. */
  person: 1,
  /** The second one waits for the row lock while the first one holds it, so that the lock is never idle. */
  cell: 2,
  record: 2,
  /** More than for a cell, so that a locked cell does not delay other cells of the batch. */
  batch: 3,
} as const;

/**
 * Time after which a write no longer counts as at work, because it most likely waits for a lock. It keeps its connection.
 */
const AT_WORK_MS = 50;

type Kind = keyof typeof AT_A_TIME;
const KINDS = Object.keys(AT_A_TIME) as Kind[];

/** Something that a write locks: its kind and its key. */
export type Lock = readonly [kind: Kind, key: string | number];

/** Purpose of a transaction. All transactions of a lane share its limit of connections. */
export type Lane = 'write' | 'login';

/** What a write needs before it may take a connection. */
export interface Claim {
  lane: Lane;
  /** Name of the operation. One operation cannot use all connections of a lane. */
  operation: string;
  locks: readonly Lock[];
}

const share = (pool: number, of: number): number => Math.max(1, Math.floor(pool * of));

/** Connections of a pool for each lane. The others are for reads, sessions and permissions. */
const lanesOf = (pool: number): Record<Lane, number> => ({
  write: share(pool, 0.6),
  login: share(pool, 0.2),
});

/** Writes at work at a time beside other work. More of them leave less of the processors to reads (decision 101). */
const atWorkOf = (pool: number): number => share(pool, 0.2);

/** Time without reads and logins after which all writes that have a connection may be at work. */
const CALM_MS = 100;

/**
 * Limits the concurrent writes of this process. A write that waits for a row lock would occupy a connection. So writes
 * wait here first, without a connection, until only a few others lock the same row.
 */
export class Turns {
  readonly #gates: Record<Kind | Lane | 'operation', Gates<string>>;
  readonly #atWork: Gate;
  #waiting = 0;
  #refused = 0;
  #loggedInAt = 0;

  /**
   * `patienceMs`: longest wait of one write for all its gates. It is longer than the wait for a connection and shorter
   * than the time limit of a request. `reads`: when the latest read came.
   */
  constructor(
    pool: number,
    private readonly patienceMs: number,
    reads: { readonly latest: number },
  ) {
    const lanes = lanesOf(pool);
    const most = { ...AT_A_TIME, ...lanes, operation: Math.max(1, lanes.write - 1) };
    const gates = Object.entries(most).map(([name, count]) => [name, new Gates(count, MOST_WAITING)]);
    this.#gates = Object.fromEntries(gates) as Record<keyof typeof most, Gates<string>>;
    const isCalm = (): boolean => performance.now() - Math.max(reads.latest, this.#loggedInAt) > CALM_MS;
    this.#atWork = new Gate(() => (isCalm() ? lanes.write : atWorkOf(pool)), MOST_WAITING);
  }

  /** Number of writes that wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Number of refused writes since the start. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Runs the work after entering all gates. Gates are entered in a fixed order, so that writes cannot deadlock. The
   * work must not call `run` itself.
   * @throws UNAVAILABLE when too many writes wait, or this one waits too long
   */
  async run<T>({ lane, operation, locks }: Claim, work: () => Promise<T>): Promise<T> {
    const way = new Map<string, Gates<string>>();
    for (const [kind, key] of inOrder(locks)) way.set(`${kind} ${key}`, this.#gates[kind]);
    if (lane === 'write') way.set(operation, this.#gates.operation);
    else this.#loggedInAt = performance.now();
    way.set(lane, this.#gates[lane]);
    const entered: [string, Gates<string>][] = [];
    const end = performance.now() + this.patienceMs;
    try {
      for (const [key, gates] of way) {
        if (!gates.tryEnter(key)) await this.#wait(gates.wait(key, end));
        entered.push([key, gates]);
      }
      return await (lane === 'write' ? this.#runAtWork(work, end) : work());
    } finally {
      for (const [key, gates] of entered) gates.leave(key);
    }
  }

  async #runAtWork<T>(work: () => Promise<T>, end: number): Promise<T> {
    const gate = this.#atWork;
    if (!gate.tryEnter()) await this.#wait(gate.wait(end));
    let isInside = true;
    const leave = (): void => {
      if (isInside) gate.leave();
      isInside = false;
    };
    const timer = setTimeout(leave, AT_WORK_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  async #wait(wait: Promise<boolean>): Promise<void> {
    this.#waiting += 1;
    const hasEntered = await timed(wait).finally(() => (this.#waiting -= 1));
    if (hasEntered) return;
    this.#refused += 1;
    throw busy();
  }
}

function inOrder(locks: readonly Lock[]): readonly Lock[] {
  if (locks.length < 2) return locks;
  return locks.toSorted(
    ([kind, key], [otherKind, otherKey]) =>
      KINDS.indexOf(kind) - KINDS.indexOf(otherKind) || (String(key) < String(otherKey) ? -1 : 1),
  );
}
