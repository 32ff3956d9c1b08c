import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ROLE } from './cluster.ts';
import { failure } from './failure.ts';
import { startServer, type Server, type ServerOptions } from './server.ts';
import { freePort, type Settings } from './settings.ts';

const DATABASE = 'sii';
const ATTEMPTS = 6;
/**
 * Failures after which a retry helps: children of a killed server that are still ending, or a port that was taken after
 * it was found free.
 */
const PASSING = /shared memory block|Address already in use/;

export interface LaunchedServer {
  server: Server;
  port: number;
  /** Connection string of the service's database, which may not exist yet. */
  url: string;
}

/**
 * Starts the server, on its previous port if that is free, and waits until it accepts connections.
 * @throws Error with the server's log when it does not start
 */
export async function launch(
  options: Omit<ServerOptions, 'port'>,
  settings: Settings,
): Promise<LaunchedServer> {
  for (let attempt = 1; ; attempt += 1) {
    await rm(options.logFile, { force: true });
    const port = await freePort(settings.port);
    const url = addressOf({ ...settings, port });
    const server = await startServer({ ...options, port });
    try {
      await untilReady(server, url);
      return { server, port, url };
    } catch (error) {
      await server.stop();
      const logged = await readFile(options.logFile, 'utf8');
      if (attempt === ATTEMPTS || !PASSING.test(logged)) throw failure('did not start', error, logged);
      await sleep(100 * 2 ** attempt);
    }
  }
}

/** Connection string of the service's database on a server with these settings. */
export const addressOf = ({ password, port }: Settings): string =>
  `postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`;

/** Creates the service's database if it is missing. */
export async function ensureDatabase(url: string): Promise<void> {
  await withClient(administrative(url), async client => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`create database ${DATABASE}`);
  });
}

/** Whether a server accepts connections to this database. */
export const answers = (url: string): Promise<boolean> =>
  withClient(url, async () => undefined).then(
    () => true,
    () => false,
  );

async function untilReady(server: Server, url: string): Promise<void> {
  let cause: string | undefined;
  server.exited.then(reason => (cause = reason)).catch((error: Error) => (cause = error.message));
  while (cause === undefined) {
    try {
      return await withClient(administrative(url), async () => undefined);
    } catch (error) {
      // Class 28: the server runs but rejects the password.
      if ((error as { code?: string }).code?.startsWith('28')) throw error;
      await sleep(20);
    }
  }
  throw new Error(cause);
}

/** Connection string of the database that every cluster has from the start. */
function administrative(url: string): string {
  return Object.assign(new URL(url), { pathname: '/postgres' }).href;
}

async function withClient(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // The server may end while connected; then the pending call rejects.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end();
  }
}
