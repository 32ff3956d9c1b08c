import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { Client } from 'ldapts';
import { Pool } from 'tarn';
import { ignored, inBackground } from '../runtime/background.ts';
import { AppError } from '../errors.ts';
import { directoryTexts } from './messages.ts';
import { bounded } from './ldap-messages.ts';
import type { LdapSettings } from './ldap-settings.ts';

const RETRY_SECONDS = 5;

/** After this time an idle connection is not used again, because a firewall may have dropped it silently. */
const IDLE_MS = 10_000;
/** Interval of TCP keep-alive probes. */
const KEEP_ALIVE_MS = 10_000;

/** 503 for a directory that cannot be reached, whatever the cause. */
export const directoryAway = (cause: unknown): AppError =>
  new AppError('UNAVAILABLE', { detail: directoryTexts.directoryAway, retryAfter: RETRY_SECONDS, cause });

/**
 * One connection, from start to end. The library's client would reconnect on its own, but unauthenticated and
 * unencrypted. So this class refuses a second connection.
 */
class Connection {
  readonly client: Client;
  readonly #sockets: Socket[] = [];
  #isReady = false;
  #isClosed = false;
  /** Start of its idle time. */
  #idleSince = Infinity;

  constructor({ url, tls, timeoutMs }: LdapSettings) {
    this.client = new Client({
      url,
      timeout: timeoutMs,
      connectTimeout: timeoutMs,
      ...(url.startsWith('ldaps:') && { tlsOptions: tls }),
      createConnection: ((port: number, host: string) =>
        this.#only(() => connectTcp({ port, host, noDelay: true }))) as typeof connectTcp,
      createSecureConnection: ((...args: [ConnectionOptions]) =>
        // For StartTLS, the existing socket is the one to encrypt.
        args[0].socket
          ? bounded(connectTls(...args))
          : this.#only(() => connectTls(...args))) as typeof connectTls,
    });
  }

  get isLive(): boolean {
    return !this.#isClosed && this.#isReady && this.client.isConnected;
  }

  /** Marks the connection as idle from now on. */
  rest(): void {
    this.#idleSince = performance.now();
  }

  /** Whether the connection is new, or alive and not idle for long. */
  get isUsable(): boolean {
    const isNew = !this.#isReady && !this.#isClosed;
    return isNew || (this.isLive && performance.now() - this.#idleSince < IDLE_MS);
  }

  /** Connects, encrypts and binds as configured. */
  async makeReady({ startTls, tls, bind }: LdapSettings, identified: boolean): Promise<void> {
    if (this.#isReady) return;
    if (startTls) await this.client.startTLS({ ...tls });
    if (identified && bind) await this.client.bind(bind.dn, bind.password);
    this.#isReady = true;
  }

  /** Closes the connection without a request to the server. It is never used again. */
  destroy(): void {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  #only<S extends Socket>(open: () => S): S {
    if (this.#sockets.length > 0) throw new Error('the connection was lost');
    const socket = bounded(open().setKeepAlive(true, KEEP_ALIVE_MS));
    this.#sockets.push(socket);
    return socket;
  }
}

/**
 * Pool of connections to an LDAP server, opened on demand. Lost and slow connections are closed, so that the next
 * request finds a server that has come back.
 */
export class LdapConnections {
  readonly #pool: Pool<Connection>;
  readonly #open = new Set<Connection>();

  /** `identified`: whether the connections are authenticated with the service's own DN. */
  constructor(
    private readonly settings: LdapSettings,
    private readonly identified: boolean,
  ) {
    this.#pool = new Pool<Connection>({
      create: () => {
        const connection = new Connection(settings);
        this.#open.add(connection);
        return connection;
      },
      validate: connection => connection.isUsable,
      destroy: connection => {
        this.#open.delete(connection);
        connection.destroy();
      },
      min: 0,
      max: settings.pool,
      idleTimeoutMillis: IDLE_MS,
      // Never reached, because each use has its own deadline.
      acquireTimeoutMillis: 10 * settings.timeoutMs,
    });
  }

  /** End of the time for one use. Several uses may share one deadline. */
  deadline(): number {
    return performance.now() + this.settings.timeoutMs;
  }

  /**
   * Runs `work` on a connection of its own, within the configured time.
   * @throws UNAVAILABLE when there is no connection or no answer in time; what `work` throws
   */
  async use<T>(work: (client: Client) => Promise<T>, deadline = this.deadline()): Promise<T> {
    const patience = new AbortController();
    const asked = this.#pool.acquire();
    const late = (): void => {
      patience.abort(directoryAway(new Error('no answer in time')));
      asked.abort();
    };
    const timer = setTimeout(late, deadline - performance.now());
    try {
      const connection = await asked.promise.catch((error: unknown) => {
        throw directoryAway(error);
      });
      return await this.#on(connection, work, patience.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    for (const connection of this.#open) connection.destroy();
    await this.#pool.destroy();
  }

  async #on<T>(connection: Connection, work: (client: Client) => Promise<T>, late: AbortSignal): Promise<T> {
    try {
      await inTime(connection.makeReady(this.settings, this.identified), late).catch((error: unknown) => {
        throw error instanceof AppError ? error : directoryAway(error);
      });
      return await inTime(work(connection.client), late);
    } finally {
      // After an error response the connection is fine. After a time-out a late answer could still arrive.
      if (late.aborted || !connection.isLive) connection.destroy();
      else connection.rest();
      this.#pool.release(connection);
    }
  }
}

/** Settles like the promise, or rejects when the signal aborts first. */
function inTime<T>(promise: Promise<T>, late: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(late.reason as Error);
    if (late.aborted) end();
    late.addEventListener('abort', end, { once: true });
    const settled = promise.then(resolve, reject).finally(() => late.removeEventListener('abort', end));
    inBackground(settled, ignored);
  });
}
