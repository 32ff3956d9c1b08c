import type { EntityManager } from '@mikro-orm/postgresql';
import { exportsBelow } from '../runtime/modules.ts';
import { userName } from '../domain/login/login.ts';
import { OperatorError } from '../errors.ts';
import { type Services } from '../request/services.ts';
import { transactionReader } from '../database/reader.ts';
import { Importable } from './importable.ts';
import { planImport, type ImportPlan } from './plan.ts';
import { Problems } from './problems.ts';
import { readRow, type Staged } from './records.ts';
import { type Row } from './row.ts';
import { rowsOf } from './rows.ts';
import { Staging, type Counts } from './staging.ts';

/** Rows of one staging statement, which are in memory together. */
const BATCH = 1_000;

/** An import may take longer than a request. In the audit trail it has its own name instead of a request id. */
const SETTINGS = `select set_config('statement_timeout', '0', true) as c0,
  set_config('idle_in_transaction_session_timeout', '0', true) as c1, set_config('sii.requisicao', $1, true) as c2,
  set_config('sii.id_pessoa', $2, true) as c3`;
const PERSON = `select id from pessoa where usuario = $1 and situacao = 'A'`;

/** Everything that can be imported, by name. */
export async function importables(): Promise<Map<string, Importable>> {
  const found = await exportsBelow(new URL('./resources/', import.meta.url));
  return new Map(found.filter(value => value instanceof Importable).map(one => [one.name, one]));
}

interface ImportOptions {
  /** User name of the person in whose name it writes. Records that are entered need one. */
  as?: string | undefined;
  /** Checks everything and writes nothing. */
  dryRun: boolean;
  /** Called with the number of rows that have been read, and later with the number written. */
  progress: (rows: number, done: 'read' | 'written') => void;
}

/**
 * Imports a file in one transaction: all rows are read and checked before the first record is written. Records are
 * identified by their natural key, so a file can be imported again.
 * @throws OperatorError that lists the errors by row. Nothing is changed then.
 */
export async function importFile(
  { orm }: Pick<Services, 'orm'>,
  importable: Importable,
  file: string,
  { as, ...options }: ImportOptions,
): Promise<Counts> {
  return orm.em.fork().transactional(async em => {
    const idPessoa = as === undefined ? undefined : await personOf(em, as);
    const settings = [`import ${importable.name}`, String(idPessoa ?? '')];
    await transactionReader(em).rows(SETTINGS, settings);
    return importRows(em, importable, rowsOf(file), file, { ...options, idPessoa });
  });
}

async function personOf(em: EntityManager, usuario: string): Promise<number> {
  const [row] = await transactionReader(em).rows(PERSON, [userName(usuario)]);
  if (!row) throw new OperatorError(`No active person has the user name "${usuario}".`);
  return row[0] as number;
}

interface RowsOptions extends Omit<ImportOptions, 'as'> {
  idPessoa?: number | undefined;
}

/**
 * Imports rows, headers first, inside the caller's transaction. `source` names them in errors.
 * @throws OperatorError that lists the errors by row. The caller must then roll back.
 */
export async function importRows(
  em: EntityManager,
  importable: Importable,
  rows: AsyncGenerator<Row, void, void>,
  source: string,
  { dryRun, progress, idPessoa }: RowsOptions = { dryRun: false, progress: () => undefined },
): Promise<Counts> {
  try {
    if (importable.entered && idPessoa === undefined)
      throw new OperatorError(
        `${importable.name} are entered in the name of a person. Say whose: --as <user>`,
      );
    const headers = await rows.next();
    if (headers.done) throw new OperatorError(`${source} is empty: its first row must name the columns.`);
    const plan = planImport(em.getMetadata(), importable, namesOf(headers.value.cells));
    const staging = await Staging.open(em, plan);
    const problems = await stage(rows, plan, staging, progress);
    if (!dryRun) await staging.lock();
    await staging.link();
    for await (const [found, more] of staging.problems()) problems.add(found, more);
    problems.throwIfAny(source);
    const counts = await staging.count();
    if (!dryRun) await staging.write(written => progress(written, 'written'), idPessoa);
    await staging.close();
    return counts;
  } finally {
    await rows.return();
  }
}

/** Reads the rows into the staging table. Returns the problems of single rows. */
async function stage(
  rows: AsyncIterable<Row>,
  plan: ImportPlan,
  staging: Staging,
  progress: ImportOptions['progress'],
): Promise<Problems> {
  const problems = new Problems();
  let batch: Staged[] = [];
  let read = 0;
  const flush = async (): Promise<void> => {
    await staging.add(batch);
    progress((read += batch.length), 'read');
    batch = [];
  };
  for await (const row of rows) {
    const [staged, broken] = readRow(plan, row);
    problems.add(broken);
    batch.push(staged);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return problems;
}

/** Headers in lower case. Empty ones at the end are ignored: some programs leave empty cells there. */
function namesOf(cells: readonly string[]): string[] {
  const last = cells.findLastIndex(Boolean);
  return cells.slice(0, last + 1).map(cell => cell.toLowerCase());
}
