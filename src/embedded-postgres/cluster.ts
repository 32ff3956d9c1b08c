import { chown, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from './failure.ts';
import { execute } from './execute.ts';
import { CLUSTER, exists, type Place } from './place.ts';

/** The cluster's superuser. The service connects as this role. */
export const ROLE = 'sii';

const PARTIAL = 'initdb-';

/**
 * Path of the home's cluster. Creates it if missing: under a temporary name, renamed when it is complete, so that a
 * later start never uses an incomplete cluster.
 */
export async function ensureCluster(place: Place, binaries: string, password: string): Promise<string> {
  const cluster = join(place.home, CLUSTER);
  if (await exists(cluster)) return cluster;
  await removePartial(place.home);
  const partial = await mkdtemp(join(place.home, PARTIAL));
  await create(place, partial, binaries, password);
  await rename(join(partial, 'data'), cluster);
  await rm(partial, { recursive: true });
  return cluster;
}

// Retries, because `initdb` may still write there when only its parent was killed.
async function removePartial(home: string): Promise<void> {
  const left = (await readdir(home)).filter(name => name.startsWith(PARTIAL));
  await Promise.all(
    left.map(name => rm(join(home, name), { recursive: true, maxRetries: 10, retryDelay: 100 })),
  );
}

async function create(place: Place, partial: string, binaries: string, password: string): Promise<void> {
  const { home, user } = place;
  const passwordFile = join(partial, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) await Promise.all([partial, passwordFile].map(path => chown(path, user.uid, user.gid)));
  const args = ['-D', join(partial, 'data'), '-U', ROLE, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  // Without an explicit locale the environment determines it. It could be ASCII, which cannot fold case.
  args.push('--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8');
  try {
    await execute(join(binaries, 'initdb'), args, { user, cwd: home });
  } catch (error) {
    throw failure('could not be created', error);
  }
}
