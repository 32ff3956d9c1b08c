import { readFile, writeFile } from 'node:fs/promises';
import { commandLine } from '../src/commands/options.ts';
import { requireSameAnswersOfAll } from './compare.ts';
import { readGround } from './ground.ts';
import type { Result } from './measure.ts';
import { build, compareRounds, progress, withBench } from './rounds.ts';
import { scenariosFor } from './scenarios.ts';

/** Scenarios whose CPU cost must not grow unnoticed. */
const GUARDED = ['rest.single', 'graphql.single', 'rest.list', 'rest.movement'] as const;
type Guarded = (typeof GUARDED)[number];

const ROWS = 10_000;
const ROUNDS = { rounds: 5, seconds: 2, warmUp: 2 };
const SERVERS = { baselineAuth: true, baselinePrepared: true, profile: undefined };
/** A scenario that fails is measured again, because other work on the machine may be the cause. */
const TRIES = 2;

/** Allowed growth of a ratio, beyond the spreads. */
const GROWTH = 1.15;

/** The service's CPU divided by the baseline's, and half the range of the ratios of the rounds. */
type Figures = Record<Guarded, { ratio: number; spread: number }>;

const FILE = new URL('./guard.json', import.meta.url);
const { values: options } = commandLine(
  { keep: { type: 'boolean', default: false } },
  'Usage: npm run bench:guard -- [--keep]\n--keep: saves the measured ratios as those that are allowed, in bench/guard.json',
);

const limitOf = ({ ratio, spread }: Figures[Guarded], now: Result): number =>
  ratio * GROWTH + spread + now.spread;

const rounded = (value: number): number => Math.round(value * 100) / 100;

async function main(): Promise<void> {
  const reference = JSON.parse(await readFile(FILE, 'utf8').catch(() => '{}')) as Figures;
  const missing = GUARDED.filter(name => !options.keep && !(name in reference));
  if (missing.length > 0)
    throw new Error(
      `guard.json has no figures of ${missing.join(', ')}. Measure them: npm run bench:guard -- --keep`,
    );
  const measured: Partial<Figures> = {};
  build();
  await withBench(ROWS, SERVERS, async bench => {
    const scenarios = scenariosFor(await readGround(bench.service.url, bench.databaseUrl, ROWS));
    // Also those that are not guarded, so that the whole load run does not fail one day.
    await requireSameAnswersOfAll(Object.values(scenarios), bench.service.url, bench.baseline.url);
    for (const name of GUARDED) {
      for (let left = TRIES; left > 0; left--) {
        const result = await compareRounds(bench, name, scenarios[name], ROUNDS);
        const { ratio, spread } = { ratio: result.ratio.cpu, spread: result.spread };
        measured[name] = { ratio: rounded(ratio), spread: rounded(spread) };
        const limit = options.keep ? Infinity : limitOf(reference[name], result);
        const isWithin = ratio <= limit;
        process.stdout.write(
          `${name}: ${ratio.toFixed(2)} ± ${spread.toFixed(2)} of the baseline's CPU${options.keep ? '' : `, at most ${limit.toFixed(2)}: ${isWithin ? 'good' : 'TOO MUCH'}`}\n`,
        );
        if (isWithin) break;
        if (left === 1) process.exitCode = 1;
        else progress(`${name} once more`);
      }
    }
  });
  if (options.keep) await writeFile(FILE, `${JSON.stringify(measured, undefined, 2)}\n`);
  else if (process.exitCode)
    process.stdout.write(
      'A scenario needs more CPU than before. Find the cause with npm run bench -- --only <name> --profile <folder>. If the cost is justified, save the new figures: npm run bench:guard -- --keep\n',
    );
}

await main();
