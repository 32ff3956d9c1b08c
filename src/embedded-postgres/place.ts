import { chmod, mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, type ServerUser } from './execute.ts';

export interface Place {
  /** Folder with the cluster and the server's files. */
  home: string;
  /** User of the server's processes; undefined for the user of this process. */
  user?: ServerUser;
}

/** Name of the cluster's folder in its home. */
export const CLUSTER = 'postgres';

/**
 * Decides where the cluster of a data folder lies and which user runs it. PostgreSQL refuses to run as root, so root
 * runs it as another user, who may have no access to the data folder.
 */
export async function choosePlace(dataDir: string, home = dataDir): Promise<Place> {
  if (!(await exists(home))) {
    throw new Error(
      `The folder ${home} with the database of ${dataDir} is missing. Restore it from a backup.`,
    );
  }
  if (process.getuid?.() !== 0) return { home };
  const owner = await ownerOf(join(home, CLUSTER));
  const user = owner ?? (await unprivilegedUser());
  if (await canEnter(home, user)) return { home, user };
  if (owner) {
    throw new Error(
      `${home} cannot be reached by user ${user.uid}, the owner of the database in it. Allow it: chmod o+x on the folder and those above it.`,
    );
  }
  return { home: await newHome(user), user };
}

/** Whether the user can enter the folder through all its parents. */
export async function canEnter(folder: string, user: ServerUser): Promise<boolean> {
  return execute('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { user, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function ownerOf(cluster: string): Promise<ServerUser | undefined> {
  const found = await stat(cluster).catch(() => undefined);
  if (found?.uid === 0) {
    throw new Error(
      `${cluster} belongs to root, but PostgreSQL does not run as root. Change the owner: chown -R postgres "${cluster}"`,
    );
  }
  return found && { uid: found.uid, gid: found.gid };
}

async function unprivilegedUser(): Promise<ServerUser> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'));
  for (const userName of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === userName) ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it. Start the service as another user, or set DATABASE_URL.',
  );
}

async function newHome(user: ServerUser): Promise<string> {
  for (const parent of ['/var/lib', tmpdir()]) {
    if (!(await canEnter(parent, user))) continue;
    const home = await mkdtemp(join(parent, 'institutional-information-service-')).catch(() => undefined);
    if (!home) continue;
    await chmod(home, 0o755);
    return home;
  }
  throw new Error(
    `User ${user.uid}, who would run PostgreSQL, can reach neither the data folder nor /var/lib nor ${tmpdir()}. Set DATA_DIR to a folder that it can reach, or set DATABASE_URL.`,
  );
}
