import { rm } from 'node:fs/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client, Pool } from 'pg';
import type { Logger } from 'pino';
import type { Reader } from '../database/reader.ts';
import type { Servers } from '../database/servers.ts';
import { ignored, inBackground } from '../runtime/background.ts';
import { Gate } from '../runtime/gates.ts';
import { jobTexts } from './messages.ts';
import { BEAT_MS, endLost, storeProgress, type End, type Progress } from './progress.ts';
import { failureOf } from './failure.ts';
import { Unimportable } from './problems.ts';
import { refusalOf } from './report.ts';
import { endUnchanged, runImport, type ImportJob } from './run-import.ts';

declare module '../request/services.ts' {
  interface Services {
    imports: ImportJobs;
  }
}

/** Most imports that may wait in a process. Each keeps its file on the disk. */
const WAITING = 20;
/** Interval at which to look for imports that are lost. */
const LOOK_MS = 15_000;

interface Needs {
  orm: MikroORM;
  /** For short statements. */
  reader: Reader;
  /** Connections for imports only. */
  pool: Pool;
  servers: Servers;
  log: Logger;
}

/**
 * The imports of this process, one at a time. Each is one transaction on its own connection. The same transaction
 * stores the end of its record. So its changes are committed if, and only if, its record says so.
 */
export class ImportJobs {
  readonly #turn = new Gate(1, WAITING);
  readonly #running = new Map<ImportJob, Progress>();
  readonly #ended = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  readonly #kysely: Kysely<unknown>;
  /** The connection of the import that runs. */
  #connection: Client | undefined;
  #beat: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  /** The look that has begun last. */
  #looking: Promise<void> | undefined;

  constructor(private readonly needs: Needs) {
    this.#kysely = new Kysely({ dialect: new PostgresDialect({ pool: needs.pool }) });
    // The pool declares only a part of what its connections are.
    needs.pool.on('acquire', client => (this.#connection = client as unknown as Client));
  }

  /** Looks regularly for imports that are lost. */
  watch(): void {
    const look = (): void => {
      const looking = endLost(this.needs.reader, jobTexts.lost.pt);
      this.#looking = looking.catch(ignored);
      this.#inBackground(looking);
    };
    this.#look = setInterval(look, LOOK_MS);
    look();
  }

  /** Whether another import may wait. */
  get hasRoom(): boolean {
    return this.#running.size < WAITING && !this.#ending.signal.aborted;
  }

  /** Runs an import when its turn comes. Resolves at its end, and never rejects. */
  add(job: ImportJob): Promise<void> {
    this.#running.set(job, { id: job.id, iniciada: false, lidas: 0, gravadas: 0 });
    this.#beat ??= setInterval(() => this.#inBackground(this.#tell()), BEAT_MS);
    const ended = this.#whenItsTurn(job).finally(() => this.#ended.delete(ended));
    this.#ended.add(ended);
    return ended;
  }

  /** Aborts the running import and the waiting ones. Nothing of them is imported. */
  async stop(): Promise<void> {
    this.#ending.abort();
    clearInterval(this.#look);
    await Promise.all([...this.#ended, this.#looking]);
    await this.#kysely.destroy();
  }

  /** Tells that the imports live. One that is broken off may wait for an answer that never comes. */
  async #tell(): Promise<void> {
    const isLost = await storeProgress(this.needs.reader, [...this.#running.values()]);
    if (isLost && this.#connection) inBackground(this.#connection.end(), ignored);
  }

  async #whenItsTurn(job: ImportJob): Promise<void> {
    const { signal } = this.#ending;
    const mayRun = this.#turn.tryEnter() || (await this.#turn.wait(signal));
    try {
      if (mayRun) await this.#run(job);
      else
        await endUnchanged(this.needs.orm, job, {
          situacao: 'interrompida',
          detalhe: (signal.aborted ? jobTexts.stopped : jobTexts.tooManyImports)[job.language],
        });
    } catch (error) {
      this.needs.log.error({ err: error, importacao: job.id }, 'the end of an import was not recorded');
      await this.#endAnyway(job);
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
    const { log, orm, reader, servers } = this.needs;
    const start = performance.now();
    let end: End | undefined;
    try {
      end = await runImport(job, {
        orm,
        kysely: this.#kysely,
        reader,
        servers,
        progress: this.#running.get(job)!,
        stop: this.#ending.signal,
      });
      // The end of a dry run or of a refused file needs a transaction of its own, because that of the import was rolled
      // back.
      if (end) await endUnchanged(orm, job, end);
    } catch (error) {
      const isStopped = this.#ending.signal.aborted;
      if (error instanceof Unimportable && !isStopped)
        await endUnchanged(orm, job, refusalOf(error, language));
      else {
        log.warn({ err: error as Error, importacao: id }, 'import aborted');
        const detalhe = (isStopped ? jobTexts.stopped : failureOf(error))[language];
        await endUnchanged(orm, job, { situacao: 'interrompida', detalhe });
      }
    }
    const ms = Math.round(performance.now() - start);
    log.info({ importacao: id, registros: job.importable.name, ms }, 'import ended');
  }

  /** Ends an import whose own end cannot be stored. Without the database, another process ends it in a minute. */
  async #endAnyway(job: ImportJob): Promise<void> {
    const end = { situacao: 'interrompida' as const, detalhe: jobTexts.failed[job.language] };
    await endUnchanged(this.needs.orm, job, end).catch(() => undefined);
  }

  #inBackground(work: Promise<unknown>): void {
    inBackground(work, error => this.needs.log.warn({ err: error }, 'import progress not recorded'));
  }
}
