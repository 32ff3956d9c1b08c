import type { Pool } from 'pg';
import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client';
import { unchainedSeconds } from '../../domain/audit/chain.ts';
import { openAlerts } from '../../domain/alerts.ts';
import { countContradictions } from '../../domain/reconciliation.ts';
import type { Reader } from '../../database/reader.ts';
import type { Standbys } from '../../database/standbys.ts';
import type { AlertKind } from '../../entities/almoxarifado/reconhecimento-alerta.ts';
import { type Services } from '../../request/services.ts';
import { NO_CONTENT } from '../../storage/storage.ts';
import { watchdogState } from '../../runtime/watchdog-state.ts';
import { Figure } from './figure.ts';

interface DatabaseFigure {
  name: string;
  help: string;
  /** How long a value is cached. */
  seconds: number;
  read: (reader: Reader) => Promise<number>;
}

/** Values that need a query. They are absent while the database is away. */
const databaseFigures: readonly DatabaseFigure[] = [
  {
    name: 'sii_approvals_pending',
    help: 'Movements of controlled materials that wait for a decision',
    seconds: 15,
    read: reader => first(reader, `select count(*)::int from solicitacao_aprovacao where situacao = 'P'`),
  },
  {
    name: 'sii_approvals_oldest_seconds',
    help: 'Time since the oldest of them was asked for; 0 when none waits',
    seconds: 15,
    read: reader =>
      first(
        reader,
        `select coalesce(extract(epoch from now() - min(solicitado_em)), 0)::float8
           from solicitacao_aprovacao where situacao = 'P'`,
      ),
  },
  {
    name: 'sii_sessions_open',
    help: 'Logins that are valid',
    seconds: 15,
    read: reader =>
      first(
        reader,
        'select count(*)::int from sessao where encerrada_em is null and expira_em > statement_timestamp()',
      ),
  },
  {
    name: 'sii_audit_unchained_seconds',
    help: 'Age of the oldest entry of the audit trail that is not chained yet; 0 when all are',
    seconds: 15,
    read: unchainedSeconds,
  },
  {
    name: 'sii_webhooks_paused',
    help: 'Webhooks that the service has paused: they failed for three days, or their owner or secret is gone',
    seconds: 15,
    read: reader =>
      first(reader, `select count(*)::int from webhook where motivo in ('falhas', 'direitos', 'segredo')`),
  },
  {
    name: 'sii_webhook_oldest_seconds',
    help: 'Age of the oldest event that an active webhook has not accepted yet; 0 when there is none',
    seconds: 15,
    read: reader =>
      first(
        reader,
        `select coalesce(extract(epoch from now() - min(e.criado_em)), 0)::float8 from entrega_webhook e
         join webhook w on w.id = e.id_webhook and w.situacao = 'ativo' where e.situacao = 'pendente'`,
      ),
  },
  {
    name: 'sii_ledger_discrepancies',
    help: 'Cells of stock, batches and reversals that movements do not explain; anything but 0 is an alarm',
    // It adds up all movements, which is slow.
    seconds: 300,
    read: countContradictions,
  },
];

/** Open alerts of the storeroom, of these kinds. Approvals have figures of their own. */
const alertFigures: readonly { name: string; help: string; kinds: readonly AlertKind[] }[] = [
  {
    name: 'sii_alerts_expired',
    help: 'Places with stock that has expired, which nobody has acknowledged',
    kinds: ['vencido'],
  },
  {
    name: 'sii_alerts_expiring',
    help: 'Places with stock that expires within 90 days, which nobody has acknowledged',
    kinds: ['vence_em_30_dias', 'vence_em_90_dias'],
  },
  {
    name: 'sii_alerts_below_minimum',
    help: 'Least quantities that are not there, which nobody has acknowledged',
    kinds: ['abaixo_do_minimo'],
  },
];

const first = async (reader: Reader, text: string): Promise<number> =>
  (await reader.rows(text, []))[0]![0] as number;

/** Adds metrics that are read at scrape time: process, connections, queue and database. */
export async function observe({
  changes,
  metrics,
  orm,
  exportPool,
  pdf,
  turns,
  listing,
  writability,
  standbys,
  storage,
}: Services): Promise<void> {
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
  blockCounter(registry);
  gauge(registry, 'sii_subscriptions_open', 'Subscriptions to changes that are open', () => changes.followed);
  gauge(registry, 'sii_writes_waiting', 'Writes that wait for their turn', () => turns.waiting);
  const reachable = new Figure(0, () => first(listing.reader, 'select 1'));
  gauge(
    registry,
    'sii_database_up',
    'Whether the database answers',
    async () => (await reachable.current()) ?? 0,
  );
  const kept = new Figure(15, () => storage.has(NO_CONTENT).then(() => 1));
  gauge(registry, 'sii_storage_up', 'Whether the storage of digital files answers', async () => {
    return (await kept.current()) ?? 0;
  });
  const writable = new Figure(0, async () => Number(await writability.ask()));
  gauge(registry, 'sii_database_writable', 'Whether the database takes changes', () => writable.current());
  for (const { name, help, seconds, read } of databaseFigures) {
    const figure = new Figure(seconds, () => read(listing.reader));
    gauge(registry, name, help, () => figure.current());
  }
  const alerts = new Figure(60, () => openAlerts(listing.reader));
  for (const { name, help, kinds } of alertFigures)
    gauge(registry, name, help, async () => {
      const open = await alerts.current();
      return open && kinds.reduce((sum, kind) => sum + (open.get(kind) ?? 0), 0);
    });
}

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

function blockCounter(registry: Registry): void {
  const blocks = new Counter({
    name: 'sii_event_loop_blocked_total',
    help: 'How often the process was found unable to answer anybody for more than a second',
    registers: [],
    collect() {
      this.reset();
      this.inc(watchdogState.blocks);
    },
  });
  registry.registerMetric(blocks);
}

/** How far the standbys are behind, and what they took off the primary. */
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
