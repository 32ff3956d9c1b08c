import type { EntityManager } from '@mikro-orm/postgresql';
import { quote } from '../listing/builder.ts';
import { unpreparedReader, type Reader } from '../database/reader.ts';
import { listLink } from './lists.ts';
import type { ImportPlan } from './plan.ts';
import type { Problem } from './problems.ts';
import type { StagedRow } from './records.ts';
import type { Row } from './row.ts';
import { definitions, list } from './sql.ts';
import { problemsTogether } from './together.ts';

/** Rows of one statement. They are in memory together. */
export const BATCH = 1_000;

/** A row that is identical to an earlier row, and that row. */
export interface Repetition {
  row: number;
  first: number;
}

/**
 * The rows of a file in a temporary table of the transaction, where they are compared with each other and with stored
 * records. `RecordWriter` writes them.
 */
export class Staging {
  private readonly reader: Reader;
  private readonly columns: { name: string; type: string }[];
  /** How many rows are staged. */
  rows = 0;

  private constructor(
    em: EntityManager,
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
   * Problems that depend on other rows or on stored records. They come in batches of at most `most`, each with the
   * number of further problems of the same kind.
   */
  problems(most: number): AsyncGenerator<[Problem[], number]> {
    return problemsTogether(this.reader, this.plan, most);
  }

  /** Deletes rows that repeat an earlier row in all columns. Returns their number and the first `most` of them. */
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

  /** The first `most` rows with problems, in batches. Their cells were staged. */
  async *refused(most: number): AsyncGenerator<Row[]> {
    await this.reader.rows(
      `declare recusadas cursor for
        select linha as c0, celulas as c1 from linha_lida where recusada order by linha limit $1`,
      [most],
    );
    for (;;) {
      const rows = await this.run(`fetch ${BATCH} from recusadas`);
      if (rows.length === 0) break;
      yield rows.map(([number, cells]) => ({ number: number as number, cells: cells as string[] }));
    }
    await this.run('close recusadas');
  }

  /** Deletes the rows with problems. Returns their number. */
  async dropRefused(): Promise<number> {
    const [row] = await this.run(
      `with gone as (delete from linha_lida where recusada returning 1) select count(*)::int as c0 from gone`,
    );
    const gone = row![0] as number;
    this.rows -= gone;
    return gone;
  }

  /** The rows in batches of this size: the number of the last row of each in the file, and how many rows come up to it. */
  async batches(size: number): Promise<{ last: number; rows: number }[]> {
    const found = await this.reader.rows(
      `select linha as c0, n as c1 from (
          select linha, (row_number() over (order by linha))::int as n from linha_lida
        ) numbered where n % $1::int = 0 or n = $2::int order by n`,
      [size, this.rows],
    );
    return found.map(([last, rows]) => ({ last: last as number, rows: rows as number }));
  }

  async add(rows: readonly StagedRow[]): Promise<void> {
    this.rows += rows.length;
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

  private run(text: string): Promise<unknown[][]> {
    return this.reader.rows(text, []);
  }
}
