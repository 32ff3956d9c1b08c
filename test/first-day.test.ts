import { execFile } from 'node:child_process';
import { mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase } from './support/clone.ts';
import { temporaryFolder } from './support/folder.ts';
import { build, useProcesses } from './support/process.ts';

const processes = useProcesses(afterAll);
const project = fileURLToPath(new URL('..', import.meta.url));

/** The blocks of the page: files (`csv <name>`), commands (`sh`), and their output (`text`, `json`). */
const blocksOf = (page: string) =>
  [...page.matchAll(/^```(?<kind>\w+)(?: (?<file>\S+))?\n(?<text>.*?)^```$/gms)].map(({ groups }) => groups!);

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let folder: string;
let address: string;

beforeAll(async () => {
  await build();
  database = await cloneDatabase({ empty: true });
  folder = await mkdtemp(join(await temporaryFolder(), 'first-day-'));
  await symlink(join(project, 'demo'), join(folder, 'demo'));
  address = await processes.service({ DATABASE_URL: database.url }).ready();
});
afterAll(() => database.drop());

/** The commands of a reader, in one shell. `npm run` uses a finished build, and shows the key only once. */
const shell = (commands: string[]): string => `
set -euo pipefail
trap 'echo "line $LINENO: $BASH_COMMAND" >&2' ERR
npm() { node "${join(project, 'dist/src/commands')}/\${2/:/-}.js" "\${@:4}" | tee -a printed; }
${commands
  .map(text =>
    text
      .replace('API_KEY=…', `API_KEY=$(sed -n 's/.*shown this once: //p' printed)`)
      .replaceAll('http://127.0.0.1:4000', address),
  )
  .join(`printf '\\n--- next\\n'\n`)}`;

it('docs/first-day.md leads from an empty database to a storeroom, by its own commands', async () => {
  const blocks = blocksOf(await readFile(join(project, 'docs/first-day.md'), 'utf8'));
  const files = blocks.filter(({ file }) => file !== undefined);
  for (const { file, text } of files) await writeFile(join(folder, file!), text!);
  expect(files.length).toBeGreaterThan(8);
  const commands = blocks.filter(({ kind }) => kind === 'sh');
  const cache = join(project, 'dist/.compile-cache');
  const env = { ...process.env, DATABASE_URL: database.url, NODE_COMPILE_CACHE: cache };
  const { stdout } = await promisify(execFile)('bash', ['-c', shell(commands.map(({ text }) => text!))], {
    cwd: folder,
    env,
  });
  const printed = stdout.split('\n--- next\n').map(text => text.trim());
  const shown = blocks.flatMap(({ kind, text }, i) => {
    const after = printed[commands.indexOf(blocks[i - 1]!)];
    if (kind === 'text') return [[after, text!.trim()]];
    return kind === 'json' ? [[JSON.parse(after!) as unknown, JSON.parse(text!) as unknown]] : [];
  });
  expect(shown.map(([found]) => found)).toEqual(shown.map(([, expected]) => expected));
  expect(shown.length).toBeGreaterThan(4);
  expect(printed).toContainEqual(expect.stringMatching(/^All 4 cells of stock match their 5 movements/));
});
