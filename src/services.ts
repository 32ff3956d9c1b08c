import { setTimeout as sleep } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Refusals } from './request/refusals.ts';
import { InFlight } from './access/in-flight.ts';
import { CallingSystems } from './access/calling-system.ts';
import { Throttle } from './access/throttle.ts';
import { Changes } from './changes/changes.ts';
import type { Config } from './config.ts';
import { answerTimeoutMs, CONNECT_TIMEOUT_MS, openOrm, type DatabaseSettings } from './database/orm.ts';
import { openStandbys } from './database/open-standbys.ts';
import { exportPool, importPool } from './database/pools.ts';
import { inLane, ReadLane } from './database/read-lane.ts';
import { Servers } from './database/servers.ts';
import { sharingTrips } from './database/shared-trips.ts';
import { slowStatements } from './database/slow-statements.ts';
import { forgetStatements } from './database/statement-names.ts';
import { Writability } from './database/writability.ts';
import { Turns } from './database/turns.ts';
import { ImportJobs } from './imports/jobs.ts';
import { openDirectory } from './directory/open.ts';
import type { Listing } from './listing/listing.ts';
import { pipeliningReader, readAll, type Reader } from './database/reader.ts';
import { Totals } from './listing/totals.ts';
import { accessTexts } from './access/messages.ts';
import { Bulkhead } from './runtime/bulkhead.ts';
import { Dependency } from './runtime/dependency.ts';
import { Gate } from './runtime/gates.ts';
import { Metrics } from './runtime/metrics.ts';
import { readLogo } from './reports/pdf/logo.ts';
import { PdfWriter } from './reports/pdf/writer.ts';
import { Sessions } from './access/session.ts';
import { ReadPlaces } from './access/read-places.ts';
import { CONTENTS, sharesOf } from './access/shares.ts';
import type { Services } from './request/services.ts';
import { openStorage } from './storage/open.ts';

/** Longest wait of a request for other requests of the same person. It is the same as for a connection. */
const TURN_MS = 3_000;

/** Parts of long lists that are read at a time. More would not be faster, because one thread converts them to JSON. */
const PARTS = 2;

/** Opens everything that a service process needs, on an existing database. */
export async function openServices(config: Config, databaseUrl: string, log: Logger): Promise<Services> {
  const pdf = await openPdfWriter(config);
  const note = slowStatements(config.SLOW_STATEMENT_MS, log);
  const database = { ...databaseSettings(config, databaseUrl), note };
  const orm = await openOrm(database);
  const pool: Pool = await orm.em.getConnection().getNativeClient();
  const reader = pipeliningReader(pool);
  const readLane = new ReadLane(Math.floor(config.DATABASE_POOL * 0.7));
  const queryReader = sharingTrips(inLane(readLane, reader));
  const turns = new Turns(
    config.DATABASE_POOL,
    CONNECT_TIMEOUT_MS + config.STATEMENT_TIMEOUT_MS / 2,
    readLane,
  );
  const totals = new Totals(reader);
  const listing: Listing = {
    metadata: orm.getMetadata(),
    reader,
    totals,
    parts: new Gate(PARTS),
    limits: {
      itemsPerPage: config.MAX_ITEMS_PER_PAGE,
      unpaginatedRows: config.MAX_UNPAGINATED_ROWS,
      request: { rows: config.MAX_ROWS_PER_REQUEST, bytes: config.MAX_ANSWER_BYTES },
      batchMs: answerTimeoutMs(config.STATEMENT_TIMEOUT_MS),
    },
  };
  const exports = exportPool(database, config.EXPORT_POOL, log);
  const standbys = openStandbys(
    database,
    {
      urls: config.DATABASE_READ_URLS,
      maxLagMs: config.READ_MAX_LAG_MS,
      exports: config.EXPORT_POOL,
      types: pool.options.types,
    },
    log,
  );
  const sessions = new Sessions(sharingTrips(reader), { withSeen: standbys.all.length > 0 });
  const most = config.MAX_SUBSCRIPTIONS;
  const storage = await openStorage(config);
  const directory = openDirectory(config, orm, listing);
  const changes = new Changes({ orm, listing, servers: database.servers, sessions, most, log });
  return {
    config,
    log,
    orm,
    servers: database.servers,
    listing,
    changes,
    wrote: () => changes.sequencer.soon(),
    exportPool: exports,
    exporting: new Bulkhead({
      most: config.EXPORT_POOL,
      waiting: 0,
      patienceMs: 0,
      refusal: accessTexts.tooBusy,
      retryAfter: 10,
    }),
    standbys,
    reads: new ReadPlaces({ reader: queryReader, exports, totals }, standbys),
    imports: new ImportJobs({
      orm,
      reader,
      pool: importPool(database, log),
      servers: database.servers,
      log,
    }),
    turns,
    readLane,
    queryReader,
    sessions,
    systems: new CallingSystems(reader),
    throttle: new Throttle(inLoginTurns(reader, turns)),
    inFlight: new InFlight({
      requests: config.MAX_REQUESTS_PER_PERSON ?? Math.ceil(config.DATABASE_POOL / 2),
      waitMs: TURN_MS,
    }),
    metrics: new Metrics(),
    refusals: new Refusals(reader),
    pdf,
    directory,
    storage,
    dependencies: {
      storage: new Dependency('storage of digital files', () => storage.check(), log),
      directory: directory.ask && new Dependency('directory', directory.ask, log),
    },
    contents: new Gate(CONTENTS * config.FILES_MAX_BYTES),
    writability: new Writability(reader, database.servers, log),
    shares: sharesOf(config),
    lifecycle: { stopping: false },
  };
}

