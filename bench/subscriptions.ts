import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '../src/commands/options.ts';
import { postmasterOf, residentMb } from './cpu.ts';
import { createDatabase, fillDatabase } from './database.ts';
import { login, systemHeaders } from './login.ts';
import { measure, median } from './measure.ts';
import { build, progress } from './rounds.ts';
import type { BenchRequest } from './scenario.ts';
import { SERVICE, startServer, type RunningServer } from './server.ts';
import type { Report } from './subscription-readers.ts';

/** Time for memory to settle after the subscriptions were opened. */
const SETTLE_MS = 5_000;
/** Number of changes whose delivery is measured, and the longest wait for each. */
const CHANGES = 100;
const PAUSE_MS = 50;
const TIMEOUT_MS = 5_000;
/** Seconds of one measurement of reads, and number of measurements. */
const SECONDS = 3;
const ROUNDS = 7;

const { values: options } = commandLine(
  { subscriptions: { type: 'string', default: '2000' } },
  'Usage: npx tsx bench/subscriptions.ts [--subscriptions <2000>]',
);
const wanted = Number(options.subscriptions);

build();
const database = await createDatabase(process.env['DATABASE_URL']);
const ends: (() => Promise<unknown>)[] = [() => database.drop()];
try {
  await fillDatabase(database.url, 10_000);
  const start = async (): Promise<RunningServer> => {
    const service = await startServer([...SERVICE], {
      DATABASE_URL: database.url,
      MAX_SUBSCRIPTIONS_PER_PERSON: String(wanted),
    });
    ends.push(() => service.stop());
    return service;
  };
  const service = await start();
  const quiet = await start();
  const postmaster = await postmasterOf(database.url);
  const headers = { token: await login(service.url), ...systemHeaders, 'content-type': 'application/json' };
  const reads: BenchRequest[] = Array.from({ length: 500 }, (_, i) => ({
    method: 'GET',
    path: `/almoxarifadoquimicos/materiais/${1 + i}`,
    headers,
  }));
  const cpuPerRead = async (server: RunningServer): Promise<number> =>
    (await measure(server, postmaster, reads, SECONDS)).cpu;
  for (const server of [service, quiet]) await cpuPerRead(server);
  await sleep(SETTLE_MS);
  const memory = await residentMb(service.pid);

  progress(`opening ${wanted} subscriptions`);
  /** Arrival times of each version of the record. */
  const arrivals = new Map<number, number[]>();
  const readers = fork(
    new URL('./subscription-readers.ts', import.meta.url),
    [`${service.url}/graphql`, String(wanted), JSON.stringify(headers)],
    { stdio: 'inherit' },
  );
  ends.push(async () => readers.kill());
  const { broken } = await new Promise<{ broken: number }>(resolve =>
    readers.on('message', (report: Report) => {
      if ('open' in report) resolve(report);
      else arrivals.get(report.version)?.push(report.moment);
    }),
  );
  await sleep(SETTLE_MS);
  const grown = (await residentMb(service.pid)) - memory;

  const samples: { open: number; none: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    progress(`reads, round ${round + 1} of ${ROUNDS}`);
    samples.push({ open: await cpuPerRead(service), none: await cpuPerRead(quiet) });
  }

  progress(`${CHANGES} changes`);
  const delays: number[] = [];
  let version = 1;
  for (let i = 0; i < CHANGES; i++) {
    const moments: number[] = [];
    arrivals.set(++version, moments);
    const response = await fetch(`${service.url}/almoxarifadoquimicos/tipos-empresas/1`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ descricao: `Tipo ${i}`, obriga_cnpj: 'N' }),
    });
    const committed = performance.timeOrigin + performance.now();
    if (!response.ok) throw new Error(await response.text());
    for (let waited = 0; moments.length < wanted && waited < TIMEOUT_MS; waited += PAUSE_MS)
      await sleep(PAUSE_MS);
    delays.push(...moments.map(moment => Math.max(0, moment - committed)));
  }
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? NaN).toFixed(0);
  const cpu = (key: 'open' | 'none'): string => median(samples.map(sample => sample[key])).toFixed(2);
  const ratio = median(samples.map(({ open, none }) => open / none)).toFixed(2);
  console.log(
    [
      `${wanted} subscriptions by server-sent events, ${broken} of them broken: ${grown} MB more memory.`,
      `A single read takes ${cpu('open')} ms of CPU with them, and ${cpu('none')} ms in a process without: ratio ${ratio}.`,
      `${CHANGES} changes, ${delays.length} of ${CHANGES * wanted} arrivals; delay from the answer of the write to the arrival: median ${at(0.5)} ms, 99 % within ${at(0.99)} ms.`,
    ].join('\n'),
  );
} finally {
  for (const end of ends.toReversed()) await end();
}
process.exit();
