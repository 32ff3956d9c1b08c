import { execFileSync } from 'node:child_process';
import { postmasterOf } from './cpu.ts';
import { createDatabase, fillDatabase } from './database.ts';
import { measure, resultOf, type Result, type Sample } from './measure.ts';
import type { Options } from './options.ts';
import type { Scenario } from './scenario.ts';
import { SERVICE, startServer, type RunningServer } from './server.ts';

/** What is compared, and the PostgreSQL that both ask. */
export interface Bench {
  databaseUrl: string;
  service: RunningServer;
  baseline: RunningServer;
  /** Starts another process of the service. */
  anew: () => Promise<RunningServer>;
  postmaster: number;
}

/** How the two servers are started. */
type Servers = Pick<Options, 'baselineAuth' | 'baselinePrepared' | 'profile'>;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export function progress(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Rounds alternate, and so does the first server, so that other load on the machine affects both. */
export async function compareRounds(
  bench: Bench,
  name: string,
  scenario: Scenario,
  options: Pick<Options, 'rounds' | 'seconds' | 'warmUp'>,
): Promise<Result> {
  const samples = { service: [] as Sample[], baseline: [] as Sample[] };
  for (let round = 0; round <= options.rounds; round++) {
    const order = round % 2 === 0 ? (['service', 'baseline'] as const) : (['baseline', 'service'] as const);
    for (const who of order) {
      const sample = await measure(
        bench[who],
        bench.postmaster,
        scenario[who],
        round > 0 ? options.seconds : options.warmUp,
        scenario.few,
      );
      if (round > 0) samples[who].push(sample);
      const label = round > 0 ? `round ${round} of ${options.rounds}` : 'warm-up';
      progress(`${name} ${label}: ${who} ${sample.cpu.toFixed(3)} ms, ${sample.throughput.toFixed(0)}/s`);
    }
  }
  return resultOf(samples.service, samples.baseline);
}

/** Starts both servers on a filled database. Pushes to `ends` how to stop each, in reverse order. */
async function start(rows: number, options: Servers, ends: (() => Promise<void>)[]): Promise<Bench> {
  const database = await createDatabase(process.env['DATABASE_URL']);
  ends.push(() => database.drop());
  progress(`filling a database with ${rows} materials`);
  await fillDatabase(database.url, rows);
  const server = async (args: string[], environment: Record<string, string>): Promise<RunningServer> => {
    const running = await startServer(args, { ...environment, DATABASE_URL: database.url });
    ends.push(() => running.stop());
    return running;
  };
  const profiling = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [];
  return {
    databaseUrl: database.url,
    service: await server([...profiling, ...SERVICE], {}),
    baseline: await server(['bench/baseline.ts'], {
      BASELINE_AUTH: String(options.baselineAuth),
      BASELINE_PREPARED: String(options.baselinePrepared),
    }),
    anew: () => server([...SERVICE], {}),
    postmaster: await postmasterOf(database.url),
  };
}

async function undoAll(ends: (() => Promise<void>)[]): Promise<void> {
  for (const undo of ends.toReversed()) await undo();
}

export function build(): void {
  progress('building');
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 2, 2] });
}

/** Starts both servers on a database of so many materials, for as long as `work` takes. */
export async function withBench(
  rows: number,
  options: Servers,
  work: (bench: Bench) => Promise<void>,
): Promise<void> {
  const ends: (() => Promise<void>)[] = [];
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => (ending ??= undoAll(ends));
  const cutOff = (): void => void end().finally(() => process.exit(1));
  // It ends in order even if the terminal and the parent process both send the signal.
  for (const signal of SIGNALS) process.on(signal, cutOff);
  try {
    await work(await start(rows, options, ends));
  } finally {
    await end();
    for (const signal of SIGNALS) process.off(signal, cutOff);
  }
}
