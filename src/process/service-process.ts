import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { REFUSALS_MS } from '../request/refusals.ts';
import { createApp } from '../app.ts';
import { ignored, inBackground } from '../runtime/background.ts';
import type { Config } from '../config.ts';
import { AuditKeeper, CHAIN_MS } from '../domain/audit/keeper.ts';
import { prepareMonths } from '../domain/audit/seal.ts';
import { acceptSockets } from '../graphql/web-sockets.ts';
import { dropExpired } from '../domain/expiry.ts';
import { lacksNewest, otherOwner } from '../domain/file-owner.ts';
import { sweepIncoming } from '../domain/incoming-sweep.ts';
import { GRACE_HOURS } from '../domain/uploads.ts';
import { endStalled } from '../http/pace.ts';
import { refuse } from '../http/raw-refusal.ts';
import { httpServer } from '../http/server.ts';
import { exposeMetrics } from './metrics/expose.ts';
import { NewsRefresher } from '../news/refresher.ts';
import { SILENCE_MS } from '../database/orm.ts';
import { OperatorError } from '../errors.ts';
import { openTelemetry } from './telemetry/telemetry.ts';
import { Running } from './running.ts';
import { differingSettings } from './shared-settings.ts';
import { type Services } from '../request/services.ts';
import { closeServices } from '../services.ts';
import { WebhookDeliverer } from '../webhooks/deliverer.ts';

/** Limits for slow clients. Proxies usually have an idle time of 60 s; ours must be longer. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

/** Interval for deleting expired data. */
const TIDY_MS = 3_600_000;

/** Interval at which changes are numbered when nobody is listening, so that few are left for the next reader. */
const NUMBER_MS = 5_000;

/**
 * Interval at which to check whether the database accepts writes. It is not longer than the time between the limit of a
 * statement and the end of the wait for its answer, so that no write begins after one was given up.
 */
const WRITABLE_MS = SILENCE_MS;

/** Interval at which to compare the servers of the database URL. */
const COMPARE_MS = 30_000;

/**
 * At shutdown, how long a connection without a complete request stays open. Browsers open such connections in advance.
 */
const UNASKED_MS = 1_000;

const ADVICE = 'see "Digital files" in docs/operations.md';

/** A process that serves requests. */
export class ServiceProcess extends Running {
  /** The order of the shutdown: report not ready, refuse new connections, finish running requests, close. */
  protected async open(): Promise<number> {
    const { config, signal } = this;
    const { schema, services } = await this.openServices();
    this.closers.push(() => closeServices(services));
    // If it is known that writes would wait for a standby, none begins.
    await services.writability.ask().catch(ignored);
    this.#tidyUp(services);
    this.#refreshNews(services);
    this.closers.push(await exposeMetrics(services));
    this.closers.push(await openTelemetry(services));
    signal.throwIfAborted();
    const app = await createApp(services, schema);
    const server = httpServer(timeouts, app, services);
    this.#deliverToWebhooks(services);
    const closeSockets = acceptSockets(server, app, services, schema, refuse);
    const drain = drainer(server);
    endStalled(server);
    await listen(server, config);
    this.closers.push(() => {
      services.lifecycle.stopping = true;
      services.changes.drain();
      closeSockets();
      return drain();
    });
    signal.throwIfAborted();
    // Each process must know the label, to notice when it is gone.
    inBackground(services.dependencies.storage.isThere(), ignored);
    // Of several workers one is enough.
    if ((cluster.worker?.id ?? 1) === 1) {
      this.#checkStorage(services);
      this.#compareSettings(services);
    }
    return (server.address() as AddressInfo).port;
  }

