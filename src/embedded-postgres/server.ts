import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanEnvironment, type ServerUser } from './execute.ts';
import { findProcess, killProcess, listProcesses, shutDown } from './processes.ts';

/** What the processes of a cluster's server are recognised by. */
export interface Marked {
  cluster: string;
  /** Marks the processes of this cluster; see `markOf`. */
  mark: string;
}

export interface ServerOptions extends Marked {
  /** Folder of the PostgreSQL programs. */
  binaries: string;
  port: number;
  user?: ServerUser;
  flags: string[];
  logFile: string;
}

export interface Server {
  /** Resolves to the cause when the server has ended. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

/** A name that every process of a cluster's server shows in its command line. A moved cluster keeps it, a copy gets another. */
export async function markOf(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `sii-${dev}-${ino}`;
}

/** Starts a server. It is detached: Ctrl-C in the terminal reaches the service only, which stops it last. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { binaries, cluster, mark, port, user, flags, logFile } = options;
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    // Messages of failed statements quote the data: they are the client's to report.
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

/** Ends every process that an earlier server of the cluster left behind; returns whether that server itself still ran. */
export async function clearLeftovers({ cluster, mark }: Marked): Promise<boolean> {
  const marked = async (text: string) =>
    (await listProcesses()).filter(({ command }) => command.includes(text));
  const servers = await marked(`cluster_name=${mark} `);
  for (const server of servers) await shutDown(server);
  // A busy child of a server that was killed would hold its shared memory and so block the next one.
  for (const child of await marked(`postgres: ${mark}: `)) await killProcess(child);
  await removeMisleadingPidFile(join(cluster, 'postmaster.pid'));
  return servers.length > 0;
}

// PostgreSQL takes the file for a running server if its pid lives, even as another program.
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
