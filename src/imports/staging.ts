import type { EntityManager } from '@mikro-orm/postgresql';
import { quote } from '../listing/builder.ts';
import { transactionReader, type Reader } from '../listing/reader.ts';
import { OperatorError } from '../operator-error.ts';
import type { ImportPlan } from './plan.ts';
import { MOST_TOLD, type Problem } from './problems.ts';
import type { Staged } from './records.ts';

export interface Counts {
  created: number;
  changed: number;
  same: number;
}

/** SQLSTATE of a lock that was waited for in vain. */
const LOCKED = '55P03';

/** Rows of the file that one statement writes. */
const BATCH = 5_000;

/**
 * The rows of a file in a temporary table of a transaction, where they are compared with each other and with what is
 * stored, and from where they are written.
 */
export class Staging {
  private readonly reader: Reader;
  private readonly columns: { name: string; type: string }[];
  private rows = 0;
  private last = 0;

  private constructor(
    em: EntityManager,
    private readonly plan: ImportPlan,
  ) {
    this.reader = transactionReader(em);
    this.columns = [
      { name: 'linha', type: 'int' },
      ...plan.columns.map(({ staged, type }) => ({ name: staged, type })),
    ];
  }

  static async open(em: EntityManager, plan: ImportPlan): Promise<Staging> {
    const staging = new Staging(em, plan);
    const links = plan.links.map(({ column }) => ({ name: column, type: 'int' }));
    await staging.run(
      `create temporary table importacao (${definitions([...staging.columns, ...links])}) on commit drop`,
    );
    return staging;
  }

  /** Keeps all others from writing such records until the transaction ends; reading goes on. */
  async lock(): Promise<void> {
    const { table } = this.plan;
    await this.run(`lock table ${quote(table)} in share row exclusive mode`).catch((error: Error) => {
      throw (error as { code?: unknown }).code === LOCKED
        ? new OperatorError(`Nothing was imported: ${table} is being written. Try again later.`, {
            cause: error,
          })
        : error;
    });
  }

  async add(rows: readonly Staged[]): Promise<void> {
    this.rows += rows.length;
    this.last = (rows.at(-1)?.['linha'] as number | undefined) ?? this.last;
    const names = this.columns.map(({ name }) => quote(name)).join(', ');
    await this.reader.rows(
      `insert into importacao (${names}) select * from jsonb_to_recordset($1::jsonb) as r (${definitions(this.columns)})`,
      [JSON.stringify(rows)],
    );
  }

  /** Finds the linked records, and so completes the rows. */
  async link(): Promise<void> {
    for (const { column, table, by } of this.plan.links) {
      const sought = by.map(part => quote(part.column)).join(', ');
      const match = by.map(part => `s.${quote(part.staged)} = f.${quote(part.column)}`).join(' and ');
      await this.run(`update importacao s set ${quote(column)} = f.id
        from (select ${sought}, min(id) as id from ${quote(table)} group by ${sought} having count(*) = 1) f
        where ${match}`);
    }
    await this.run('analyze importacao');
  }

  /** What is wrong with the rows together, in parts: problems, and how many more there are of the same kind. */
  async *problems(): AsyncGenerator<[Problem[], number]> {
    for (const { column, table, by } of this.plan.links) {
      const given = by.map(({ staged }) => `${quote(staged)} is not null`).join(' or ');
      yield this.find(
        [column],
        `exactly one record of ${table}`,
        `from importacao s where ${quote(column)} is null and (${given})`,
      );
    }
    for (const columns of [this.plan.key, ...this.plan.uniques])
      yield this.find(
        columns,
        'what no row before it has',
        `from (select *, row_number() over (partition by ${list(columns)} order by linha) as nth
          from importacao where ${notNull(columns)}) s where nth > 1`,
      );
    for (const columns of this.plan.uniques)
      yield this.find(
        columns,
        'what no other record has',
        `from importacao s join ${this.table} on ${equal(columns)} where not (${equal(this.plan.key)})`,
      );
    yield this.find(
      this.plan.key,
      'what not more than one record has',
      `from importacao s join (select ${list(this.plan.key)} from ${this.table}
        group by ${list(this.plan.key)} having count(*) > 1) t on ${equal(this.plan.key)}`,
    );
  }

  /** How many records the rows would create, change and leave as they are. */
  async count(): Promise<Counts> {
    const [row] = await this.run(`select (count(*) filter (where t.id is null))::int as c0,
      (count(*) filter (where t.id is not null and ${this.differs}))::int as c1
      from importacao s left join ${this.table} on ${equal(this.plan.key)}`);
    const [created, changed] = row as [number, number];
    return { created, changed, same: this.rows - created - changed };
  }

  /** Writes the rows, batch by batch, and tells after each how far it is. */
  async write(progress: (row: number) => void): Promise<void> {
    const { written, key, table } = this.plan;
    const set = written.map(column => `${quote(column)} = s.${quote(column)}`).join(', ');
    const batch = 's.linha > $1 and s.linha <= $2';
    for (let from = 0; from < this.last; from += BATCH) {
      const rows = [from, from + BATCH];
      await this.reader.rows(
        `update ${this.table} set ${set}, alterado_em = now() from importacao s
          where ${batch} and ${equal(key)} and ${this.differs}`,
        rows,
      );
      await this.reader.rows(
        `insert into ${quote(table)} (${list(written)})
          select ${written.map(column => `s.${quote(column)}`).join(', ')} from importacao s
          where ${batch} and not exists (select from ${this.table} where ${equal(key)}) order by s.linha`,
        rows,
      );
      progress(Math.min(from + BATCH, this.last));
    }
  }

  private get table(): string {
    return `${quote(this.plan.table)} t`;
  }

  private get differs(): string {
    const of = (alias: string): string =>
      this.plan.written.map(column => `${alias}.${quote(column)}`).join(', ');
    return `(${of('t')}) is distinct from (${of('s')})`;
  }

  /** What of the rows named by `s` is wrong, in these columns. */
  private async find(
    columns: readonly string[],
    expected: string,
    from: string,
  ): Promise<[Problem[], number]> {
    const { links } = this.plan;
    const shown = columns.flatMap(
      name => links.find(({ column }) => column === name)?.by ?? { staged: name },
    );
    const found = shown.map(({ staged: column }) => `s.${quote(column)}::text`).join(', ');
    const rows = await this.run(
      `select s.linha as c0, concat_ws(', ', ${found}) as c1, (count(*) over ())::int as c2
        ${from} order by s.linha limit ${MOST_TOLD}`,
    );
    const problems = rows.map(([row, value]) => ({
      row: row as number,
      field: shown.map(({ staged }) => staged).join(', '),
      expected,
      found: value as string,
    }));
    return [problems, rows.length > 0 ? (rows[0]![2] as number) - rows.length : 0];
  }

  private run(text: string): Promise<unknown[][]> {
    return this.reader.rows(text, []);
  }
}

const definitions = (columns: readonly { name: string; type: string }[]): string =>
  columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ');
const list = (columns: readonly string[]): string => columns.map(quote).join(', ');
const notNull = (columns: readonly string[]): string =>
  columns.map(column => `${quote(column)} is not null`).join(' and ');
const equal = (columns: readonly string[]): string =>
  columns.map(column => `t.${quote(column)} = s.${quote(column)}`).join(' and ');
