import type { EntityManager } from '@mikro-orm/postgresql';
import { OperatorError } from '../errors.ts';
import type { Importable } from './importable.ts';
import { unreadable } from './messages.ts';
import { planImport, type ImportPlan } from './plan.ts';
import { Problems, Unimportable } from './problems.ts';
import { readRow, type StagedRow } from './records.ts';
import type { Row } from './row.ts';
import { RecordWriter, type Counts } from './record-writer.ts';
import { BATCH, Staging, type Repetition } from './staging.ts';
import { lockTable } from './table-lock.ts';

/**
 * Column with the problems of each row, in files of refused rows. An import ignores it, so such a file can be corrected
 * and imported again.
 */
export const NOTES = 'problemas';

export interface ExamineOptions {
  /** Checks everything and writes nothing. */
  dryRun: boolean;
  /** Writes the rows without problems, even if others have some. */
  acceptValid?: boolean;
  /** Called with the number of rows that have been read, and later with the number written. It may throw. */
  progress: (rows: number, done: 'read' | 'written') => void;
  idPessoa?: number | undefined;
  /** Most problems that are listed. */
  listed?: number;
  /** Gets the first `most` refused rows with their cells, in batches. Otherwise their cells are not staged. */
  refused?: {
    most: number;
    keep: (
      batches: AsyncIterable<readonly Row[]>,
      found: Pick<Examination, 'headers' | 'problems'>,
    ) => Promise<void>;
  };
  /** Runs after the tables are locked and before anything is written. */
  beforeWriting?: (em: EntityManager) => Promise<void>;
}

/** The findings of an import, and what it wrote. */
export interface Examination extends Counts {
  /** Rows of the file without its headers. */
  rows: number;
  repeated: { total: number; first: Repetition[] };
  problems: Problems;
  /** How many rows have problems. */
  refused: number;
  headers: readonly string[];
}

/**
 * Reads and checks all rows, headers first, inside the caller's transaction. Writes them if none has a problem, or,
 * with `acceptValid`, those without a problem. `source` names the file.
 * @throws OperatorError when the file as a whole cannot be imported. The caller must then roll back.
 */
export async function examine(
  em: EntityManager,
  importable: Importable,
  given: AsyncGenerator<Row, void, void>,
  source: string,
  options: ExamineOptions,
): Promise<Examination> {
  const { dryRun, acceptValid = false, progress, idPessoa, beforeWriting, refused: kept } = options;
  try {
    if (importable.entered && idPessoa === undefined)
      throw new OperatorError(
        `${importable.name} are entered in the name of a person. Say whose: --as <user>`,
      );
    const first = await given.next();
    if (first.done) throw new Unimportable(unreadable.empty(source));
    const { headers, rows } = withoutNotes(first.value, given);
    const plan = planImport(em.getMetadata(), importable, headers);
    const staging = await Staging.open(em, plan);
    const problems = new Problems(options.listed);
    const total = await stage(rows, plan, staging, problems, options);
    const repeated = await staging.dropRepeated(problems.listed);
    if (!dryRun) await lockTable(em, plan);
    await staging.link();
    for await (const [found, more] of staging.problems(problems.listed)) problems.add(found, more);
    await kept?.keep(staging.refused(kept.most), { headers, problems });
    const refused = await staging.dropRefused();
    const writer = new RecordWriter(em, plan, staging);
    const counts = await writer.count();
    if (!dryRun && (acceptValid || problems.total === 0)) {
      await beforeWriting?.(em);
      await writer.write(written => progress(written, 'written'), idPessoa);
    }
    await staging.close();
    return { ...counts, rows: total, repeated, problems, refused, headers };
  } finally {
    await given.return();
  }
}

/** Reads the rows into the staging table, and adds the problems of each row. Returns the number of rows. */
async function stage(
  rows: AsyncIterable<Row>,
  plan: ImportPlan,
  staging: Staging,
  problems: Problems,
  { progress, refused }: ExamineOptions,
): Promise<number> {
  let batch: StagedRow[] = [];
  let read = 0;
  const flush = async (): Promise<void> => {
    await staging.add(batch);
    progress((read += batch.length), 'read');
    batch = [];
  };
  for await (const row of rows) {
    const [staged, broken] = readRow(plan, row, refused !== undefined);
    problems.add(broken);
    batch.push(staged);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return read;
}

/** The headers and rows without the column of problems. */
function withoutNotes(
  { cells }: Row,
  rows: AsyncIterable<Row>,
): { headers: string[]; rows: AsyncIterable<Row> } {
  const headers = namesOf(cells);
  const at = headers.indexOf(NOTES);
  if (at < 0) return { headers, rows };
  return { headers: headers.toSpliced(at, 1), rows: without(at, rows) };
}

async function* without(at: number, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const { number, cells } of rows) yield { number, cells: cells.toSpliced(at, 1) };
}

/**
 * Converts headers to column names: `Situação`, `Nome social` and `E-mail` become `situacao`, `nome_social` and
 * `email`. Empty ones at the end are ignored, because some programs leave empty cells there.
 */
function namesOf(cells: readonly string[]): string[] {
  const last = cells.findLastIndex(Boolean);
  return cells.slice(0, last + 1).map(cell =>
    cell
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .replace(/^e-mail\b/, 'email')
      .replaceAll(/[\s-]+/g, '_'),
  );
}
