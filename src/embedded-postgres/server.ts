import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanEnvironment, type ServerUser } from './execute.ts';
import { findProcess, killProcess, listProcesses, shutDown } from './processes.ts';

/** What identifies the processes of a cluster's server. */
export interface ServerIdentity {
  cluster: string;
  /** Identifies this cluster in command lines; see `markOf`. */
  mark: string;
}

export interface ServerOptions extends ServerIdentity {
  /** Folder of the PostgreSQL programs. */
  binaries: string;
  port: number;
  user?: ServerUser;
  flags: string[];
  logFile: string;
}

export interface Server {
  /** Resolves to the cause when the server ends. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

/**
 * A name that the command lines of all server processes of a cluster contain. It stays when the cluster is moved, and
 * differs for a copy.
 */
export async function markOf(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `sii-${dev}-${ino}`;
}

/** Starts a server. It is detached, so that Ctrl-C reaches only the service, which stops the server last. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { binaries, cluster, mark, port, user, flags, logFile } = options;
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    // Log messages of failed statements quote data. The client gets these errors instead.
    'log_min_messages=log',
  ];
  const args = [
    '-c',
    `cluster_name=${mark}`,
    '-D',
    cluster,
    ...settings.flatMap(one => ['-c', one]),
    ...flags,
  ];
  const output = await open(logFile, 'a', 0o600);
  const child = spawn(join(binaries, 'postgres'), args, {
    ...user,
    cwd: cluster,
    env: cleanEnvironment(),
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output.fd, output.fd],
  });
  const exited = endOf(child).then(cause => `${cause}, see ${logFile}`);
  child.unref();
  await output.close();
  return { exited, stop: () => stop(child, exited) };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  const live = child.exitCode === null && child.signalCode === null;
  child.ref();
  const running = live && child.pid !== undefined && (await findProcess(child.pid));
  if (running) await shutDown(running);
  await exited;
}

/** Ends all processes that an earlier server of the cluster left over. Returns whether that server itself still ran. */
export async function clearLeftovers({ cluster, mark }: ServerIdentity): Promise<boolean> {
  const marked = async (text: string) =>
    (await listProcesses()).filter(({ command }) => command.includes(text));
  const servers = await marked(`cluster_name=${mark} `);
  for (const server of servers) await shutDown(server);
  // A busy child of a killed server holds its shared memory, which blocks the next server.
  for (const child of await marked(`postgres: ${mark}: `)) await killProcess(child);
  await removeMisleadingPidFile(join(cluster, 'postmaster.pid'));
  return servers.length > 0;
}

// PostgreSQL believes that the server runs if the pid in the file is alive, even if it is another program.
async function removeMisleadingPidFile(path: string): Promise<void> {
  const pid = parseInt(await readFile(path, 'utf8').catch(() => ''), 10);
  if (pid > 0 && pidExists(pid)) await rm(path);
}

function pidExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
