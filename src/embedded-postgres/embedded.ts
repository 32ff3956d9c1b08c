import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { failure } from './failure.ts';
import { addressOf, ensureDatabase, launch } from './launch.ts';
import { holderOf, lockFolder } from './lock.ts';
import { makeFolder } from './make-folder.ts';
import { choosePlace, CLUSTER, exists } from './place.ts';
import { clearLeftovers, markOf, startServer, type ServerIdentity } from './server.ts';
import { settingsOf, writeSettings } from './settings.ts';
import { supervise } from './supervise.ts';

export { answers } from './launch.ts';
export { FolderTaken } from './lock.ts';

export interface EmbeddedOptions {
  /** The service's data folder; created if missing. */
  dataDir: string;
  log: (message: string) => void;
  /** Further arguments for the `postgres` program. */
  postgresFlags?: string[];
  /** Whether a command needs the server, and will stop it soon. */
  isCommand?: boolean;
}

export interface EmbeddedDatabase {
  /** Connection string of the service's database. It stays valid when the server restarts. */
  url: string;
  /** Identifies the server's processes. */
  processes: ServerIdentity;
  /** Shuts the server down and waits until it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server with its data under `<dataDir>/postgres` and keeps it running until `stop()`. The first
 * start creates the data. The server listens on 127.0.0.1 only. A server left over from a killed service is shut down
 * first.
 * @throws FolderTaken when a live process uses the data folder; Error with advice when the server does not start
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const release: (() => Promise<void>)[] = [];
  const lock = async (folder: string): Promise<void> => {
    release.push(await lockFolder(folder, options.isCommand));
  };
  const unlock = async (): Promise<void> => {
    await Promise.all(release.map(one => one()));
  };
  try {
    await makeFolder(options.dataDir);
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

/**
 * The process that uses this data folder, and the address of its database, which may not answer yet; undefined when no live
 * process uses the folder.
 */
export async function findEmbedded(
  dataDir: string,
): Promise<{ pid: number; isCommand: boolean; url: string } | undefined> {
  const holder = await holderOf(dataDir);
  return holder && { ...holder, url: addressOf(await settingsOf(dataDir)) };
}

/** Whether a data folder has an embedded database, running or not. */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  const { home = dataDir } = await settingsOf(dataDir);
  return exists(join(home, CLUSTER));
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
    // Locked as well, because a copy of the data folder has the same home.
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

/** What the system answers where nothing can be written: forbidden, read-only, full, no folder, broken. */
const UNWRITABLE =
  /^(EACCES|EPERM|EROFS|ENOSPC|EDQUOT|ENOTDIR|EISDIR|EEXIST|ENOENT|ELOOP|ENAMETOOLONG|EINVAL|EIO)$/;

function explained(error: unknown, dataDir: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  return UNWRITABLE.test(code) ? failure(`cannot use the data folder ${dataDir} (DATA_DIR)`, error) : error;
}
