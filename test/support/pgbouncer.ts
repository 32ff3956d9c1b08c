import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { choosePlace } from '../../src/embedded-postgres/place.ts';
import { freePort } from '../../src/embedded-postgres/settings.ts';
import { eventually } from './eventually.ts';
import { needs } from './needs.ts';
import { sql } from './sql.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

export const hasPgBouncer = (): boolean => needs('pgbouncer', existsSync(PROGRAM));

/** The settings of connections that PgBouncer drops instead of refusing them. */
export const IGNORED =
  'extra_float_digits,options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

/** Starts a PgBouncer before the database of a URL, in a folder of its own. Returns the URL through it. */
export async function startPgBouncer(
  url: string,
  folder: string,
  settings: Record<string, string>,
): Promise<{ url: string; stop: () => void }> {
  const { user } = await choosePlace(folder);
  const port = await freePort();
  const { hostname, port: serverPort, username, password, pathname } = new URL(url);
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  }).map(([key, value]) => `${key} = ${value}`);
  const target = `host=${hostname} port=${serverPort} user=${username}${password && ` password=${password}`}`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `[databases]\n* = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
  if (user) await chown(file, user.uid, user.gid);
  const bouncer = spawn(PROGRAM, ['-q', file], { stdio: 'ignore', cwd: '/', ...user });
  const through = `postgresql://x@127.0.0.1:${port}${pathname}`;
  await eventually(() => sql(through, 'select 1'));
  return { url: through, stop: () => bouncer.kill('SIGKILL') };
}
