import type { EntityMetadata } from '@mikro-orm/core';
import type { Picked } from './plans.ts';
import type { Reader } from './reader.ts';

/** A total, and the snapshot of the database in which it was counted, as PostgreSQL writes it. */
export interface Total {
  total: number;
  snapshot: string;
}

/** How many totals are kept; the one that was kept longest goes first. */
const MOST = 5_000;
/** A key is made of values that clients send: long ones are not worth their memory. */
const LONGEST_KEY = 1_000;
/** Bounds the harm of a database that was put back to an earlier state under a running service. */
const KEPT_MS = 60_000;

const AUDITED = `select c.relname as c0 from pg_class c join pg_trigger t on t.tgrelid = c.oid
where c.relnamespace = current_schema()::regnamespace and t.tgname = 'auditar_insert'`;

/**
 * Totals counted before. One is as true as a new one while no record of its tables was written since its snapshot,
 * which the statement that reads the page asks the audit trail: in the same snapshot as its rows, by whichever process
 * or hand the write was made.
 */
export class Totals {
  readonly #kept = new Map<string, Total & { until: number }>();
  /** Counts under way; each says at last whether its total is kept. */
  readonly #counting = new Map<string, Promise<boolean>>();
  #audited: ReadonlySet<unknown> | undefined;

  constructor(private readonly reader: Reader) {}

  /** The total kept of all that is picked, which is to be checked. */
  find(entity: EntityMetadata, all: Picked): Total | undefined {
    const found = this.#kept.get(keyOf(entity, all));
    return found && found.until > performance.now() ? found : undefined;
  }

  /**
   * Whether somebody else was counting the same, which is waited for: many who ask at once for what is dear to count
   * then make one count of it.
   */
  async wasCounted(entity: EntityMetadata, all: Picked): Promise<boolean> {
    const counting = this.#counting.get(keyOf(entity, all));
    return counting !== undefined && (await counting);
  }

  /** Counts all that is picked from these tables, and keeps the total if the audit trail tells of every write to them. */
  async count(
    entity: EntityMetadata,
    all: Picked,
    tables: readonly string[],
    read: () => Promise<Total>,
  ): Promise<number> {
    // Asked when the first total is, since the tables are made after the services are opened.
    this.#audited ??= new Set((await this.reader.rows(AUDITED, [])).flat());
    const key = keyOf(entity, all);
    const counting = read();
    if (key.length > LONGEST_KEY || !tables.every(table => this.#audited!.has(table)))
      return (await counting).total;
    const kept = counting.then(
      total => this.#keep(key, total),
      () => false,
    );
    this.#counting.set(key, kept);
    void kept.finally(() => this.#counting.delete(key));
    return (await counting).total;
  }

  #keep(key: string, total: Total): true {
    this.#kept.delete(key);
    if (this.#kept.size >= MOST) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, { ...total, until: performance.now() + KEPT_MS });
    return true;
  }
}

const keyOf = ({ className }: EntityMetadata, { query, values }: Picked): string =>
  JSON.stringify([className, query.filters, values]);

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
