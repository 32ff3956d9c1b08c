import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { findProcess, killProcess, listProcesses, shutDown } from '../../src/embedded-postgres/processes.ts';
import { markOf } from '../../src/embedded-postgres/server.ts';
import { Client } from './client.ts';
import { eventually } from './eventually.ts';
import { copyFolder, temporaryFolder } from './folder.ts';
import { reap } from './reaper.ts';

export { build } from './build.ts';
export { eventually, PATIENCE_MS } from './eventually.ts';

export const project = join(import.meta.dirname, '../..');
/** The Node.js of npm scripts. */
const node = join(project, 'node_modules/.bin/node');

/** A program that a test started, with its output. */
export class Run {
  stdout = '';
  stderr = '';
  readonly exited: Promise<{ code: number | null; signal: string | null }>;

  constructor(readonly child: ChildProcess) {
    child.stdout!.setEncoding('utf8').on('data', text => (this.stdout += text));
    child.stderr!.setEncoding('utf8').on('data', text => (this.stderr += text));
    this.exited = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  /**
   * Its errors in the log, without three kinds: blocked event loops, which also happen on a busy machine, and the
   * warnings that the tests' server is quick instead of durable, and that a folder of a test lacks the demo's files.
   */
  get complaints(): string {
    return this.stderr.replaceAll(
      /^.*(the event loop (is blocked for more than|runs again)|the database may lose committed writes|the newest digital file is not in this storage).*\n/gm,
      '',
    );
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** The address of the service, when it has reported that it is ready. */
  async ready(): Promise<string> {
    await eventually(() => {
      const { exitCode, signalCode } = this.child;
      const ended = exitCode !== null || signalCode !== null;
      if (!ended && !/^Ready on /m.test(this.stdout)) throw new Error('not ready');
    });
    const [, url] = /^Ready on (http:\S+)/m.exec(this.stdout) ?? [];
    if (!url) throw new Error(`ended with ${this.child.exitCode ?? this.child.signalCode}: ${this.stderr}`);
    return url;
  }

  async client(): Promise<Client> {
    return new Client(await this.ready());
  }

  /** Resolves when the log contains the text. */
  logged(text: string): Promise<void> {
    return eventually(() => {
      if (!this.stderr.includes(text)) throw new Error(`not logged yet: ${text}`);
    });
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null; signal: string | null }> {
    this.child.kill(signal);
    return this.exited;
  }
}

/**
 * Starts programs in their own process groups. Their environment contains only the path. All programs that are still
 * running end after each test, or with `afterAll` after the file. Data folders exist until the end of the file.
 * Programs without a given folder share one.
 */
export function useProcesses(over: typeof afterEach | typeof afterAll = afterEach) {
  const runs = new Set<Run>();
  const folders: string[] = [];
  let home: string;
  beforeAll(async () => {
    home = await dataFolder();
  });

  // Hooks at the end run in reverse order.
  afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true }))));
  over(async () => {
    await Promise.all([...runs].map(killGroup));
    runs.clear();
    await Promise.all(folders.map(stopPostgres));
  });

  /** A data folder that the user who runs PostgreSQL can also enter. */
  async function dataFolder(): Promise<string> {
    const folder = await temporaryFolder();
    folders.push(folder);
    return folder;
  }

  /** A data folder that a service with the demo has used before: the start is four times as fast. */
  async function usedFolder(): Promise<string> {
    const folder = await dataFolder();
    await copyFolder(inject('usedFolder'), folder);
    return folder;
  }

  function start(file: string, args: string[], environment: NodeJS.ProcessEnv, cwd: string): Run {
    const env = {
      PATH: [join(project, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      HOME: process.env['HOME'],
      // Half of the start-up time is for compiling modules.
      NODE_COMPILE_CACHE: join(project, 'dist/.compile-cache'),
      PORT: '0',
      ...environment,
    };
    const child = spawn(file, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const run = new Run(child);
    runs.add(run);
    reap({ group: run.pid });
    return run;
  }

  return {
    dataFolder,
    usedFolder,
    /** The built service. It runs in a folder of the tests, so that no other `.env` or `.data` is used. */
    service: (environment: NodeJS.ProcessEnv, args: string[] = [], cwd = home) =>
      start(node, [built('main.js'), ...args], environment, cwd),
    /** A program of another version. */
    program: (file: string, environment: NodeJS.ProcessEnv) => start(node, [file], environment, home),
    /** A built command, such as `seed-demo`. */
    command: (name: string, environment: NodeJS.ProcessEnv, args: string[] = []) =>
      start(node, [built(`commands/${name}.js`), ...args], environment, home),
    npm: (args: string[], environment: NodeJS.ProcessEnv) =>
      start('npm', args, { DATA_DIR: home, ...environment }, project),
  };
}

const built = (file: string): string => join(project, 'dist/src', file);

async function killGroup({ pid, exited }: Run): Promise<void> {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await exited;
}

/** Process id of the embedded server of a data folder; undefined when it is not running. */
export async function postgresPid(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || undefined;
}

/** Kills the embedded server of a data folder and all its children at the same time, like a power failure. */
export async function killPostgres(folder: string): Promise<void> {
  const mark = await markOf(join(folder, 'postgres'));
  const belongs = [`cluster_name=${mark} `, `postgres: ${mark}: `];
  const all = await listProcesses();
  await Promise.all(
    all.filter(({ command }) => belongs.some(text => command.includes(text))).map(killProcess),
  );
}

async function stopPostgres(folder: string): Promise<void> {
  const pid = await postgresPid(folder);
  const running = pid && (await findProcess(pid));
  if (running) await shutDown(running);
}
