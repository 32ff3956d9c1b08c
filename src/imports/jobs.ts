import { rm } from 'node:fs/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { fromDatabase } from '../database/errors.ts';
import { transactionReader, type Reader } from '../database/reader.ts';
import { AppError } from '../errors.ts';
import { messages, type Language, type Text } from '../messages.ts';
import { inBackground } from '../runtime/background.ts';
import { Gate } from '../runtime/gates.ts';
import { examine, type Examined } from './examine.ts';
import type { Importable } from './importable.ts';
import { jobTexts } from './messages.ts';
import { Unimportable } from './problems.ts';
import {
  BEAT_MS,
  breakOffLost,
  endImport,
  LISTED,
  tellProgress,
  type End,
  type Progress,
} from './progress.ts';
import { endOf } from './report.ts';
import type { ImportFile } from './row.ts';
import { rowsOf } from './rows.ts';

declare module '../request/services.ts' {
  interface Services {
    imports: ImportJobs;
  }
}

/** Imports that may wait in a process. Each keeps its file on the disk. */
const WAITING = 20;
/** How often to look for imports whose process has gone. */
const LOOK_MS = 15_000;

/** An import that a request asked for. */
export interface ImportJob {
  id: number;
  importable: Importable;
  /** It is deleted at the end. */
  file: ImportFile;
  dryRun: boolean;
  acceptValid: boolean;
  idPessoa: number;
  idSistema: number;
  address: string;
  language: Language;
  /** Checks again that the person may import this. @throws FORBIDDEN */
  authorize: (em: EntityManager) => Promise<void>;
}

/** The author for the audit trail, and no limits: an import takes as long as it needs, and has its own connection. */
const SETTINGS = `select set_config('statement_timeout', '0', true) as c0,
  set_config('idle_in_transaction_session_timeout', '0', true) as c1, set_config('lock_timeout', '10s', true) as c2,
  set_config('sii.requisicao', $1, true) as c3, set_config('sii.id_pessoa', $2, true) as c4,
  set_config('sii.id_sistema', $3, true) as c5, set_config('sii.endereco', $4, true) as c6`;

/** Ends a transaction that must change nothing. */
class RolledBack extends Error {}

interface Needs {
  orm: MikroORM;
  /** Answers short statements of requests. */
  reader: Reader;
  /** Connections of imports alone. */
  pool: Pool;
  log: Logger;
}

/**
 * The imports of this process, one at a time. Each is one transaction on a connection of its own, in which its record
 * ends, too. So what it wrote is there if, and only if, its record says so.
 */
export class ImportJobs {
  readonly #turn = new Gate(1, WAITING);
  readonly #running = new Map<ImportJob, Progress>();
  readonly #ended = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  readonly #kysely: Kysely<unknown>;
  #beat: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;

  constructor(private readonly needs: Needs) {
    this.#kysely = new Kysely({ dialect: new PostgresDialect({ pool: needs.pool }) });
  }

  /** Looks at intervals for imports of processes that have gone. */
  watch(): void {
    const look = (): void => this.#inBackground(breakOffLost(this.needs.reader, jobTexts.lost.pt));
    this.#look = setInterval(look, LOOK_MS);
    look();
  }

  /** Whether another import may wait. */
  get hasRoom(): boolean {
    return this.#running.size < WAITING && !this.#ending.signal.aborted;
  }

  /** Begins an import when it is its turn. Resolves at its end, and never rejects. */
  add(job: ImportJob): Promise<void> {
    this.#running.set(job, { id: job.id, iniciada: false, lidas: 0, gravadas: 0 });
    const beat = (): void => this.#inBackground(tellProgress(this.needs.reader, [...this.#running.values()]));
    this.#beat ??= setInterval(beat, BEAT_MS);
    const ended = this.#whenItsTurn(job).finally(() => this.#ended.delete(ended));
    this.#ended.add(ended);
    return ended;
  }

