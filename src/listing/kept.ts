import type { Reader } from '../database/reader.ts';

/** A result, with a PostgreSQL snapshot that is not newer than the result; undefined if unknown. */
interface Reading {
  snapshot: string | undefined;
}

/** Capacity, and the weight of one entry. */
interface Bounds<T> {
  most: number;
  weigh: (reading: T) => number;
}

/** Keys contain values from clients. Longer keys are not cached, to bound memory. */
const LONGEST_KEY = 1_000;
/** Maximum age. It limits stale entries after the database was restored to an earlier state under a running service. */
const MAX_AGE_MS = 60_000;

/**
 * Cache of list reads. An entry is valid while none of its tables changed since its snapshot. The audit trail shows
 * every change (`writtenSince`), also those of other processes and of direct SQL, so callers check each hit against
 * it.
 */
export class ReadCache<T extends Reading> {
  readonly #entries = new Map<string, { reading: T; weight: number; until: number }>();
  /** Running reads; each resolves to whether its result was cached. */
  readonly #underWay = new Map<string, Promise<boolean>>();
  readonly #bounds: Bounds<T>;
  #weight = 0;

  constructor(
    private readonly audited: Audited,
    bounds: Bounds<T>,
  ) {
    this.#bounds = bounds;
  }

  /** The entry of this key. The caller must check that it is still valid. */
  find(key: string): T | undefined {
    const found = this.#entries.get(key);
    return found && found.until > performance.now() ? found.reading : undefined;
  }

  /**
   * Waits for a running read of the same key, if there is one. Returns whether its result was cached, so that
   * concurrent requests for the same page read it once.
   */
  async wasRead(key: string): Promise<boolean> {
    const underWay = this.#underWay.get(key);
    return underWay !== undefined && (await underWay);
  }

  /** Reads from these tables and caches the result. */
  async read(key: string, tables: readonly string[], read: () => Promise<T>): Promise<T> {
    // Without caching, a waiting request would gain nothing.
    if (!(await this.#isCacheable(key, tables))) return read();
    const reading = read();
    const cached = reading.then(found => this.#put(key, found)).catch(() => false);
    this.#underWay.set(key, cached);
    try {
      return await reading;
    } finally {
      await cached;
      this.#underWay.delete(key);
    }
  }

  /** Caches a result that was read from these tables. */
  async keep(key: string, tables: readonly string[], reading: T): Promise<void> {
    if (await this.#isCacheable(key, tables)) this.#put(key, reading);
  }

  /** Whether a result may be cached: all tables are audited, and the key is short enough. */
  async #isCacheable(key: string, tables: readonly string[]): Promise<boolean> {
    if (key.length > LONGEST_KEY) return false;
    try {
      return await this.audited.has(tables);
    } catch {
      // Caching is optional. If the database is away, the read itself reports it.
      return false;
    }
  }

  #put(key: string, reading: T): boolean {
    const weight = this.#bounds.weigh(reading);
    if (reading.snapshot === undefined || weight > this.#bounds.most) return false;
    this.#drop(key);
    this.#weight += weight;
    this.#entries.set(key, { reading, weight, until: performance.now() + MAX_AGE_MS });
    // The oldest entry goes first.
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#bounds.most) break;
      this.#drop(oldest);
    }
    return true;
  }

  #drop(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}

const AUDITED = `select c.relname as c0 from pg_class c join pg_trigger t on t.tgrelid = c.oid
where c.relnamespace = current_schema()::regnamespace and t.tgname = 'auditar_insert'`;

/** The tables that the audit trail covers. */
export class Audited {
  #tables: Promise<ReadonlySet<unknown>> | undefined;

  constructor(private readonly reader: Reader) {}

  /** Whether all these tables are audited. */
  async has(tables: readonly string[]): Promise<boolean> {
    // Read at first use, because the tables may be created after the services are opened.
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
 * SQL condition: whether a transaction that is invisible to the snapshot (a parameter) changed one of these tables.
 * The index returns the newest changes first, so few rows are visited.
 */
export function writtenSince(tables: readonly string[], parameter: string): string {
  const snapshot = `${parameter}::pg_snapshot`;
  const written = tables.map(
    table => `(select true from auditoria a where a.tabela = '${table}' and a.transacao >= pg_snapshot_xmin(${snapshot})
    and not pg_visible_in_snapshot(a.transacao, ${snapshot}) order by a.transacao desc limit 1) is not null`,
  );
  return `(${written.join(' or ')})`;
}
