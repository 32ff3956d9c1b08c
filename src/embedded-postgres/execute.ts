import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

export interface ServerUser {
  uid: number;
  gid: number;
}

/** Environment for PostgreSQL's programs, without the service's secrets and without PG* defaults. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'TZ', 'SystemRoot', 'TEMP'];
  return Object.fromEntries(names.map(name => [name, process.env[name]]));
}

/**
 * Runs a program until it ends, as `user` if given.
 * @throws Error with its error output when it fails
 */
export async function execute(
  file: string,
  args: string[],
  { user, cwd }: { user?: ServerUser; cwd: string },
): Promise<void> {
  await execFileAsync(file, args, { ...user, cwd, env: cleanEnvironment() });
}
