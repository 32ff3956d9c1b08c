import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { REFUSALS_MS } from '../request/refusals.ts';
import { createApp } from '../app.ts';
import { inBackground } from '../runtime/background.ts';
import type { Config } from '../config.ts';
import { checkDatabase } from '../database/check.ts';
import { prepareDatabase } from './prepare.ts';
import { dropOldAnswers } from '../request/idempotency.ts';
import { createSchema } from '../graphql/schema.ts';
import { endStalled } from '../http/pace.ts';
import { boundUnread } from '../http/unread.ts';
import { exposeMetrics } from './metrics/expose.ts';
import { NewsRefresher } from '../news/refresher.ts';
import { OperatorError } from '../errors.ts';
import { Running } from './running.ts';
import { type Services } from '../request/services.ts';
import { closeServices, databaseSettings, openServices } from '../services.ts';
import { answerUnreadable } from '../http/unreadable-request.ts';

/** Bounds on a client's slowness. A proxy's own idle time is 60 s as a rule; ours must be longer. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

/** How often what is kept for a time is looked through. */
const TIDY_MS = 3_600_000;

/** How often it is looked whether the database takes changes, where no probe asks. */
const WRITABLE_MS = 30_000;

/** Longest that a connection without a complete request, as browsers open them ahead, is kept when the service stops. */
const UNASKED_MS = 1_000;

/** One process that serves. */
export class ServiceProcess extends Running {
  /** At the end: not ready → accept nothing new → finish what runs → close. */
  protected async open(): Promise<number> {
    const { config, log, signal } = this;
    const schema = await createSchema();
    signal.throwIfAborted();
    const database = await this.openDatabase();
    signal.throwIfAborted();
    await checkDatabase(databaseSettings(config, database.url));
    const services = await openServices(config, database.url, log);
    this.closers.push(() => closeServices(services));
    await prepareDatabase(services, schema, database, signal);
    this.#tidyUp(services);
    this.#refreshNews(services, database.url);
    this.closers.push(await exposeMetrics(services));
    signal.throwIfAborted();
    const server = createServer(timeouts, await createApp(services, schema));
    answerUnreadable(server, services);
    const drain = drainer(server);
    endStalled(server);
    boundUnread(server);
    await listen(server, config);
    this.closers.push(() => {
      services.lifecycle.stopping = true;
      return drain();
    });
    signal.throwIfAborted();
    return (server.address() as AddressInfo).port;
  }

  /** What every process does now and then; to do it twice is harmless. */
  #tidyUp({ listing, refusals, writability, log }: Services): void {
    const every = (ms: number, work: () => Promise<unknown>): void => {
      const failed = (error: unknown): void => log.warn({ err: error }, 'tidying up');
      const attempt = (): void => inBackground(work(), failed);
      const timer = setInterval(attempt, ms);
      this.closers.push(async () => clearInterval(timer));
    };
    every(TIDY_MS, () => dropOldAnswers(listing.reader));
    every(WRITABLE_MS, () => writability.ask());
    every(REFUSALS_MS, () => refusals.write());
  }

  #refreshNews(services: Services, url: string): void {
    const { NEWS_FEED_URL, NEWS_REFRESH_MINUTES } = this.config;
    if (!NEWS_FEED_URL) return;
    const news = new NewsRefresher(services, url, NEWS_FEED_URL);
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

/** Gives the function that closes the server when the last request is answered, and no connection later than that. */
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
    server.close();
    for (const res of answering) res.shouldKeepAlive = false;
    // Looked at only then: what was on its way when the end was asked for is answered, however long that takes.
    const unasked = setTimeout(() => {
      const busy = new Set([...answering].map(res => res.socket));
      for (const socket of open) if (!busy.has(socket)) socket.destroy();
    }, UNASKED_MS);
    // An answer whose headers are sent, such as an export, leaves its connection open for a next request.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    await closed;
    clearTimeout(unasked);
    clearInterval(sweep);
  };
}
