import type { Kysely } from 'kysely';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { transactionReader, type Reader } from '../database/reader.ts';
import type { Servers } from '../database/servers.ts';
import { conflict } from '../errors.ts';
import type { Language } from '../messages.ts';
import { examine, type Examination } from './examine.ts';
import type { Importable } from './importable.ts';
import { jobTexts } from './messages.ts';
import { BACKEND, endImport, LISTED, type End, type Progress } from './progress.ts';
import { MOST_KEPT } from './refused.ts';
import { chunksOf, endOf } from './report.ts';
import type { ImportFile } from './row.ts';
import { rowsOf } from './rows.ts';

/** An import requested by a client. */
export interface ImportJob {
  id: number;
  importable: Importable;
  /** Deleted at the end. */
  file: ImportFile;
  dryRun: boolean;
  acceptValid: boolean;
  idPessoa: number;
  idSistema: number;
  address: string;
  language: Language;
  /** Checks again that the person may import this. @throws FORBIDDEN */
  authorize: (reader: Reader) => Promise<void>;
}

/** Gives the connection the name by which the import is known to be alive. */
const NAME = `select set_config('application_name', $1, true) as c0`;

/** Sets the author for the audit trail. */
const AUTHOR = `select set_config('sii.requisicao', $1, true) as c0, set_config('sii.id_pessoa', $2, true) as c1,
  set_config('sii.id_sistema', $3, true) as c2, set_config('sii.endereco', $4, true) as c3`;

const authorOf = ({ id, idPessoa, idSistema, address }: ImportJob): string[] => [
  `importacao ${id}`,
  String(idPessoa),
  String(idSistema),
  address,
];

/** Rolls back a transaction that must change nothing. */
class RolledBack extends Error {}

interface Needs {
  orm: MikroORM;
  /** The connection for imports only. */
  kysely: Kysely<unknown>;
  /** Reads what is committed. */
  reader: Reader;
  servers: Servers;
  progress: Progress;
  /** Aborts the import. */
  stop: AbortSignal;
}

/**
 * Runs an import in one transaction, which also stores its end. If there was nothing to commit, because of a dry run or
 * a refused file, it returns the end, and `endUnchanged` stores it.
 */
export async function runImport(job: ImportJob, needs: Needs): Promise<End | undefined> {
  const { orm, kysely, servers, progress, stop } = needs;
  progress.iniciada = true;
  const requireSamePrimary = servers.beginLongWork();
  let end: End | undefined;
  const work = kysely.transaction().execute(async inside => {
    const em = orm.em.fork();
    em.setTransactionContext(inside);
    const reader = transactionReader(em);
    await reader.rows(NAME, [BACKEND + job.id]);
    await reader.rows(AUTHOR, authorOf(job));
    const refused: Buffer[] = [];
    const found = await examineFile(em, job, refused, needs);
    const made = endOf(found, refused, job);
    if (job.dryRun || made.situacao === 'recusada') {
      end = made;
      throw new RolledBack();
    }
    stop.throwIfAborted();
    await requireSamePrimary();
    // Writing may have taken minutes.
    await job.authorize(needs.reader);
    if (!(await endImport(reader, job.id, made))) throw conflict(jobTexts.lost);
  });
  await work.catch(error => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return end;
}

/** Examines the file, and adds the chunks of its refused rows to `refused`. */
function examineFile(
  em: EntityManager,
  { importable, file, dryRun, acceptValid, idPessoa, language, authorize }: ImportJob,
  refused: Buffer[],
  { progress, stop }: Needs,
): Promise<Examination> {
  return examine(em, importable, rowsOf(file, stop), file.name, {
    dryRun,
    acceptValid,
    idPessoa,
    listed: LISTED,
    refused: {
      most: MOST_KEPT,
      keep: async (batches, found) => {
        refused.push(...(await chunksOf(batches, found, language)));
      },
    },
    beforeWriting: inside => authorize(transactionReader(inside)),
    progress: (rows, done) => {
      stop.throwIfAborted();
      if (done === 'read') progress.lidas = rows;
      else progress.gravadas = rows;
    },
  });
}

/** Stores the end of an import that changed nothing, unless it has already ended. */
export async function endUnchanged(orm: MikroORM, job: ImportJob, end: End): Promise<void> {
  await orm.em.fork().transactional(async em => {
    const reader = transactionReader(em);
    await reader.rows(AUTHOR, authorOf(job));
    await endImport(reader, job.id, end);
  });
}
