import { readFile } from 'node:fs/promises';
import { options } from '../../src/commands/options.ts';
import { breakingChanges, currentApi, declaredChanges, objections, releasedApi } from './api.ts';

options({}, 'This command takes no options.');
const changelog = await readFile(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
const found = objections(breakingChanges(await releasedApi(), await currentApi()), declaredChanges(changelog));
if (found.length > 0) {
  process.stderr.write(
    `Changes that break clients of the last release (api/) must stand in CHANGELOG.md, under "### Breaking" of "## Unreleased", word by word:\n${found.map(one => `  ${one}\n`).join('')}`,
  );
  process.exitCode = 1;
}
