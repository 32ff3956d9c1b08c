import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { failure } from './failure.ts';
import { addressOf, ensureDatabase, launch } from './launch.ts';
import { isTaken, lockFolder } from './lock.ts';
import { choosePlace } from './place.ts';
import { clearLeftovers, markOf, startServer, type Marked } from './server.ts';
import { settingsOf, writeSettings } from './settings.ts';
import { supervise } from './supervise.ts';

export interface EmbeddedOptions {
  /** The service's data folder; created if missing. */
  dataDir: string;
  log: (message: string) => void;
  /** Further arguments of the `postgres` program. */
  postgresFlags?: string[];
}

export interface EmbeddedDatabase {
  /** Connection string of the service's database; stays valid over restarts of the server. */
  url: string;
  /** The processes that belong to it. */
  processes: Marked;
  /** Shuts the server down and waits for its end. */
  stop(): Promise<void>;
}

/**
 * Starts (the first time: creates) a PostgreSQL server with its data under `<dataDir>/postgres` and keeps it
 * running until `stop()`. It takes connections on 127.0.0.1 only. A server left behind by a service that
 * was killed is shut down first.
 * @throws Error, saying what to do, when a live service uses the data folder or the server does not start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const release: (() => Promise<void>)[] = [];
  const lock = async (folder: string): Promise<void> => {
    release.push(await lockFolder(folder));
  };
  const unlock = async (): Promise<void> => {
    await Promise.all(release.map(one => one()));
  };
  try {
    await mkdir(options.dataDir, { recursive: true });
    const running = await start({ ...options, dataDir: await realpath(options.dataDir) }, lock);
    let stopped: Promise<void> | undefined;
    const stop = async () => {
      await running.stop();
      await unlock();
    };
    return { ...running, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await unlock();
    throw explained(error, options.dataDir);
  }
}

/** Connection string of the database that a running service keeps in its data folder; undefined when none does. */
export async function findEmbedded(dataDir: string): Promise<string | undefined> {
  return (await isTaken(dataDir)) ? addressOf(await settingsOf(dataDir)) : undefined;
}

async function start(
  { dataDir, log, postgresFlags = [] }: EmbeddedOptions,
  lock: (folder: string) => Promise<void>,
): Promise<EmbeddedDatabase> {
  await lock(dataDir);
  const known = await settingsOf(dataDir);
  const place = await choosePlace(dataDir, known.home);
  const { home, user } = place;
  const settings = { ...known, home: home === dataDir ? undefined : home };
  await writeSettings(dataDir, settings);
  if (settings.home) {
    log(`The database lies in ${home}: user ${user?.uid}, who runs PostgreSQL, cannot reach ${dataDir}`);
    // Locked as well, since a copy of the data folder points to the same home.
    await lock(home);
  }
  const binaries = await findBinaries(place, log);
  const cluster = await ensureCluster(place, binaries, settings.password);
  const common = { binaries, cluster, user, mark: await markOf(cluster), flags: postgresFlags };
  const logFile = join(home, 'postgres.log');
  if (await clearLeftovers(common)) log('A PostgreSQL server that an earlier run left behind was shut down');
  const { server, port, url } = await launch({ ...common, logFile }, settings);
  if (port !== settings.port) await writeSettings(dataDir, { ...settings, port });
  try {
    await ensureDatabase(url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const restart = async () => {
    await clearLeftovers(common);
    return startServer({ ...common, logFile, port });
  };
  return { url, processes: { cluster, mark: common.mark }, stop: supervise(server, restart, log) };
}

function explained(error: unknown, dataDir: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const denied = code !== undefined && ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code);
  return denied ? failure(`cannot use the data folder ${dataDir}`, error) : error;
}
