import { inspect } from 'node:util';
import { measureBatches } from './batch.ts';
import { requireSameAnswersOfAll } from './compare.ts';
import { residentMb } from './cpu.ts';
import { countDiscrepancies } from './ledger.ts';
import { readGround } from './ground.ts';
import { measureMemory } from './memory.ts';
import { isWhole, readOptions, type Options } from './options.ts';
import { asJson, asTable, isBalanced, type Report } from './report.ts';
import { save } from './results.ts';
import { build, compareRounds, progress, withBench, type Bench } from './rounds.ts';
import { measureStart } from './start.ts';
import { mixed, scenariosFor } from './scenarios.ts';

/** The size whose figures stand under the scenarios' plain names. */
const USUAL_ROWS = 100_000;

/** Runs what is asked for on a database of one size, and adds it to the report. */
async function runAt(bench: Bench, rows: number, options: Options, report: Report): Promise<void> {
  const { service, baseline, postmaster, databaseUrl } = bench;
  const ground = await readGround(service.url, databaseUrl, rows);
  const scenarios = scenariosFor(ground);
  const isUsual = rows === USUAL_ROWS || options.rows.length === 1;
  const compared = options.only.filter(name => name !== 'movement.batch').map(name => scenarios[name]);
  await requireSameAnswersOfAll(compared, service.url, baseline.url);
  for (const name of options.only) {
    const label = isUsual ? name : `${name}@${rows}`;
    if (name !== 'movement.batch')
      report.results.set(label, await compareRounds(bench, label, scenarios[name], options));
    else if (isUsual)
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
    progress(`start and memory: ${options.memorySeconds} s of mixed load`);
    const { anew } = bench;
    report.start = await measureStart(anew, options.rounds);
    report.memory = await measureMemory(await anew(), mixed(scenarios), options.memorySeconds);
    report.worn = await residentMb(service.pid);
  }
}

async function main(): Promise<void> {
  const options = readOptions();
  build();
  const report: Report = { results: new Map(), batches: [], discrepancies: new Map() };
  for (const rows of options.rows) {
    await withBench(rows, options, bench => runAt(bench, rows, options, report));
    if (isWhole(options)) await save(report, options);
  }
  process.stdout.write(`${options.json ? asJson(report) : asTable(report)}\n`);
  if (!isBalanced(report)) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${inspect(error)}\n`);
  process.exit(1);
});
