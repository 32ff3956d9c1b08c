import type { Reader } from '../database/reader.ts';

/** What was read, and a snapshot of the database no later than its own, as PostgreSQL writes it; absent if unknown. */
interface Reading {
  snapshot: string | undefined;
}

/** Most that is kept at a time, and what one reading counts for. */
interface Bounds<T> {
  most: number;
  weigh: (reading: T) => number;
}

/** A key is made of values that clients send: long ones are not worth their memory. */
const LONGEST_KEY = 1_000;
/** Bounds the harm of a database that was put back to an earlier state under a running service. */
const KEPT_MS = 60_000;

/**
 * What was read before. It is as true as if it were read now while no record of its tables was written since its
 * snapshot, which the audit trail tells whoever asks (`writtenSince`), by whichever process or hand the write was made.
 */
export class Kept<T extends Reading> {
  readonly #kept = new Map<string, { reading: T; weight: number; until: number }>();
  /** Reads under way; each says at last whether it is kept. */
  readonly #underWay = new Map<string, Promise<boolean>>();
  readonly #bounds: Bounds<T>;
  #weight = 0;

  constructor(
    private readonly audited: Audited,
    bounds: Bounds<T>,
  ) {
    this.#bounds = bounds;
  }

  /** What is kept under this key, which is to be checked. */
  find(key: string): T | undefined {
    const found = this.#kept.get(key);
    return found && found.until > performance.now() ? found.reading : undefined;
  }

  /**
   * Whether somebody else was reading the same, which is waited for: many who ask at once for what is dear to read then
   * read it once.
   */
  async wasRead(key: string): Promise<boolean> {
    const underWay = this.#underWay.get(key);
    return underWay !== undefined && (await underWay);
  }

  /** Reads from these tables, and keeps what is read. */
  async read(key: string, tables: readonly string[], read: () => Promise<T>): Promise<T> {
    // What cannot be kept is not worth waiting for.
    if (!(await this.#mayKeep(key, tables))) return read();
    const reading = read();
    const kept = reading.then(found => this.#put(key, found)).catch(() => false);
    this.#underWay.set(key, kept);
    try {
      return await reading;
    } finally {
      await kept;
      this.#underWay.delete(key);
    }
  }

  /** Keeps what was read from these tables. */
  async keep(key: string, tables: readonly string[], reading: T): Promise<void> {
    if (await this.#mayKeep(key, tables)) this.#put(key, reading);
  }

  /** Whether the audit trail tells of every write to these tables, and the key is worth its memory. */
  async #mayKeep(key: string, tables: readonly string[]): Promise<boolean> {
    if (key.length > LONGEST_KEY) return false;
    try {
      return await this.audited.has(tables);
    } catch {
      // To keep is only to be faster: the read itself tells whether the database can be asked.
      return false;
    }
  }

  #put(key: string, reading: T): boolean {
    const weight = this.#bounds.weigh(reading);
    if (reading.snapshot === undefined || weight > this.#bounds.most) return false;
    this.#drop(key);
    this.#weight += weight;
    this.#kept.set(key, { reading, weight, until: performance.now() + KEPT_MS });
    // The one that was kept longest goes first.
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#bounds.most) break;
      this.#drop(oldest);
    }
    return true;
  }

  #drop(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }
}

const AUDITED = `select c.relname as c0 from pg_class c join pg_trigger t on t.tgrelid = c.oid
where c.relnamespace = current_schema()::regnamespace and t.tgname = 'auditar_insert'`;

/** The tables of whose writes the audit trail tells. */
export class Audited {
  #tables: Promise<ReadonlySet<unknown>> | undefined;

  constructor(private readonly reader: Reader) {}

  /** Whether these are all among them. */
  async has(tables: readonly string[]): Promise<boolean> {
    // Asked when something is first to be kept, since the tables are made after the services are opened.
    this.#tables ??= this.#read();
    const audited = await this.#tables;
    return tables.every(table => audited.has(table));
  }

  async #read(): Promise<ReadonlySet<unknown>> {
    try {
      return new Set((await this.reader.rows(AUDITED, [])).flat());
    } catch (error) {
      this.#tables = undefined;
      throw error;
    }
  }
}

/**
 * SQL: whether a record of one of these tables was written by a transaction that the snapshot, a parameter, does not
 * see. The newest first, by the index: what is looked at is what was written since, and a little before.
 */
export function writtenSince(tables: readonly string[], parameter: string): string {
  const snapshot = `${parameter}::pg_snapshot`;
  const written = tables.map(
    table => `(select true from auditoria a where a.tabela = '${table}' and a.transacao >= pg_snapshot_xmin(${snapshot})
    and not pg_visible_in_snapshot(a.transacao, ${snapshot}) order by a.transacao desc limit 1) is not null`,
  );
  return `(${written.join(' or ')})`;
}
