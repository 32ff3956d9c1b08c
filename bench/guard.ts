import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { requireSameAnswers } from './compare.ts';
import { readGround } from './ground.ts';
import type { Result } from './measure.ts';
import { readOptions } from './options.ts';
import { build, compareRounds, progress, withBench } from './rounds.ts';
import { scenariosFor } from './scenarios.ts';

/** What may not become dearer unnoticed. */
const GUARDED = ['rest.single', 'graphql.single', 'rest.list', 'rest.movement'] as const;
type Guarded = (typeof GUARDED)[number];

const ROWS = 10_000;
const ROUNDS = { rounds: 5, seconds: 2 };
/** A further try settles whether other work on the machine was the cause. */
const TRIES = 2;

/** How much dearer a scenario may become, beyond the spreads. */
const GROWTH = 1.15;

/** CPU of the service as a multiple of the baseline's, and half of the range of the rounds' ratios. */
type Kept = Record<Guarded, { ratio: number; spread: number }>;

const FILE = new URL('./guard.json', import.meta.url);
const { values: options } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });

const most = ({ ratio, spread }: Kept[Guarded], now: Result): number => ratio * GROWTH + spread + now.spread;

const rounded = (value: number): number => Math.round(value * 100) / 100;

async function main(): Promise<void> {
  const kept = JSON.parse(await readFile(FILE, 'utf8').catch(() => '{}')) as Kept;
  const missing = GUARDED.filter(name => !options.keep && !(name in kept));
  if (missing.length > 0)
    throw new Error(`no figures are kept of ${missing.join(', ')}: npm run bench:guard -- --keep`);
  const measured: Partial<Kept> = {};
  build();
  await withBench(ROWS, readOptions([]), async bench => {
    const scenarios = scenariosFor(await readGround(bench.service.url, bench.databaseUrl, ROWS));
    for (const name of GUARDED) {
      await requireSameAnswers(scenarios[name], bench.service.url, bench.baseline.url);
      for (let left = TRIES; left > 0; left--) {
        const result = await compareRounds(bench, name, scenarios[name], ROUNDS);
        const { ratio, spread } = { ratio: result.ratio.cpu, spread: result.spread };
        measured[name] = { ratio: rounded(ratio), spread: rounded(spread) };
        const limit = options.keep ? Infinity : most(kept[name], result);
        const isWithin = ratio <= limit;
        process.stdout.write(
          `${name}: ${ratio.toFixed(2)} ± ${spread.toFixed(2)} of the baseline's CPU${options.keep ? '' : `, at most ${limit.toFixed(2)}: ${isWithin ? 'good' : 'DEARER'}`}\n`,
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
      'Something became dearer. Find the cause with npm run bench -- --only <name> --profile <folder>. If it is worth its price, keep the new figures: npm run bench:guard -- --keep\n',
    );
}

await main();
