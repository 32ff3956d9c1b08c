import type { Reader } from '../database/reader.ts';
import { remember } from '../runtime/remember.ts';
import type { Order, Place } from './keyset.ts';

/** A counted total, and the PostgreSQL snapshot in which it was counted. */
export interface Total {
  total: number;
  snapshot: string;
}

/** A cached total. */
export interface KnownTotal extends Total {
  /** About how many rows the list's table had when it was counted, or at most, if PostgreSQL has not analysed it. */
  of: number;
  /** The place of the first row in the list's order, by the direction of that order. */
  first?: Partial<Record<Order['direction'], Place>> | undefined;
}

/** What lists need of `Totals`. */
export type KeptTotals = Pick<Totals, 'find' | 'keep'>;

/**
 * SQL that returns the snapshot of a statement. A standby does not list running transactions. There, every transaction
 * that is not older than the oldest running one counts as running.
 */
export const SNAPSHOT = `(select case when pg_is_in_recovery() then format('%1$s:%1$s:', pg_snapshot_xmin(s)) else s::text end
  from pg_current_snapshot() s)`;

/** Keys contain values from clients. Longer keys are not cached, to bound memory. */
const LONGEST_KEY = 1_000;
/** Maximum age. It limits stale totals after the database was restored to an earlier state under a running service. */
const MAX_AGE_MS = 60_000;

/** A row takes at least 28 bytes. */
const AUDITED = `select c.relname as c0,
  case when c.reltuples < 0 then pg_relation_size(c.oid) / 28 else c.reltuples end::float8 as c1
from pg_class c join pg_trigger t on t.tgrelid = c.oid
where c.relnamespace = current_schema()::regnamespace and t.tgname = 'auditar_insert'`;

/**
 * Cache of totals. A total is valid while none of its tables has changed since its snapshot. The audit trail shows
 * every change, also those of other processes and of direct SQL. So a total is used only in a statement that also
 * checks the audit trail (`writtenSince`).
 */
export class Totals {
  readonly #totals = new Map<string, KnownTotal & { until: number }>();
  #audited: { rows: Promise<ReadonlyMap<unknown, number>>; until: number } | undefined;

  constructor(private readonly reader: Reader) {}

  /** The cached total of this key. It may be outdated if its tables changed since its snapshot. */
  find(key: string): KnownTotal | undefined {
    const found = this.#totals.get(key);
    return found && found.until > performance.now() ? found : undefined;
  }

  /** Caches a total of these tables, if all of them are audited. The first one is the list's own. */
  async keep(key: string, tables: readonly string[], { total, snapshot }: Total): Promise<void> {
    const of = key.length > LONGEST_KEY ? undefined : await this.#rowsOf(tables);
    if (of === undefined) return;
    // A total that is counted anew is the newest one again.
    this.#totals.delete(key);
    remember(this.#totals, key, { total, snapshot, of, until: performance.now() + MAX_AGE_MS });
  }

  /** About how many rows the first of these tables has; undefined if not all of them are audited. */
  async #rowsOf(tables: readonly string[]): Promise<number | undefined> {
    // Read again from time to time, because tables are created and grow after the services are opened.
    if (!this.#audited || this.#audited.until <= performance.now())
      this.#audited = {
        rows: this.reader.rows(AUDITED, []).then(rows => new Map(rows as [unknown, number][])),
        until: performance.now() + MAX_AGE_MS,
      };
    try {
      const audited = await this.#audited.rows;
      return tables.every(table => audited.has(table)) ? audited.get(tables[0]) : undefined;
    } catch {
      // The total was read successfully, so the answer must not fail.
      this.#audited = undefined;
      return undefined;
    }
  }
}

/**
 * SQL condition: whether a transaction that the snapshot (a parameter) does not see has changed one of these tables.
 * PostgreSQL evaluates it once per statement, not once per row.
 */
export const writtenSince = (tables: readonly string[], parameter: string): string =>
  `(select auditoria_escrita_desde(array[${tables.map(table => `'${table}'`).join(', ')}], ${parameter}::pg_snapshot))`;
