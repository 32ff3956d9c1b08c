import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface RunningProcess {
  pid: number;
  /** Start time in the platform's own form. It distinguishes a process from an earlier one with the same pid. */
  started: string;
  command: string;
}

/** The live process with this pid. A zombie does not count as live. */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  if (process.platform === 'linux') return fromProc(pid);
  return (await fromProcessTable()).find(entry => entry.pid === pid);
}

export async function listProcesses(): Promise<RunningProcess[]> {
  if (process.platform !== 'linux') return fromProcessTable();
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const found = await Promise.all(pids.map(pid => fromProc(Number(pid))));
  return found.filter(entry => entry !== undefined);
}

// On Linux without `ps`, which slim container images lack.
async function fromProc(pid: number): Promise<RunningProcess | undefined> {
  try {
    const [stat, commandLine, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    ]);
    // The program name in parentheses may contain spaces, so fields are counted after it (state is 3, start time 22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (/^[ZX]/.test(fields[0] ?? '')) return undefined;
    return {
      pid,
      started: `${boot.trim()}/${fields[19]}`,
      command: commandLine.replaceAll('\0', ' ').trim(),
    };
  } catch {
    return undefined;
  }
}

const WINDOWS_TABLE =
  'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) R $($_.CreationDate.Ticks) $($_.CommandLine)" }';

async function fromProcessTable(): Promise<RunningProcess[]> {
  const { stdout } =
    process.platform === 'win32'
      ? await run('powershell', ['-NoProfile', '-Command', WINDOWS_TABLE])
      : await run('ps', ['-axo', 'pid=,stat=,lstart=,command='], { env: { ...process.env, LC_ALL: 'C' } });
  return stdout.split('\n').flatMap(line => {
    const [, pid, state, started, command] =
      /^\s*(\d+)\s+(\S+)\s+(\d+|\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(line) ?? [];
    if (!pid || !started || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), started, command: command ?? '' }];
  });
}

type Escalation = [signal: NodeJS.Signals, patienceMs: number][];

/** PostgreSQL's fast shutdown, then its immediate one, then SIGKILL. */
const SHUTDOWN: Escalation = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];
const BY_FORCE: Escalation = [['SIGKILL', 5_000]];

/** Shuts a PostgreSQL server down and waits until it has ended. */
export function shutDown(server: RunningProcess): Promise<void> {
  return end(server, SHUTDOWN);
}

/** Kills a process and waits until it has ended. */
export function killProcess(target: RunningProcess): Promise<void> {
  return end(target, BY_FORCE);
}

async function end(target: RunningProcess, escalation: Escalation): Promise<void> {
  for (const [signal, patienceMs] of escalation) {
    sendSignal(target.pid, signal);
    if (await ends(target, patienceMs)) return;
  }
  throw new Error(`Process ${target.pid} (${target.command}) does not end. End it, then start again.`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function ends(target: RunningProcess, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while ((await findProcess(target.pid))?.started === target.started) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}
