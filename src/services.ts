import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool, QueryConfig } from 'pg';
import type { Logger } from 'pino';
import { Refusals } from './access/refusals.ts';
import { InFlight } from './access/in-flight.ts';
import { Throttle } from './access/throttle.ts';
import type { Config } from './config.ts';
import {
  answerTimeoutMs,
  CONNECT_TIMEOUT_MS,
  exportPool,
  openOrm,
  type DatabaseSettings,
} from './database/orm.ts';
import { forgetStatements } from './database/statements.ts';
import { Writability } from './database/writability.ts';
import { Turns } from './database/turns.ts';
import type { Directory } from './directory/directory.ts';
import { openDirectory } from './directory/open.ts';
import type { Listing } from './listing/read.ts';
import { poolReader } from './database/reader.ts';
import { keptReads } from './listing/kept-reads.ts';
import { messages } from './messages.ts';
import { Metrics } from './process/metrics/metrics.ts';
import { PdfWriter } from './reports/pdf/writer.ts';
import { Shares } from './access/shares.ts';
import { Budget } from './storage/budget.ts';
import { openStorage } from './storage/open.ts';
import type { Storage } from './storage/storage.ts';

/** What the whole process shares, made once at start. */
export interface Services {
  config: Config;
  log: Logger;
  orm: MikroORM;
  listing: Listing;
  /** Connections for exports alone, which hold one each until they end. */
  exportPool: Pool;
  /** Who may use a connection for a write, and when. */
  turns: Turns;
  throttle: Throttle;
  /** Requests that are worked on, by person. */
  inFlight: InFlight;
  metrics: Metrics;
  /** What was refused, on its way to the audit trail. */
  refusals: Refusals;
  pdf: PdfWriter;
  directory: Directory;
  /** Contents of digital files. */
  storage: Storage;
  /** Contents in answers that are JSON, which cannot be streamed. */
  contents: Budget;
  writability: Writability;
  /** What one person may hold of what is scarce. */
  shares: ReturnType<typeof sharesOf>;
  /** Whether the process is draining before its end. */
  lifecycle: { stopping: boolean };
}

/** Longest that a request waits for others of its person; as long as it would wait for a connection. */
const TURN_MS = 3_000;

/** How many of the largest files may stand in JSON answers at a time, each of which takes six times its bytes. */
const CONTENTS = 4;

/** Documents that one person may have in the queue, a quarter of it. */
const DOCUMENTS_EACH = 5;
/** Files that one person may send or download as a stream at a time. Browsers do six. */
const TRANSFERS_EACH = 10;

/** Half of what there is, rounded up, where a person's requests take it for long. */
const sharesOf = ({ EXPORT_POOL, FILES_MAX_BYTES }: Config) => ({
  exports: new Shares(Math.ceil(EXPORT_POOL / 2), messages.yourExports, 10),
  documents: new Shares(DOCUMENTS_EACH, messages.yourDocuments, 5),
  transfers: new Shares(TRANSFERS_EACH, messages.yourTransfers, 5),
  contents: new Shares((CONTENTS / 2) * FILES_MAX_BYTES, messages.yourContents, 2),
});

/** Opens everything a service process needs on a database that exists. */
export async function openServices(config: Config, databaseUrl: string, log: Logger): Promise<Services> {
  const database = databaseSettings(config, databaseUrl);
  const orm = await openOrm(database);
  const pool: Pool = await orm.em.getConnection().getNativeClient();
  const reader = poolReader(pool);
  const turns = new Turns(config.DATABASE_POOL, CONNECT_TIMEOUT_MS + config.STATEMENT_TIMEOUT_MS / 2);
  const listing: Listing = {
    metadata: orm.getMetadata(),
    reader,
    kept: keptReads(reader),
    limits: {
      itemsPerPage: config.MAX_ITEMS_PER_PAGE,
      unpaginatedRows: config.MAX_UNPAGINATED_ROWS,
      request: { rows: config.MAX_ROWS_PER_REQUEST, bytes: config.MAX_ANSWER_BYTES },
      batchMs: answerTimeoutMs(config.STATEMENT_TIMEOUT_MS),
    },
  };
  return {
    config,
    log,
    orm,
    listing,
    exportPool: exportPool(database, config.EXPORT_POOL, log),
    turns,
    throttle: new Throttle(poolReader(bounded(pool, turns))),
    inFlight: new InFlight({
      requests: config.MAX_REQUESTS_PER_PERSON ?? Math.ceil(config.DATABASE_POOL / 2),
      waitMs: TURN_MS,
    }),
    metrics: new Metrics(),
    refusals: new Refusals(listing.reader),
    pdf: openPdfWriter(config),
    directory: openDirectory(config, orm, listing),
    storage: await openStorage(config),
    contents: new Budget(CONTENTS * config.FILES_MAX_BYTES),
    writability: new Writability(reader, log),
    shares: sharesOf(config),
    lifecycle: { stopping: false },
  };
}

/** Longest that connections may take to close. By then every request is answered, so nothing can be lost. */
const CLOSE_MS = 5_000;

/** Closes what `openServices` opened. Connections that a lost server left behind neither fail the end nor hold it up. */
export async function closeServices({
  exportPool: exports,
  directory,
  orm,
  pdf,
  storage,
  refusals,
  log,
}: Services): Promise<void> {
  storage.close();
  const database = closeDatabase(orm, refusals);
  forgetStatements();
  const closing = Promise.allSettled([exports.end(), directory.close(), database, pdf.close()]);
  const ends = await Promise.race([closing, sleep(CLOSE_MS, [], { ref: false })]);
  for (const end of ends)
    if (end.status === 'rejected') log.warn({ err: end.reason as Error }, 'closing connections');
}

async function closeDatabase(orm: MikroORM, refusals: Refusals): Promise<void> {
  try {
    await refusals.write();
  } finally {
    await orm.close();
  }
}

/** A pool whose statements take turns with logins, since they may wait for a row that another login has locked. */
const bounded = (pool: Pool, turns: Turns): Pick<Pool, 'query' | 'options'> => ({
  options: pool.options,
  query: ((statement: QueryConfig) =>
    turns.run({ lane: 'login', operation: 'throttle', wants: [] }, () =>
      pool.query(statement),
    )) as unknown as Pool['query'],
});

const openPdfWriter = ({ INSTITUTION_NAME, INSTITUTION_LOGO, INSTITUTION_TZ }: Config): PdfWriter =>
  new PdfWriter({
    institution: {
      name: INSTITUTION_NAME,
      logo: INSTITUTION_LOGO ? readFileSync(INSTITUTION_LOGO) : undefined,
    },
    timeZone: INSTITUTION_TZ,
  });

export const databaseSettings = (config: Config, url: string): DatabaseSettings => ({
  url,
  pool: config.DATABASE_POOL,
  statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
  timeZone: config.INSTITUTION_TZ,
});
