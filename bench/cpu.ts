import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';

/** The kernel's unit in /proc: USER_HZ, 100 a second on every Linux that Node runs on. */
const MS_PER_TICK = 10;

interface Usage {
  parent: number;
  /** CPU time of the process, all its threads, in ms. */
  own: number;
  /** CPU time of its children that have ended, in ms. */
  ended: number;
}

/** CPU time so far of a server process and of the whole PostgreSQL cluster that it asks, in ms. */
export async function cpuTime(pid: number, postmaster: number): Promise<number> {
  const [server, cluster] = await Promise.all([usageOf(pid), clusterTime(postmaster)]);
  if (!server) throw new Error(`process ${pid} is gone`);
  return server.own + cluster;
}

/** The postmaster's figures include backends that ended, so none is lost. */
async function clusterTime(postmaster: number): Promise<number> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(async pid => ({ pid, usage: await usageOf(pid) })));
  let total = 0;
  for (const { pid, usage } of all) {
    if (pid === postmaster) total += usage!.own + usage!.ended;
    else if (usage?.parent === postmaster) total += usage.own;
  }
  return total;
}

/** Undefined when the process has ended. */
async function usageOf(pid: number): Promise<Usage | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // The name in brackets may itself contain spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ms = (i: number): number => Number(fields[i]) * MS_PER_TICK;
  return { parent: Number(fields[1]), own: ms(11) + ms(12), ended: ms(13) + ms(14) };
}

/** Process id of the server behind a connection string. @throws Error when it does not run on this Linux machine */
export async function postmasterOf(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backend = await usageOf(rows[0]!.pid);
    if (!backend) throw new Error('CPU time is read in /proc: PostgreSQL must run on this Linux machine');
    return backend.parent;
  } finally {
    await client.end();
  }
}

/** Resident memory of a process in MB. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
}