  /** Breaks off what runs and waits. Nothing of it is imported. */
  async stop(): Promise<void> {
    this.#ending.abort();
    clearInterval(this.#look);
    await Promise.all(this.#ended);
    await this.#kysely.destroy();
  }

  async #whenItsTurn(job: ImportJob): Promise<void> {
    const { signal } = this.#ending;
    const mayRun = this.#turn.tryEnter() || (await this.#turn.wait(signal));
    try {
      if (mayRun) await this.#run(job);
      else await this.#end(job, { situacao: 'interrompida', detalhe: jobTexts.stopped[job.language] });
    } catch (error) {
      this.needs.log.error({ err: error, importacao: job.id }, 'the end of an import was not recorded');
    } finally {
      if (mayRun) this.#turn.leave();
      this.#running.delete(job);
      if (this.#running.size === 0) {
        clearInterval(this.#beat);
        this.#beat = undefined;
      }
      await rm(job.file.path, { force: true }).catch(() => undefined);
    }
  }

  async #run(job: ImportJob): Promise<void> {
    const { id, language } = job;
    const { log } = this.needs;
    const start = performance.now();
    let end: End | undefined;
    try {
      end = await this.#transaction(job);
      // What was only checked or refused is recorded apart, because its transaction was rolled back.
      if (end) await this.#end(job, end);
    } catch (error) {
      const isStopped = this.#ending.signal.aborted;
      const { situacao, text } = isStopped
        ? { situacao: 'interrompida' as const, text: jobTexts.stopped }
        : reasonOf(error);
      if (situacao === 'interrompida') log.warn({ err: error as Error, importacao: id }, 'import broken off');
      await this.#end(job, { situacao, detalhe: text[language] });
    }
    const ms = Math.round(performance.now() - start);
    log.info({ importacao: id, registros: job.importable.name, ms }, 'import');
  }

  /** Imports, and ends the record in the same transaction; returns the end if there was nothing to commit. */
  async #transaction(job: ImportJob): Promise<End | undefined> {
    let end: End | undefined;
    const work = this.#kysely.transaction().execute(async inside => {
      const em = this.needs.orm.em.fork();
      em.setTransactionContext(inside);
      const reader = transactionReader(em);
      const who = [
        `importacao ${job.id}`,
        String(job.idPessoa),
        String(job.idSistema),
        job.address.slice(0, 45),
      ];
      await reader.rows(SETTINGS, who);
      const found = await this.#examine(em, job);
      const made = await endOf(found, job);
      if (job.dryRun || made.situacao === 'recusada') {
        end = made;
        throw new RolledBack();
      }
      this.#ending.signal.throwIfAborted();
      if (!(await endImport(reader, job.id, made))) throw new AppError('CONFLICT', { detail: jobTexts.lost });
    });
    await work.catch(error => {
      if (!(error instanceof RolledBack)) throw error;
    });
    return end;
  }

  #examine(em: EntityManager, job: ImportJob): Promise<Examined> {
    const { importable, file, dryRun, acceptValid, idPessoa, authorize } = job;
    const progress = this.#running.get(job)!;
    progress.iniciada = true;
    return examine(em, importable, rowsOf(file), file.name, {
      dryRun,
      acceptValid,
      idPessoa,
      listed: LISTED,
      keepCells: true,
      beforeWriting: authorize,
      progress: (rows, done) => {
        this.#ending.signal.throwIfAborted();
        if (done === 'read') progress.lidas = rows;
        // Rows are written by their number in the file, where the headers are a row, too.
        else progress.gravadas = Math.min(rows, progress.lidas);
      },
    });
  }

  /** Ends an import that changed nothing, unless it has ended. */
  async #end({ id, idPessoa }: ImportJob, end: End): Promise<void> {
    await this.needs.orm.em.fork().transactional(async em => {
      const reader = transactionReader(em);
      await reader.rows(AUTHOR, [`importacao ${id}`, String(idPessoa)]);
      await endImport(reader, id, end);
    });
  }

  #inBackground(work: Promise<unknown>): void {
    inBackground(work, error => this.needs.log.warn({ err: error }, 'imports'));
  }
}

const AUTHOR = `select set_config('sii.requisicao', $1, true) as c0, set_config('sii.id_pessoa', $2, true) as c1`;

/** What to tell of an error that ended an import. */
function reasonOf(error: unknown): { situacao: 'recusada' | 'interrompida'; text: Text } {
  if (error instanceof Unimportable) return { situacao: 'recusada', text: error.text };
  const known = fromDatabase(error);
  if (!known) return { situacao: 'interrompida', text: jobTexts.failed };
  const { detail = messages.databaseAway, errors = [] } = known.details;
  const fields = errors.map(({ field, message }) => ({
    pt: ` ${field}: ${message.pt}`,
    en: ` ${field}: ${message.en}`,
  }));
  const whole = {
    pt: detail.pt + fields.map(({ pt }) => pt).join(''),
    en: detail.en + fields.map(({ en }) => en).join(''),
  };
  return { situacao: 'interrompida', text: whole };
}
