import type { EntityManager } from '@mikro-orm/postgresql';
import { unpreparedReader, type Reader } from '../database/reader.ts';
import { quote } from '../listing/builder.ts';
import type { EnteredRecords } from './importable.ts';
import { listDiffers, listWrites } from './lists.ts';
import type { ImportPlan } from './plan.ts';
import { AUTHOR, isRecord, list, target } from './sql.ts';
import type { Staging } from './staging.ts';

export interface Counts {
  created: number;
  changed: number;
  same: number;
}

/** Rows of the file that one statement writes. */
const BATCH = 5_000;
const IN_BATCH = 's.linha > $1 and s.linha <= $2';

/** Compares the staged rows with stored records, and writes them. */
export class RecordWriter {
  private readonly reader: Reader;

  constructor(
    private readonly em: EntityManager,
    private readonly plan: ImportPlan,
    private readonly staging: Pick<Staging, 'rows' | 'batches'>,
  ) {
    this.reader = unpreparedReader(em);
  }

  /** How many records the rows would create, change and leave unchanged. */
  async count(): Promise<Counts> {
    const [row] = await this.run(`select (count(*) filter (where t.id is null))::int as c0,
      (count(*) filter (where t.id is not null and (${[this.differs, ...this.plan.changes].join(' or ')})))::int as c1
      from linha_lida s left join ${this.table} on ${this.isRecord}`);
    const [created, changed] = row as [number, number];
    return { created, changed, same: this.staging.rows - created - changed };
  }

  /**
   * Writes the rows in batches, and reports after each how many are written. All changes come before the first new record, which
   * may be possible only after a change.
   */
  async write(progress: (rows: number) => void, idPessoa: number | undefined): Promise<void> {
    const { prepare, entered, settle } = this.plan;
    if (prepare) await this.run(prepare);
    const steps = entered
      ? [(batch: number[]) => this.enter(entered, batch, idPessoa!)]
      : [(batch: number[]) => this.change(batch), (batch: number[]) => this.create(batch)];
    const batches = await this.staging.batches(BATCH);
    for (const [done, step] of steps.entries()) {
      let after = 0;
      for (const { last, rows } of batches) {
        await step([after, last]);
        progress(Math.floor((done * this.staging.rows + rows) / steps.length));
        after = last;
      }
    }
    if (settle) await this.run(settle);
  }

  /** Changes the records of a batch of rows, which come after the first of these numbers, up to the second. */
  private async change(batch: number[]): Promise<void> {
    const set = this.plan.written.map(column => `${quote(column)} = s.${quote(column)}`).join(', ');
    await this.reader.rows(
      `update ${this.table} set ${set}, alterado_em = now(), alterado_por = coalesce(${AUTHOR}, t.alterado_por) from linha_lida s
        where ${IN_BATCH} and ${this.isRecord} and ${this.differs}`,
      batch,
    );
  }

  /** Creates the other records of a batch, and writes the lists of all. */
  private async create(batch: number[]): Promise<void> {
    const { written, table } = this.plan;
    await this.reader.rows(
      `insert into ${quote(table)} (${list(written)}, criado_por, alterado_por)
        select ${written.map(column => `s.${quote(column)}`).join(', ')}, ${AUTHOR}, ${AUTHOR} ${this.newRows}`,
      batch,
    );
    for (const statement of this.plan.lists.flatMap(one =>
      listWrites(one, this.table, this.isRecord, IN_BATCH),
    ))
      await this.reader.rows(statement, batch);
  }

  /** Writes records through the part of the service that owns them. */
  private async enter({ write }: EnteredRecords, batch: number[], idPessoa: number): Promise<void> {
    const { written } = this.plan;
    const found = await this.reader.rows(`select ${list(written)} ${this.newRows}`, batch);
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
