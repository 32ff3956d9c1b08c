import type { Reader } from '../database/reader.ts';

/** A counted total, and the PostgreSQL snapshot in which it was counted. */
export interface Total {
  total: number;
  snapshot: string;
}

/** What lists need of `Totals`. */
export type KeptTotals = Pick<Totals, 'find' | 'keep'>;

/**
 * SQL that returns the snapshot of a statement. A standby does not list running transactions. There, every transaction
 * that is not older than the oldest running one counts as running.
 */
export const SNAPSHOT = `(select case when pg_is_in_recovery() then format('%1$s:%1$s:', pg_snapshot_xmin(s)) else s::text end
  from pg_current_snapshot() s)`;

const MOST = 5_000;
/** Keys contain values from clients. Longer keys are not cached, to bound memory. */
const LONGEST_KEY = 1_000;
/** Maximum age. It limits stale totals after the database was restored to an earlier state under a running service. */
const MAX_AGE_MS = 60_000;

const AUDITED = `select c.relname as c0 from pg_class c join pg_trigger t on t.tgrelid = c.oid
where c.relnamespace = current_schema()::regnamespace and t.tgname = 'auditar_insert'`;

/**
 * Cache of totals. A total is valid while none of its tables has changed since its snapshot. The audit trail shows
 * every change, also those of other processes and of direct SQL. So a total is used only in a statement that also
 * checks the audit trail (`writtenSince`).
 */
export class Totals {
  readonly #totals = new Map<string, Total & { until: number }>();
  #audited: Promise<ReadonlySet<unknown>> | undefined;

  constructor(private readonly reader: Reader) {}

  /** The cached total of this key. It may be outdated if its tables changed since its snapshot. */
  find(key: string): Total | undefined {
    const found = this.#totals.get(key);
    return found && found.until > performance.now() ? found : undefined;
  }

  /** Caches a total of these tables, if all of them are audited. */
  async keep(key: string, tables: readonly string[], { total, snapshot }: Total): Promise<void> {
    if (key.length > LONGEST_KEY || !(await this.#areAudited(tables))) return;
    this.#totals.delete(key);
    this.#totals.set(key, { total, snapshot, until: performance.now() + MAX_AGE_MS });
    // The oldest total is removed first.
    for (const oldest of this.#totals.keys()) {
      if (this.#totals.size <= MOST) break;
      this.#totals.delete(oldest);
    }
  }

  async #areAudited(tables: readonly string[]): Promise<boolean> {
    // Read at first use, because the tables may be created after the services are opened.
    this.#audited ??= this.reader.rows(AUDITED, []).then(rows => new Set(rows.flat()));
    try {
      const audited = await this.#audited;
      return tables.every(table => audited.has(table));
    } catch {
      // The total was read successfully, so the answer must not fail.
      this.#audited = undefined;
      return false;
    }
  }
}

/**
 * SQL condition: whether a transaction that the snapshot (a parameter) does not see has changed one of these tables.
 * PostgreSQL evaluates it once per statement, not once per row.
 */
export const writtenSince = (tables: readonly string[], parameter: string): string =>
  `(select auditoria_escrita_desde(array[${tables.map(table => `'${table}'`).join(', ')}], ${parameter}::pg_snapshot))`;
