import type { EntityManager } from '@mikro-orm/postgresql';
import { exportsBelow } from '../runtime/modules.ts';
import { OperatorError } from '../errors.ts';
import { type Services } from '../request/services.ts';
import { fromDatabase } from '../database/errors.ts';
import { transactionReader } from '../database/reader.ts';
import { examine, type ExamineOptions } from './examine.ts';
import { Importable } from './importable.ts';
import type { ImportFile, Row } from './row.ts';
import { failureOf } from './failure.ts';
import { jobTexts } from './messages.ts';
import { rowsOf } from './rows.ts';
import type { Counts } from './record-writer.ts';
import { normalised } from '../text/normalised.ts';

/** In the audit trail, an import has a name of its own instead of a request id. */
const AUTHOR = `select set_config('sii.requisicao', $1, true) as c0, set_config('sii.id_pessoa', $2, true) as c1`;
const PERSON = `select id from pessoa where usuario = $1 and situacao = 'A'`;

/** Everything that can be imported, by name. */
export async function importables(): Promise<Map<string, Importable>> {
  const found = await exportsBelow(new URL('./resources/', import.meta.url));
  return new Map(found.filter(value => value instanceof Importable).map(one => [one.name, one]));
}

/** Whether an LDAP server has these records, so that an import would make rows that nobody sees. */
export const areOnLdap = ({ ofDirectory }: Importable, { directory }: Pick<Services, 'directory'>): boolean =>
  ofDirectory && directory.ask !== undefined;

interface ImportOptions extends Pick<ExamineOptions, 'dryRun' | 'progress'> {
  /** User name of the author. Required for records that are not written as rows. */
  as?: string | undefined;
}

/** The result of an import. */
export interface ImportResult extends Counts {
  /** Number of rows that were skipped because they repeat an earlier row; absent if there are none. */
  repeated?: number | undefined;
}

/**
 * Imports a file in one transaction: all rows are read and checked before the first record is written. Records are
 * identified by their natural key, so a file can be imported again.
 * @throws OperatorError that lists the errors by row. Nothing is changed then.
 */
export async function importFile(
  { orm, servers, directory }: Pick<Services, 'orm' | 'servers' | 'directory'>,
  importable: Importable,
  file: ImportFile,
  { as, ...options }: ImportOptions,
): Promise<ImportResult> {
  if (areOnLdap(importable, { directory }))
    throw new OperatorError(`Nothing was imported: ${importable.name}: ${jobTexts.onLdap.en}.`);
  const requireSamePrimary = servers.beginLongWork();
  const work = orm.em.fork().transactional(async em => {
    const idPessoa = as === undefined ? undefined : await personOf(em, as);
    await transactionReader(em).rows(AUTHOR, [`import ${importable.name}`, String(idPessoa ?? '')]);
    const result = await importRows(em, importable, rowsOf(file), file.name, { ...options, idPessoa });
    await requireSamePrimary();
    return result;
  });
  return work.catch(error => {
    throw refusal(error) ?? error;
  });
}

/** The error for an operator if the database refuses what the checks of an import accept. */
function refusal(error: unknown): OperatorError | undefined {
  const known = fromDatabase(error);
  if (!known || known.code === 'UNAVAILABLE') return undefined;
  // The database names the table and the rule.
  const why = known === error ? failureOf(error).en : (error as Error).message;
  return new OperatorError(`Nothing was imported: ${why}`, { cause: error });
}

async function personOf(em: EntityManager, usuario: string): Promise<number> {
  const [row] = await transactionReader(em).rows(PERSON, [normalised(usuario)]);
  if (!row) throw new OperatorError(`No active person has the user name "${usuario}".`);
  return row[0] as number;
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
  options: ExamineOptions = { dryRun: false, progress: () => undefined },
): Promise<ImportResult> {
  const { created, changed, same, repeated, problems } = await examine(em, importable, rows, source, options);
  problems.throwIfAny(source);
  return { created, changed, same, repeated: repeated.total || undefined };
}
