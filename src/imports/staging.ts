import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { quote } from '../listing/builder.ts';
import { unpreparedReader, type Reader } from '../database/reader.ts';
import { isLocked } from '../database/table-locks.ts';
import type { Entered } from './importable.ts';
import { unreadable } from './messages.ts';
import { listDiffers, listLink, listWrites } from './lists.ts';
import type { ImportPlan } from './plan.ts';
import { Unimportable, type Problem } from './problems.ts';
import type { Staged } from './records.ts';
import type { Row } from './row.ts';
import { AUTHOR, definitions, isRecord, list, target } from './sql.ts';
import { problemsTogether } from './together.ts';

export interface Counts {
  created: number;
  changed: number;
  same: number;
}

/** A row that an earlier one repeats word for word, and that one. */
export interface Repetition {
  row: number;
  first: number;
}

/** Longest wait for other writers, and the pause between two attempts. */
const PATIENCE_MS = 10_000;
const AGAIN_MS = 50;

/** Rows of the file that one statement writes. */
const BATCH = 5_000;
const IN_BATCH = 's.linha > $1 and s.linha <= $2';

/**
 * A file's rows in a temporary table of the transaction. There they are compared with each other and with stored
 * records, and then written.
 */
export class Staging {
  private readonly reader: Reader;
  private readonly columns: { name: string; type: string }[];
  private rows = 0;
  private last = 0;

  private constructor(
    private readonly em: EntityManager,
    private readonly plan: ImportPlan,
  ) {
    this.reader = unpreparedReader(em);
    this.columns = [
      { name: 'linha', type: 'int' },
      { name: 'recusada', type: 'boolean' },
      { name: 'celulas', type: 'jsonb' },
      ...[...plan.columns, ...plan.absent].map(({ staged, type }) => ({ name: staged, type })),
    ];
  }

  static async open(em: EntityManager, plan: ImportPlan): Promise<Staging> {
    const staging = new Staging(em, plan);
    const links = [
      ...plan.links.map(({ column }) => ({ name: column, type: 'int' })),
      ...plan.lists.map(({ keys }) => ({ name: keys, type: 'int[]' })),
    ];
    await staging.run(
      `create temporary table linha_lida (${definitions([...staging.columns, ...links])}) on commit drop`,
    );
    return staging;
  }

  /** Drops the staging table, so that the same transaction can import another file. */
  async close(): Promise<void> {
    await this.run('drop table linha_lida');
  }

  /**
   * Blocks other writers of these records until the transaction ends. Readers are not blocked. It never waits for the
   * table, because other writers would queue behind it: it tries again until the table is free.
   * @throws Unimportable when it is not free in time
   */
  async lock(): Promise<void> {
    const { table, rules } = this.plan;
    const end = performance.now() + PATIENCE_MS;
    await this.run('savepoint livre');
    for (;;) {
      try {
        for (const { first } of rules) await first?.(this.em);
        await this.run(`lock table ${quote(table)} in share row exclusive mode nowait`);
        // Inside of it, new records would not be known as those of this transaction, and their lists would write them again.
        await this.run('release savepoint livre');
        return;
      } catch (error) {
        if (!isLocked(error)) throw error;
        if (performance.now() > end) throw new Unimportable(unreadable.busy(table), { cause: error });
      }
      await this.run('rollback to savepoint livre');
      await sleep(AGAIN_MS);
    }
  }

  /**
   * Problems that need other rows or stored records, in batches of at most `most`, each with the number of further ones
   * of the same kind.
   */
  problems(most: number): AsyncGenerator<[Problem[], number]> {
    return problemsTogether(this.reader, this.plan, most);
  }

  /** Drops rows that an earlier one repeats in all columns. Returns their number and the first `most` of them. */
  async dropRepeated(most: number): Promise<{ total: number; first: Repetition[] }> {
    const values = this.columns
      .filter(({ name }) => !['linha', 'celulas'].includes(name))
      .map(({ name }) => name);
    const found = await this.reader.rows(
      `with seen as (
          select linha, first_value(linha) over (partition by ${list(values)} order by linha) as first
          from linha_lida where not recusada
        ), gone as (
          delete from linha_lida i using seen where seen.linha = i.linha and seen.linha <> seen.first
          returning seen.linha, seen.first
        )
        select linha as c0, first as c1, (count(*) over ())::int as c2 from gone order by linha limit $1`,
      [most],
    );
    const total = (found[0]?.[2] as number | undefined) ?? 0;
    this.rows -= total;
    return { total, first: found.map(([row, first]) => ({ row: row as number, first: first as number })) };
  }

