import { callbackify } from 'node:util';
import { Client, type ClientConfig, type Pool } from 'pg';
import { ignored, inBackground } from '../runtime/background.ts';
import { SERVER_MS, TOO_MANY, watchReadOnly, type Listening } from './asked-server.ts';
import { changeConnect, type Acquired } from './pool-connect.ts';
import type { Servers } from './servers.ts';

/** SQLSTATE of a change in a read-only transaction. */
export const READ_ONLY = '25006';

/** Handler of a failed write that a read-only server may leave undone. */
export function unlessReadOnly(error: unknown): void {
  if ((error as { code?: unknown }).code !== READ_ONLY) throw error;
}

export interface PrimaryConfig extends ClientConfig {
  /** A function, because the ORM copies objects. */
  servers: () => Servers;
}

type Connected = (error: Error | null) => void;

/** A connection to the server that is the primary when the connection opens. */
export class PrimaryClient extends Client {
  readonly #servers: Servers;
  readonly #isReadOnly: () => boolean;

  /** The types of a pool declare no configuration, but it always passes its own. */
  constructor(given?: PrimaryConfig) {
    const { servers: serversOf, ...config } = given!;
    const servers = serversOf();
    super({
      ...config,
      connectionString: servers.urls[0]!,
      // The rest of the time is left for other servers.
      ...(servers.onlyPrimary && { connectionTimeoutMillis: SERVER_MS }),
    });
    this.#servers = servers;
    this.#isReadOnly = watchReadOnly(this);
    // A pool adds its listener a moment after the connection is open. If the connection is lost before, its first
    // statement fails.
    this.on('error', ignored);
    (this as unknown as Listening).connection.on('errorMessage', ({ code }) => {
      if (code === READ_ONLY && !servers.awaitsStandby) servers.leave();
    });
  }

  override connect(): Promise<this>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): unknown {
    if (!callback) return this.#connect();
    return callbackify(() => this.#connect())(callback);
  }

  async #connect(): Promise<this> {
    const servers = this.#servers;
    const url = await servers.find();
    if (servers.urls.length > 1) Object.assign(this, addressOf(url));
    servers.opens(this);
    try {
      await super.connect();
    } catch (error) {
      if ((error as { code?: unknown }).code !== TOO_MANY) servers.lost(url, error as Error);
      throw error;
    }
    if (!servers.onlyPrimary || !this.#isReadOnly()) return this;
    const error = new Error(`${new URL(url).host} is read-only`);
    servers.lost(url, error);
    inBackground(this.end(), ignored);
    throw error;
  }
}

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1'), port: Number(port) || 5432 };
}

/**
 * Makes a pool leave a server that is no longer the primary: its connections are closed before they are used. If a
 * connection fails to open, it is opened once more, to the server that is the primary then.
 */
export function followPrimary(pool: Pool, servers: Servers): void {
  changeConnect(pool, connect => {
    const follow = (acquired: Acquired): void =>
      connect((error, client, release) => {
        if (client && servers.hasLeft(client)) {
          client.release(true);
          follow(acquired);
        } else if (error && servers.mayHaveMoved(error)) connect(acquired);
        else acquired(error, client, release);
      });
    return follow;
  });
}
