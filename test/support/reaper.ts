/**
 * Ends everything that tests leave behind when Ctrl-C or a signal kills them. It is a separate process, which waits
 * until the process that started it has ended.
 */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import {
  findProcess,
  listProcesses,
  shutDown,
  type RunningProcess,
} from '../../src/embedded-postgres/processes.ts';

/** A process group, by its leader, or a temporary folder with all servers whose data is in it. */
type Left = { group: number } | { folder: string };

let write: ((line: string) => void) | undefined;

/** Registers something to end or remove after this process, unless it is done before. */
export function reap(left: Left): void {
  write ??= start();
  write(`${JSON.stringify(left)}\n`);
}

function start(): (line: string) => void {
  // It has its own process group, because Ctrl-C goes to the whole group of the terminal.
  const reaper = spawn(process.execPath, [import.meta.filename], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const { stdin } = reaper;
  stdin.on('error', () => undefined);
  reaper.unref();
  (stdin as unknown as { unref(): void }).unref();
  return line => void stdin.write(line);
}

async function run(): Promise<void> {
  const leaders: Promise<RunningProcess | undefined>[] = [];
  const folders: string[] = [];
  for await (const line of createInterface({ input: process.stdin })) {
    const left = JSON.parse(line) as Left;
    if ('group' in left) leaders.push(findProcess(left.group));
    else folders.push(left.folder);
  }
  for (const leader of await Promise.all(leaders)) await killGroup(leader);
  for (const folder of folders) {
    for (const one of await listProcesses())
      if (one.command.includes(`/${basename(folder)}/`)) await shutDown(one);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The number may now belong to another process. */
async function killGroup(leader: RunningProcess | undefined): Promise<void> {
  if (leader && (await findProcess(leader.pid))?.started === leader.started)
    process.kill(-leader.pid, 'SIGKILL');
}

if (import.meta.main) await run();
