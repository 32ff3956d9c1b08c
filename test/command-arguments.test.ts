import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { build, project, useProcesses } from './support/process.ts';

const processes = useProcesses();
beforeAll(build);

const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Commands of this project. The others are of the tools that they start, or run before or after another one. */
const ours = Object.entries(scripts)
  .filter(
    ([name, line]) => /\.[mt]?js\b|\.ts\b/.test(line) && !/^(pre|post|dev$|migration:create$)/.test(name),
  )
  .map(([name]) => [name]);

describe.each(ours)('npm run %s', name => {
  it('answers --help with one screen, and does nothing', async () => {
    const run = processes.npm(['run', '--silent', name, '--', '--help'], {});
    expect({ ...(await run.exited), stderr: run.stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    expect(run.stdout).toMatch(/^(Usage: npm (run|start)|This command takes no options)/);
    expect(run.stdout.split('\n').length).toBeLessThan(24);
  });

  it('refuses an option that it does not have, in one sentence, and says which there are', async () => {
    const run = processes.npm(['run', '--silent', name, '--', '--bogus'], {});
    expect(await run.exited).toEqual({ code: 1, signal: null });
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(/^Unknown option '--bogus'\.?\n(Usage: npm (run|start)|This command takes)/);
    expect(run.stderr).not.toMatch(/\n +at /);
  });
});
