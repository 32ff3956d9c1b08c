import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerUser } from '../../src/embedded-postgres/execute.ts';
import { reap } from '../../test/support/reaper.ts';

interface ProgramOptions {
  file: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  user?: ServerUser | undefined;
  /** Its working directory, which also holds its log. */
  folder: string;
}

/** A program that the rehearsal started, in its own process group. Its output is in `<folder>/<name>.log`. */
export class Program {
  readonly log: string;
  readonly #child: ChildProcess;

  constructor(
    readonly name: string,
    { file, args, env = {}, user, folder }: ProgramOptions,
  ) {
    this.log = join(folder, `${name}.log`);
    const output = openSync(this.log, 'a');
    const { PATH, HOME } = process.env;
    this.#child = spawn(file, args, {
      env: { PATH, HOME, ...env },
      cwd: folder,
      detached: true,
      stdio: ['ignore', output, output],
      ...user,
    });
    closeSync(output);
    this.#child.on('error', () => undefined);
    if (this.#child.pid !== undefined) reap({ group: this.#child.pid });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get written(): string {
    return readFileSync(this.log, 'utf8');
  }

  /** Waits until it works. @throws Error with its last lines when it ends first, or takes too long */
  async until(works: () => Promise<boolean>, seconds = 60): Promise<void> {
    let reason: unknown;
    const isThere = (): Promise<boolean> =>
      works().catch((error: unknown) => {
        reason = error;
        return false;
      });
    for (const end = performance.now() + seconds * 1000; !(await isThere()); await sleep(100))
      if (this.hasEnded || performance.now() > end)
        throw new Error(`${this.name} does not work:\n${this.written.slice(-2000)}`, { cause: reason });
  }

  /** @throws Error with its last lines when it fails */
  async done(): Promise<void> {
    if (!this.hasEnded) await once(this.#child, 'exit');
    if (this.#child.exitCode !== 0) throw new Error(`${this.name} failed:\n${this.written.slice(-2000)}`);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    const patience = new AbortController();
    await Promise.race([ended, sleep(20_000, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
    if (this.hasEnded) return;
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** The child processes of a process. Those of PostgreSQL have their own process groups. */
export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.map(async pid => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // The name in parentheses may have spaces. The parent follows the state.
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    }),
  );
  return pids.filter((_, i) => parents[i] === parent);
}

/** Sends a signal to those that still run. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}
