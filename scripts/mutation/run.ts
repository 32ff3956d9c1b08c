/**
 * Breaks each rule of a source file in turn and checks whether a test fails: `npm run mutate -- <source> <tests…>`.
 * Only code that runs in the process of the tests is broken, not the compiled service. The source file is not changed.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { commandLine, misused } from '../../src/commands/options.ts';
import { createVitest } from 'vitest/node';
import { mutantsOf, type Mutant } from './mutants.ts';

const USAGE = `Usage: npm run mutate -- [--sample <number>] <source file> <test file…>
--sample: number of changes that are tried, evenly spread over the file; without it all`;
const { positionals, values } = commandLine({ sample: { type: 'string' } }, USAGE, true);
const [file, ...tests] = positionals;
if (!file || tests.length === 0) misused('Which source file, and which tests?', USAGE);

const source = resolve(file);
const all = mutantsOf(await readFile(source, 'utf8'));
const count = Math.min(all.length, Number(values.sample ?? all.length));
const chosen = Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!);

let mutant: Mutant | undefined;
const vitest = await createVitest(
  'test',
  {
    watch: false,
    bail: 1,
    // It identifies files by their content on disk.
    fsModuleCache: false,
    maxWorkers: 1,
    testTimeout: 60_000,
    reporters: [{}],
    onConsoleLog: () => false,
  },
  { plugins: [{ name: 'mutant', enforce: 'pre', load: id => (id === source ? mutant?.source : undefined) }] },
);

/** Whether the tests fail. */
async function fails(): Promise<boolean> {
  vitest.invalidateFile(source);
  const { testModules, unhandledErrors } = await vitest.start(tests.map(test => resolve(test)));
  if (testModules.length < tests.length) throw new Error(`not every test file was found: ${tests.join(' ')}`);
  return unhandledErrors.length > 0 || testModules.some(module => !module.ok());
}

try {
  if (await fails()) throw new Error('the tests fail without any change');
  mutant = { line: 0, change: '', source: 'throw new Error()' };
  if (!(await fails())) throw new Error(`the tests do not use ${file}`);
  let noticed = 0;
  for (mutant of chosen) {
    if (await fails()) noticed += 1;
    else process.stdout.write(`  not noticed: ${file}:${mutant.line}  ${mutant.change}\n`);
  }
  const of = count < all.length ? ` (of ${all.length})` : '';
  process.stdout.write(`${file}: ${noticed} of ${count}${of} noticed\n`);
} finally {
  await vitest.close();
}
