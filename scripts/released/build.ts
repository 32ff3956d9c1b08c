import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../..');

/** The commit of each released version of which `test/released` has a database. */
export const released = { '1.0.0': 'fb23bd33f00c6f0e0eec9704ec48c2b37968f467' } as const;
export type Version = keyof typeof released;

/** Whether this clone has the commit. A shallow clone, or a copy without history, does not. */
export const hasReleased = (version: Version): Promise<boolean> =>
  run('git', ['cat-file', '-e', `${released[version]}^{commit}`], { cwd: project }).then(
    () => true,
    () => false,
  );

/**
 * Compiles a released version in a new folder, with today's packages. Returns the folder of its programs. Types are not
 * checked, because packages have changed since the release.
 */
export async function buildReleased(version: Version, folder: string): Promise<string> {
  await mkdir(folder);
  const archive = join(folder, 'source.tar');
  await run('git', ['archive', '--output', archive, released[version]], { cwd: project });
  await run('tar', ['--extract', '--file', archive], { cwd: folder });
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  const tsc = join(project, 'node_modules/.bin/tsc');
  await run(tsc, ['-p', 'tsconfig.build.json', '--noCheck'], { cwd: folder });
  return join(folder, 'dist/src');
}
