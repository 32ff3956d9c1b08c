import type { Pool } from 'pg';
import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client';
import { openAlerts } from '../../domain/alerts.ts';
import type { Standbys } from '../../database/standbys.ts';
import { type Services } from '../../request/services.ts';
import type { Dependency } from '../../runtime/dependency.ts';
import { lostLines } from '../../runtime/log-stream.ts';
import { watchdogState } from '../../runtime/watchdog-state.ts';
import { observeClasses } from './classes.ts';
import { alertFigures, databaseFigures, numberOf } from './database-figures.ts';
import { Figure } from './figure.ts';

/** Adds metrics that are read at scrape time: process, connections, queue and database. */
export async function observe(services: Services): Promise<void> {
  const { changes, metrics, orm, exportPool, pdf, turns, listing, servers, writability, standbys } = services;
  const { registry } = metrics;
  collectDefaultMetrics({ register: registry });
  const requests: Pool = await orm.em.getConnection().getNativeClient();
  const ofStandbys = standbys.all.map(({ name, connections }) => [`standby ${name}`, connections.reads.pool]);
  observePools(registry, { requests, exports: exportPool, ...Object.fromEntries(ofStandbys) });
  if (standbys.all.length > 0) observeStandbys(registry, standbys);
  gauge(
    registry,
    'sii_pdf_waiting',
    'Documents that wait to be written, or are being written',
    () => pdf.waiting,
  );
  counter(
    registry,
    'sii_event_loop_blocked_total',
    'How often the process was found unable to answer anybody for more than a second',
    () => watchdogState.blocks,
  );
  counter(
    registry,
    'sii_log_lines_lost_total',
    'Log lines that were lost, because the log could not be written',
    () => lostLines.count,
  );
  gauge(registry, 'sii_subscriptions_open', 'Subscriptions to changes that are open', () => changes.followed);
  observeClasses(registry, services);
  gauge(registry, 'sii_writes_waiting', 'Writes that wait for their turn', () => turns.waiting);
  const database = new Figure(0, () => numberOf(listing.reader, 'select 1'), 0);
  up(registry, 'sii_database_up', 'Whether the database answers', database);
  const { storage, directory } = services.dependencies;
  up(registry, 'sii_storage_up', 'Whether the storage of digital files answers', asking(storage));
  if (directory) up(registry, 'sii_directory_up', 'Whether the LDAP server answers', asking(directory));
  const writable = new Figure(0, async () => Number((await writability.ask()) !== 'read-only'), 0);
  gauge(registry, 'sii_database_writable', 'Whether the database takes changes', () => writable.current());
  gauge(
    registry,
    'sii_database_awaiting_standby',
    'Whether commits wait for a synchronous standby that is away, so that no write begins',
    () => Number(servers.awaitsStandby),
  );
  gauge(
    registry,
    'sii_database_rivals',
    'Further servers of DATABASE_URL that take changes',
    () => servers.rivals.length,
  );
  for (const { name, help, seconds, read } of databaseFigures) {
    const figure = new Figure(seconds, () => read(listing.reader));
    gauge(registry, name, help, () => figure.current());
  }
  const alerts = new Figure(60, () => openAlerts(services));
  for (const { name, help, kinds } of alertFigures)
    gauge(registry, name, help, async () => {
      const open = await alerts.current();
      return open && kinds.reduce((sum, kind) => sum + (open.get(kind) ?? 0), 0);
    });
}

const asking = (dependency: Dependency): Figure =>
  new Figure(15, async () => Number(await dependency.isThere()), 0);

/** A gauge that is 0 also while the figure is not known. */
const up = (registry: Registry, name: string, help: string, figure: Figure): void =>
  gauge(registry, name, help, async () => (await figure.current()) ?? 0);

/** A gauge without labels. It has no sample while its value is undefined. */
function gauge(
  registry: Registry,
  name: string,
  help: string,
  look: () => number | undefined | Promise<number | undefined>,
): void {
  const found = new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      const value = await look();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
  registry.registerMetric(found);
}

/** A counter without labels, counted elsewhere. */
function counter(registry: Registry, name: string, help: string, look: () => number): void {
  const found = new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(look());
    },
  });
  registry.registerMetric(found);
}

/** Lag of the standbys, and the number of reads by server. */
function observeStandbys(registry: Registry, { all, counts }: Standbys): void {
  const lag = new Gauge({
    name: 'sii_standby_lag_seconds',
    help: 'How much older than the primary a standby may be; no value while that is not known',
    labelNames: ['standby'],
    registers: [],
    collect() {
      this.reset();
      for (const { name, lagMs } of all) if (lagMs < Infinity) this.set({ standby: name }, lagMs / 1000);
    },
  });
  const reads = new Counter({
    name: 'sii_reads_total',
    help: 'Statements that read for sessions, by the server that answered',
    labelNames: ['server'],
    registers: [],
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(counts)) this.inc({ server }, count);
    },
  });
  registry.registerMetric(lag);
  registry.registerMetric(reads);
}

function observePools(registry: Registry, pools: Readonly<Record<string, Pool>>): void {
  const connections = new Gauge({
    name: 'sii_database_connections',
    help: 'Connections to the database by pool, and requests that wait for one',
    labelNames: ['pool', 'state'],
    registers: [],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
  registry.registerMetric(connections);
}
