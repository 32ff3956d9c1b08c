import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server under load, in a process of its own. */
export interface RunningServer {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** The arguments with which `npm start` runs the service after it was built: options of Node.js, and the program. */
export const SERVICE: readonly string[] = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: { start: string };
  }
).scripts.start
  .split(' ')
  .slice('exec node'.split(' ').length);

const READY = /Ready on (http:\/\/\S+)/;

/** Starts a program of Node that says `Ready on <url>` when it listens. @throws Error with what it said when it ends before */
export async function startServer(
  args: string[],
  environment: Record<string, string>,
): Promise<RunningServer> {
  // The files in the project's own folder belong to another database.
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'sii-bench-'));
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR, ...environment, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await readyUrl(child);
  return {
    url,
    pid: child.pid!,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }
      await rm(DATA_DIR, { recursive: true, force: true });
    },
  };
}

/** Goes on reading afterwards, because a log that nobody reads would stop the server. */
function readyUrl(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-10_000);
      const url = READY.exec(said)?.[1];
      if (url === undefined) return;
      for (const stream of [child.stdout!, child.stderr!]) stream.off('data', listen).resume();
      resolve(url);
    };
    child.stdout!.on('data', listen);
    child.stderr!.on('data', listen);
    child.once('close', () => reject(new Error(`${child.spawnargs.join(' ')} ended:\n${said}`)));
  });
}