/** Longest time to close connections. All requests are answered by then, so nothing is lost. */
const CLOSE_MS = 5_000;

/** Closes what `openServices` opened. Dead connections to a lost server neither fail nor delay the shutdown. */
export async function closeServices({
  changes,
  exportPool: exports,
  standbys,
  directory,
  imports,
  orm,
  pdf,
  storage,
  refusals,
  log,
}: Services): Promise<void> {
  changes.stop();
  // Its running imports store their end.
  await Promise.race([imports.stop(), sleep(CLOSE_MS, undefined, { ref: false })]);
  storage.close();
  const database = closeDatabase(orm, refusals);
  forgetStatements();
  const closing = Promise.allSettled([
    exports.end(),
    standbys.close(),
    directory.close(),
    database,
    pdf.close(),
  ]);
  const ends = await Promise.race([closing, sleep(CLOSE_MS, [], { ref: false })]);
  for (const end of ends)
    if (end.status === 'rejected') log.warn({ err: end.reason as Error }, 'connections not closed');
}

async function closeDatabase(orm: MikroORM, refusals: Refusals): Promise<void> {
  try {
    await refusals.write();
  } finally {
    await orm.close();
  }
}

/** A reader whose statements take turns with logins, because they may wait for a row that a login has locked. */
function inLoginTurns(reader: Reader, turns: Turns): Reader {
  const inTurn = <T>(read: () => Promise<T>): Promise<T> =>
    turns.run({ lane: 'login', operation: 'throttle', locks: [] }, read);
  return {
    rows: (...asked) => inTurn(() => reader.rows(...asked)),
    together: statements => inTurn(() => readAll(reader, statements)),
  };
}

const openPdfWriter = async (config: Config): Promise<PdfWriter> => {
  const { INSTITUTION_NAME, INSTITUTION_LOGO, INSTITUTION_TZ } = config;
  const logo = INSTITUTION_LOGO === undefined ? undefined : await readLogo(INSTITUTION_LOGO);
  return new PdfWriter({
    institution: { name: INSTITUTION_NAME, logo },
    timeZone: INSTITUTION_TZ,
  });
};

export const databaseSettings = (config: Config, url: string): DatabaseSettings => ({
  servers: new Servers(url),
  pool: config.DATABASE_POOL,
  statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
  timeZone: config.INSTITUTION_TZ,
  institution: {
    cnpj: config.INSTITUTION_CNPJ ?? '',
    // Where the passwords of people are that the service itself does not keep.
    diretorio: config.LDAP_URL ? 'ldap' : '',
    finalidade: String(config.INSTITUTION_PURPOSE ?? ''),
    descartes: config.SIPROQUIM_DISPOSALS,
    armazens: String(config.SIPROQUIM_WAREHOUSES),
  },
});