  /** Drops the rows that have problems, and returns them with their cells, if these were kept. */
  async dropRefused(): Promise<Row[]> {
    const gone = await this.run(
      `with gone as (delete from linha_lida where recusada returning linha, celulas)
       select linha as c0, coalesce(celulas, '[]') as c1 from gone order by linha`,
    );
    this.rows -= gone.length;
    return gone.map(([number, cells]) => ({ number: number as number, cells: cells as string[] }));
  }

  async add(rows: readonly Staged[]): Promise<void> {
    this.rows += rows.length;
    this.last = (rows.at(-1)?.['linha'] as number | undefined) ?? this.last;
    const names = this.columns.map(({ name }) => quote(name)).join(', ');
    await this.reader.rows(
      `insert into linha_lida (${names}) select * from jsonb_to_recordset($1::jsonb) as r (${definitions(this.columns)})`,
      [JSON.stringify(rows)],
    );
  }

  /** Looks up the linked records and stores their keys with the rows. */
  async link(): Promise<void> {
    for (const { column, from, by } of this.plan.links) {
      const sought = by.map((part, i) => `${part.sought} as k${i}`).join(', ');
      const match = by
        .map(
          (part, i) =>
            `s.${quote(part.staged)} ${part.mayBeEmpty ? 'is not distinct from' : '='} found.k${i}`,
        )
        .join(' and ');
      await this.run(`update linha_lida s set ${quote(column)} = found.id
        from (select ${sought}, min(f.id) as id from ${from} group by ${by.map(({ sought: k }) => k).join(', ')}
          having count(*) = 1) found
        where ${match}`);
    }
    for (const one of this.plan.lists) await this.run(listLink(one));
    await this.run('analyze linha_lida');
  }

  /** How many records the rows would create, change and leave as they are. */
  async count(): Promise<Counts> {
    const [row] = await this.run(`select (count(*) filter (where t.id is null))::int as c0,
      (count(*) filter (where t.id is not null and (${[this.differs, ...this.plan.changes].join(' or ')})))::int as c1
      from linha_lida s left join ${this.table} on ${this.isRecord}`);
    const [created, changed] = row as [number, number];
    return { created, changed, same: this.rows - created - changed };
  }

  /** Writes the rows in batches and reports the progress after each. */
  async write(progress: (row: number) => void, idPessoa: number | undefined): Promise<void> {
    for (let from = 0; from < this.last; from += BATCH) {
      await (this.plan.entered ? this.enter(this.plan.entered, from, idPessoa!) : this.writeRows(from));
      progress(Math.min(from + BATCH, this.last));
    }
    if (this.plan.settle) await this.run(this.plan.settle);
  }

  /** Writes the rows after this one, up to a batch of them. */
  private async writeRows(from: number): Promise<void> {
    const { written, table } = this.plan;
    const rows = [from, from + BATCH];
    const set = written.map(column => `${quote(column)} = s.${quote(column)}`).join(', ');
    await this.reader.rows(
      `update ${this.table} set ${set}, alterado_em = now(), alterado_por = coalesce(${AUTHOR}, t.alterado_por) from linha_lida s
        where ${IN_BATCH} and ${this.isRecord} and ${this.differs}`,
      rows,
    );
    await this.reader.rows(
      `insert into ${quote(table)} (${list(written)}, criado_por, alterado_por)
        select ${written.map(column => `s.${quote(column)}`).join(', ')}, ${AUTHOR}, ${AUTHOR} ${this.newRows}`,
      rows,
    );
    for (const statement of this.plan.lists.flatMap(one => listWrites(one, this.table, this.isRecord)))
      await this.reader.rows(`${statement} and ${IN_BATCH}`, rows);
  }

  /** The same by the part of the service that these records belong to. */
  private async enter({ write }: Entered, from: number, idPessoa: number): Promise<void> {
    const { written } = this.plan;
    const found = await this.reader.rows(`select ${list(written)} ${this.newRows}`, [from, from + BATCH]);
    const rows = found.map(values => Object.fromEntries(written.map((column, i) => [column, values[i]])));
    if (rows.length > 0) await write(this.em, rows, idPessoa);
  }

  private get newRows(): string {
    return `from linha_lida s
      where ${IN_BATCH} and not exists (select from ${this.table} where ${this.isRecord}) order by s.linha`;
  }

  private get isRecord(): string {
    return isRecord(this.plan);
  }

  private get table(): string {
    return target(this.plan);
  }

  private get differs(): string {
    const of = (alias: string): string =>
      this.plan.written.map(column => `${alias}.${quote(column)}`).join(', ');
    return `(${[`(${of('t')}) is distinct from (${of('s')})`, ...this.plan.lists.map(listDiffers)].join(' or ')})`;
  }

  private run(text: string): Promise<unknown[][]> {
    return this.reader.rows(text, []);
  }
}
