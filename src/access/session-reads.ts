import type { Pool } from 'pg';
import { unlessReadOnly } from '../database/primary.ts';
import {
  readAll,
  type Composed,
  type CursorPlace,
  type PipeliningReader,
  type Reader,
  type Statement,
} from '../database/reader.ts';
import { bytesOf, POSITION, type Standby } from '../database/standby.ts';
import type { Standbys } from '../database/standbys.ts';
import type { KeptTotals } from '../listing/totals.ts';

/** SQL of the last position that a session `s` has seen or written, in bytes of the primary's log; null if unknown. */
export const SEEN = `(select ${bytesOf('q.posicao')} from posicao_sessao q where q.id_sessao = s.id)`;

/**
 * Stores that sessions may have seen everything up to now. The commit does not wait for the disk, because after a crash
 * the position is useless: reads then go to the primary until all positions are known again.
 */
const markWhere = (which: string): string => `with now as (select ${POSITION} as posicao), marked as (
  insert into posicao_sessao as q (id_sessao, posicao)
  select s.id, now.posicao from now, sessao s
  where ${which}
    and not exists (select from posicao_sessao p where p.id_sessao = s.id and p.posicao >= now.posicao)
  order by s.id
  on conflict (id_sessao) do update set posicao = greatest(q.posicao, excluded.posicao)
) select ${bytesOf('now.posicao')} as c0, set_config('synchronous_commit', 'off', true) as c1 from now`;

/** The mark of session $1, and of the sessions $1. */
export const MARK = markWhere('s.id = $1');
export const MARK_ALL = markWhere('s.id = any ($1::int[])');

/** A server to read from: its connections, and the totals that were counted there. */
export interface Place {
  reader: PipeliningReader;
  exports: Pool;
  totals: KeptTotals;
}

export interface StandbyPlace extends Place {
  standby: Standby;
}

/** Which positions the sessions have seen, as far as this process knows. */
export interface Seen {
  /** The position; undefined if unknown. */
  seenBy(id: number): number | undefined;
  sees(id: number, position: number): void;
}

/** The server that serves a request, and the position that it had reached when it was chosen. */
interface Choice {
  place: Place;
  had: number;
}

/** SQLSTATE of a statement that took too long. Another server would not be faster. */
const TOO_LONG = '57014';

/**
 * Reads for a request of a session. They go to the session's standby if that has replayed everything that the session
 * has seen and written; otherwise to the primary. Everything read on the primary counts as seen, in all processes. A
 * read that fails on the standby is repeated on the primary: the standby may be lost, may have cancelled the read
 * because of replay, or may not have the newest tables yet.
 */
export class SessionReads implements Reader {
  readonly #places: { primary: Place; standby: StandbyPlace };
  #chosen: Promise<Choice> | undefined;
  /** The position that the session has seen, as read in this request. */
  #least = -1;
  /** Resolves when it is known which position the session has seen. */
  #checked: Promise<void> | undefined;

  constructor(
    private readonly id: number,
    private readonly seen: Seen,
    { primary, standby }: { primary: Place; standby: StandbyPlace },
    private readonly standbys: Standbys,
  ) {
    this.#places = { primary, standby };
  }

  async rows(text: string, values: readonly unknown[], composed?: Composed): Promise<unknown[][]> {
    const [rows] = await this.together([{ text, values, composed }]);
    return rows!;
  }

  async together(statements: readonly Statement[]): Promise<unknown[][][]> {
    return this.#somewhere(
      ({ reader }) => readAll(reader, statements),
      ({ reader }) => this.#marking(reader, statements),
    );
  }

  /** Reads the session on the primary, and the statements in parallel, on the standby if possible. */
  async withSession(session: Statement, statements: readonly Statement[]): Promise<unknown[][][]> {
    const asked = readAll(this.#places.primary.reader, [session]).then(([rows]) => rows!);
    this.#checked = this.#check(asked);
    // `asked` is awaited below and reports the error.
    this.#checked.catch(() => undefined);
    const [rows, found] = await Promise.all([asked, readAll(this, statements)]);
    return [rows, ...found];
  }

  /**
   * Totals of the server that is read from. Totals of the standby are also valid on the primary, which is never older.
   * Totals of the primary could be newer than the standby's rows.
   */
  get totals(): KeptTotals {
    return {
      find: key => this.#places.standby.totals.find(key),
      keep: async (...kept) => (await this.#choice()).place.totals.keep(...kept),
    };
  }

  /** Batches of rows from a cursor, on the server that serves this request. */
  async *batches<T>(
    read: (at: Pick<CursorPlace, 'pool' | 'reader'>) => AsyncGenerator<T, void>,
  ): AsyncGenerator<T, void> {
    const begin = ({ exports, reader }: Place) => begun(read({ pool: exports, reader }));
    const [first, others] = await this.#somewhere(begin, async place => {
      const batches = await begin(place);
      await place.reader.rows(MARK, [this.id]).then(rows => this.#sees(rows), unlessReadOnly);
      return batches;
    });
    try {
      if (first.done) return;
      yield first.value;
      yield* others;
    } finally {
      await others.return();
    }
  }

  async #somewhere<T>(
    onStandby: (place: Place) => Promise<T>,
    onPrimary: (place: Place) => Promise<T>,
  ): Promise<T> {
    const { counts } = this.standbys;
    const { place, had } = await this.#choice();
    if (place !== this.#places.primary) {
      const [read] = await Promise.allSettled([onStandby(place)]);
      await this.#checked;
      if (had < this.#least) return this.#somewhere(onStandby, onPrimary);
      if (read.status === 'fulfilled') {
        counts.standby += 1;
        return read.value;
      }
      if ((read.reason as { code?: unknown }).code === TOO_LONG) throw read.reason;
      this.#chosen = this.#onPrimary();
    }
    counts.primary += 1;
    return onPrimary(this.#places.primary);
  }

  /** The server for this request. It is chosen again if the session turns out to have seen more than was assumed. */
  async #choice(): Promise<Choice> {
    const choice = await (this.#chosen ??= this.#choose());
    if (choice.had >= this.#least) return choice;
    return (this.#chosen = this.#choose());
  }

  async #check(asked: Promise<unknown[][]>): Promise<void> {
    const [row] = await asked;
    if (row) this.#least = (row.at(-1) as number | null) ?? Infinity;
  }

  async #choose(): Promise<Choice> {
    const place = this.#places.standby;
    const seen = Math.max(this.seen.seenBy(this.id) ?? Infinity, this.#least);
    if (seen === Infinity || !place.standby.isFresh || !(await place.standby.reach(seen)))
      return this.#onPrimary();
    const had = place.standby.replayed;
    return had >= seen ? { place, had } : this.#onPrimary();
  }

  async #onPrimary(): Promise<Choice> {
    return { place: this.#places.primary, had: Infinity };
  }

  /** Reads on the primary, and in the same trip stores that the session has seen it. */
  async #marking(reader: PipeliningReader, statements: readonly Statement[]): Promise<unknown[][][]> {
    const mark = { text: MARK, values: [this.id] };
    try {
      const found = await reader.together([...statements, mark]);
      this.#sees(found.pop()!);
      return found;
    } catch (error) {
      unlessReadOnly(error);
    }
    return readAll(reader, statements);
  }

  #sees([row]: unknown[][]): void {
    this.seen.sees(this.id, row![0] as number);
  }
}

/** The first batch, which proves that the server can answer, and the rest. */
async function begun<T>(
  batches: AsyncGenerator<T, void>,
): Promise<[first: IteratorResult<T, void>, others: AsyncGenerator<T, void>]> {
  return [await batches.next(), batches];
}
