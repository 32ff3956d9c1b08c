import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { temporaryFolder } from './support/folder.ts';
import { needs } from './support/needs.ts';
import { project } from './support/process.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const run = promisify(execFile);

/** Every file of the project that is or will be committed; undefined in a copy without Git history. */
const files = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  cwd: project,
}).then(
  ({ stdout }) => stdout.split('\0').filter(Boolean),
  () => undefined,
);

describe.skipIf(!needs('The history of git', files !== undefined))(
  'the recipe for a resource in README, run as it is written',
  () => {
    let copy: string;

    /** Runs a line of the recipe in the copy, without the environment of the tests. @throws Error with the output */
    async function expectSuccess(line: string): Promise<void> {
      const { PATH, HOME, TMPDIR } = process.env;
      // Each worker loads the whole service, and the recipe tries only three files.
      const env = { PATH, HOME, TMPDIR, VITEST_MAX_WORKERS: '1' };
      const options = { cwd: copy, env, maxBuffer: 64 * 1024 * 1024 };
      await run('sh', ['-c', line], options).catch((error: Error & { stdout: string }) => {
        throw new Error(`${error.message}\n${error.stdout.slice(-5000)}`, { cause: error });
      });
    }

    const read = (path: string): Promise<string> => readFile(join(copy, path), 'utf8');
    const policy = async (): Promise<Record<string, string>> =>
      JSON.parse(await read('test/spec/policy.json')) as Record<string, string>;
    let before: Record<string, string>;

    beforeAll(async () => {
      copy = await temporaryFolder();
      for (const file of files!) {
        await mkdir(dirname(join(copy, file)), { recursive: true });
        await cp(join(project, file), join(copy, file));
      }
      await symlink(join(project, 'node_modules'), join(copy, 'node_modules'));
      before = await policy();
      const [, recipe] = /## Adding a resource\n+```sh\n(.*?)```/s.exec(await read('README.md'))!;
      for (const line of recipe!.trim().split('\n')) await expectSuccess(line);
    });
    afterAll(() => rm(copy, { recursive: true, force: true }));

    it('adds rows to the table of who may do what, and changes none', async () => {
      const after = await policy();
      expect(after).toMatchObject(before);
      const added = Object.keys(after).filter(name => !(name in before));
      expect(added).toHaveLength(11);
      expect(added.filter(name => !/fornecedor/i.test(name))).toEqual([]);
    });

    it('produces files that pass the checks of types and format', async () => {
      await expectSuccess('npm run check:types');
      const written = '{src,test}/**/{fornecedor*,beyond,examples,Migration*}.ts';
      await expectSuccess(`npx prettier --check '${written}'`);
    });
  },
);