  /** Periodic work of every process. Doing it twice is harmless. */
  #tidyUp(services: Services): void {
    const { changes, imports, listing, orm, refusals, writability, log } = services;
    const audit = new AuditKeeper(services);
    const failed = (error: unknown): void => log.warn({ err: error }, 'periodic work failed');
    const every = (ms: number, work: () => Promise<unknown>): void => {
      const attempt = (): void => inBackground(work(), failed);
      const timer = setInterval(attempt, ms);
      this.closers.push(async () => clearInterval(timer));
    };
    const sweep = async (): Promise<void> => {
      const removed = await sweepIncoming(services, GRACE_HOURS * 3_600);
      if (removed > 0) log.info({ removed }, 'files of killed uploads and imports removed');
    };
    // A folder of this machine alone is swept by nobody else.
    const first = sweep().catch(failed);
    this.closers.push(() => first);
    every(TIDY_MS, sweep);
    imports.watch();
    every(TIDY_MS, () => dropExpired(listing.reader));
    every(TIDY_MS, () => prepareMonths(orm));
    every(CHAIN_MS, () => audit.chain());
    every(NUMBER_MS, () => changes.sequencer.number());
    // The log says by other work that the database does not answer.
    every(WRITABLE_MS, () => writability.ask().catch(ignored));
    every(COMPARE_MS, () => writability.compare());
    every(REFUSALS_MS, () => refusals.write());
  }

  /** In the background, because the storage may be away while everything else works. */
  #checkStorage(services: Services): void {
    const { log } = services;
    const check = async (): Promise<void> => {
      const owner = await otherOwner(services);
      if (owner !== undefined) log.warn({ owner }, `the digital files belong to another database: ${ADVICE}`);
      if (await lacksNewest(services))
        log.warn(`the newest digital file is not in this storage, so it may be the wrong one: ${ADVICE}`);
      log.debug('storage checked');
    };
    inBackground(check(), (error: unknown) => {
      if (!services.lifecycle.stopping) log.warn({ err: error }, `storage not checked: ${ADVICE}`);
    });
  }

  /** In the background, because the database may be read-only, or the role may not have the rights yet. */
  #compareSettings({ config, listing, log }: Services): void {
    // The embedded database has no other process.
    if (!config.DATABASE_URL) return;
    const compare = async (): Promise<void> => {
      const settings = await differingSettings(listing.reader, config);
      if (settings.length > 0)
        log.warn(
          { settings },
          'the process that started last on this database had other settings: if it runs, give all the same',
        );
      log.debug('settings compared');
    };
    inBackground(compare(), (error: unknown) => log.debug({ err: error }, 'settings not compared'));
  }

  #deliverToWebhooks(services: Services): void {
    const deliverer = new WebhookDeliverer(services);
    deliverer.start();
    this.closers.push(() => deliverer.stop());
  }

  #refreshNews(services: Services): void {
    const { NEWS_FEED_URL, NEWS_REFRESH_MINUTES } = this.config;
    if (!NEWS_FEED_URL) return;
    const news = new NewsRefresher(services, NEWS_FEED_URL);
    news.start(NEWS_REFRESH_MINUTES);
    this.closers.push(() => news.stop());
  }
}

async function listen(server: Server, { HOST, PORT }: Config): Promise<void> {
  server.listen(PORT, HOST);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'EADDRINUSE'
        ? `port ${PORT} is in use. End the program that uses it, or choose another PORT.`
        : `${error.message}. Check HOST and PORT.`;
    throw new OperatorError(`Cannot listen on ${HOST}: ${why}`, { cause: error });
  });
}

/** Returns a function that closes the server after the last answer, without waiting for idle connections. */
function drainer(server: Server): () => Promise<void> {
  const open = new Set<Socket>();
  const answering = new Set<ServerResponse>();
  server.on('connection', socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (_req, res) => {
    answering.add(res);
    res.once('close', () => answering.delete(res));
    res.shouldKeepAlive &&= server.listening;
  });
  return async () => {
    const closed = once(server, 'close');
    // That of http.Server would also cut kept connections at once, where a request may be on its way.
    NetServer.prototype.close.call(server);
    for (const res of answering) res.shouldKeepAlive = false;
    let sweep: NodeJS.Timeout | undefined;
    const unasked = setTimeout(() => {
      const busy = new Set([...answering].map(res => res.socket));
      for (const socket of open) if (!busy.has(socket)) socket.destroy();
      // After an answer whose headers were sent before the shutdown, such as an export, the connection would stay open
      // for a next request.
      sweep = setInterval(() => server.closeIdleConnections(), 50);
    }, UNASKED_MS);
    await closed;
    clearTimeout(unasked);
    clearInterval(sweep);
  };
}
