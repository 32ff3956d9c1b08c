import { execFileSync } from 'node:child_process';
import { measureBatches } from './batch.ts';
import { requireSameAnswers } from './compare.ts';
import { postmasterOf } from './cpu.ts';
import { createDatabase, fillDatabase } from './database.ts';
import { countDiscrepancies } from './ledger.ts';
import { readGround } from './ground.ts';
import { measure, resultOf, type Result, type Sample } from './measure.ts';
import { measureMemory } from './memory.ts';
import { isWhole, readOptions, type Options } from './options.ts';
import { asJson, asTable, isBalanced, type Report } from './report.ts';
import { save } from './results.ts';
import { type Scenario } from './scenario.ts';
import { mixed, scenariosFor } from './scenarios.ts';
import { startServer, type RunningServer } from './server.ts';

/** What is compared, and the PostgreSQL that both ask. */
interface Bench {
  databaseUrl: string;
  service: RunningServer;
  baseline: RunningServer;
  postmaster: number;
}

/** The size whose figures stand under the scenarios' plain names. */
const USUAL_ROWS = 100_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function progress(message: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${message}\n`);
}

/** Rounds alternate, and so does the first server, so that other load on the machine affects both. */
async function compare(bench: Bench, name: string, scenario: Scenario, options: Options): Promise<Result> {
  const samples = { service: [] as Sample[], baseline: [] as Sample[] };
  for (let round = 0; round <= options.rounds; round++) {
    const order = round % 2 === 0 ? (['service', 'baseline'] as const) : (['baseline', 'service'] as const);
    for (const who of order) {
      const sample = await measure(
        bench[who],
        bench.postmaster,
        scenario[who],
        options.seconds,
        scenario.few,
      );
      if (round > 0) samples[who].push(sample);
      const label = round > 0 ? `round ${round} of ${options.rounds}` : 'warm-up';
      progress(`${name} ${label}: ${who} ${sample.cpu.toFixed(3)} ms, ${sample.throughput.toFixed(0)}/s`);
    }
  }
  return resultOf(samples.service, samples.baseline);
}

/** Runs what is asked for on a database of one size, and adds it to the report. */
async function runAt(bench: Bench, rows: number, options: Options, report: Report): Promise<void> {
  const { service, baseline, postmaster, databaseUrl } = bench;
  const ground = await readGround(service.url, databaseUrl, rows);
  const scenarios = scenariosFor(ground);
  const isUsual = rows === USUAL_ROWS || options.rows.length === 1;
  for (const name of options.only) {
    const label = isUsual ? name : `${name}@${rows}`;
    if (name !== 'movement.batch') {
      await requireSameAnswers(scenarios[name], service.url, baseline.url);
      report.results.set(label, await compare(bench, label, scenarios[name], options));
    } else if (isUsual)
      report.batches = await measureBatches(
        service,
        postmaster,
        ground.stock.free,
        ground.token,
        options.seconds,
      );
    report.discrepancies.set(label, await countDiscrepancies(databaseUrl));
  }
  if (isUsual && options.memorySeconds > 0) {
    progress(`memory: ${options.memorySeconds} s of mixed load`);
    report.memory = await measureMemory(service, mixed(scenarios), options.memorySeconds);
  }
}

/** Starts both servers on a filled database. Pushes to `ends` how to stop each, in reverse order. */
async function start(rows: number, options: Options, ends: (() => Promise<void>)[]): Promise<Bench> {
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
    service: await server([...profiling, 'dist/src/main.js'], {}),
    baseline: await server(['bench/baseline.ts'], {
      BASELINE_AUTH: String(options.baselineAuth),
      BASELINE_PREPARED: String(options.baselinePrepared),
    }),
    postmaster: await postmasterOf(database.url),
  };
}

async function undoAll(ends: (() => Promise<void>)[]): Promise<void> {
  for (const undo of ends.toReversed()) await undo();
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  progress('building');
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 2, 2] });
  const report: Report = { results: new Map(), batches: [], discrepancies: new Map(), memory: undefined };
  for (const rows of options.rows) {
    const ends: (() => Promise<void>)[] = [];
    let ending: Promise<void> | undefined;
    const end = (): Promise<void> => (ending ??= undoAll(ends));
    const cutOff = (): void => void end().finally(() => process.exit(1));
    // It ends in order even if the terminal and the parent process both send the signal.
    for (const signal of SIGNALS) process.on(signal, cutOff);
    try {
      await runAt(await start(rows, options, ends), rows, options, report);
    } finally {
      await end();
      for (const signal of SIGNALS) process.off(signal, cutOff);
    }
  }
  if (isWhole(options)) await save(report, options);
  process.stdout.write(`${options.json ? asJson(report) : asTable(report)}\n`);
  if (!isBalanced(report)) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
  process.exit(1);
});
