import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../src/commands/options.ts';
import type { ClientGroup, Command, Outcome } from './bulkhead-clients.ts';
import { rowsOf, type Sample } from './bulkhead-report.ts';
import { CALM, CLASSES, requestsOf, type Class } from './bulkhead-requests.ts';
import { createDatabase, execute, fillDatabase } from './database.ts';
import { posting } from './movements.ts';
import { fillCallers } from './people.ts';
import { build, progress } from './rounds.ts';
import { SERVICE, startServer } from './server.ts';
import { readStock } from './stock.ts';

/** Materials in the database, and people who use the service. Each person has their own session and address. */
const MATERIALS = 10_000;
const PEOPLE = 400;

/** An overload has this many times the clients that saturate a class, but at most `MOST_CLIENTS`. */
const TIMES = 10;
const MOST_CLIENTS = PEOPLE;
/** Numbers of clients that are tried to find the saturation of a class, and the time of each try. */
const CLIENT_COUNTS = [1, 2, 4, 8, 16, 32];
const TRY_MS = 2_500;
/** The process compiles its hot code only after some thousands of requests. */
const WARM_UP_MS = 10_000;
/** Time between the start of an overload and its measurement, and between its end and the next measurement. */
const GROW_MS = 1_000;
const SETTLE_MS = 2_000;
/** In reality clients run on other machines. So those of the overload must not take processor time from the service. */
const NICENESS = 5;

const { values: options } = commandLine(
  {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: CLASSES.join() },
    clients: { type: 'string' },
  },
  'Usage: npx tsx bench/bulkheads.ts [--rounds <9>] [--seconds <2>] [--only <read,write,login,csv,pdf>] [--clients <number>]',
);

const command = (child: ChildProcess, sent: Command): void => void child.send(sent);

async function reportOf(child: ChildProcess): Promise<Record<string, Outcome>> {
  const report = once(child, 'message');
  command(child, 'report');
  return (await report)[0] as Record<string, Outcome>;
}

async function stop(child: ChildProcess): Promise<void> {
  const stopped = once(child, 'message');
  command(child, 'stop');
  await stopped;
}

/** The outcomes of the next `ms` milliseconds. */
async function outcomesDuring(
  ms: number,
  children: readonly ChildProcess[],
): Promise<Record<string, Outcome>[]> {
  for (const child of children) await reportOf(child);
  await sleep(ms);
  return Promise.all(children.map(reportOf));
}

/** The smallest number of clients that saturates a class: more clients get hardly more answers per second. */
async function saturatingClients(
  child: ChildProcess,
  group: (clients: number) => ClientGroup,
): Promise<number> {
  const reached: [number, number][] = [];
  for (const clients of CLIENT_COUNTS) {
    command(child, { begin: [group(clients)], niceness: NICENESS });
    await sleep(500);
    const [outcomes] = await outcomesDuring(TRY_MS, [child]);
    await stop(child);
    await sleep(500);
    const rate = (1000 * Object.values(outcomes!)[0]!.times.length) / TRY_MS;
    progress(`${group(clients).name}: ${clients} clients, ${rate.toFixed(0)}/s`);
    reached.push([clients, rate]);
    if (rate < 0.8 * Math.max(...reached.map(([, rate]) => rate))) break;
  }
  const best = Math.max(...reached.map(([, rate]) => rate));
  return reached.find(([, rate]) => rate >= 0.9 * best)![0];
}

build();
const database = await createDatabase(process.env['DATABASE_URL']);
const ends: (() => Promise<unknown>)[] = [() => database.drop()];
try {
  await fillDatabase(database.url, MATERIALS);
  const callers = await execute(database.url, client => fillCallers(client, PEOPLE));
  const { free } = await execute(database.url, readStock);
  const service = await startServer([...SERVICE], {
    DATABASE_URL: database.url,
    TRUSTED_PROXIES: 'loopback',
  });
  ends.push(() => service.stop());
  const requests = requestsOf(callers, (token, i) => posting([free[i % free.length]!], token));
  const startClients = (): ChildProcess => {
    const child = fork(
      new URL('./bulkhead-clients.ts', import.meta.url),
      [service.url, String(service.pid)],
      {
        stdio: 'inherit',
      },
    );
    ends.push(async () => child.kill());
    return child;
  };
  const [calm, many] = [startClients(), startClients()];
  const group = (name: Class, clients: number, pauseMs = 0): ClientGroup => ({
    name,
    clients,
    pauseMs,
    requests: requests[name],
  });

  const overloads = options.only.split(',') as Class[];
  const loads = new Map<Class, number>();
  command(many, { begin: CLASSES.map(name => group(name, 2)), niceness: NICENESS });
  await sleep(WARM_UP_MS);
  await stop(many);
  for (const name of overloads) {
    const found = options.clients
      ? Number(options.clients)
      : await saturatingClients(many, n => group(name, n));
    loads.set(name, Math.min(TIMES * found, MOST_CLIENTS));
  }

  command(calm, {
    begin: CLASSES.map(name => group(name, CALM[name].clients, CALM[name].pauseMs)),
    niceness: 0,
  });
  await sleep(SETTLE_MS);
  const lines: string[] = [];
  for (const [name, clients] of loads) {
    const samples: Sample[] = [];
    for (let round = 1; round <= Number(options.rounds); round++) {
      progress(`${name} × ${clients}, round ${round} of ${options.rounds}`);
      const ms = 1000 * Number(options.seconds);
      const [before] = await outcomesDuring(ms, [calm]);
      command(many, { begin: [group(name, clients)], niceness: NICENESS });
      await sleep(GROW_MS);
      const [over, own] = await outcomesDuring(ms, [calm, many]);
      samples.push({ calm: before!, over: over!, overloaded: own![name]! });
      await stop(many);
      await sleep(SETTLE_MS);
    }
    lines.push(...rowsOf(name, clients, samples));
  }
  console.log(
    [
      '| Overloaded | Others | Median, ms | 99 % within, ms | Event loop meanwhile, ms | Done |',
      '| --- | --- | --- | --- | --- | --- |',
      ...lines,
    ].join('\n'),
  );
} finally {
  for (const end of ends.toReversed()) await end();
}
process.exit();
