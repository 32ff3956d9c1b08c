import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { cloneDatabase } from './clone.ts';
import type { InstalledPostgres } from './installed-postgres.ts';
import { sql } from './sql.ts';

/**
 * An empty database of one role. After the owner has granted it, another role may run the service on it, and nothing
 * else.
 */
export interface OwnedDatabase {
  /** Connection string of the tests' superuser. */
  url: string;
  owner: string;
  app: string;
  asOwner: string;
  asApp: string;
  /** Drops the roles as well. */
  drop(): Promise<void>;
}

/** On the server of all tests, or on an installed one, which the test stops. */
export async function ownedDatabase(server?: InstalledPostgres): Promise<OwnedDatabase> {
  const { url, drop } = server ? await emptyOn(server) : await cloneDatabase({ empty: true });
  const suffix = randomUUID().slice(0, 8);
  const [owner, app] = [`owner-${suffix}`, `app-${suffix}`];
  for (const role of [owner, app]) await sql(url, `create role "${role}" login password '${role} password'`);
  await sql(url, `alter database ${new URL(url).pathname.slice(1)} owner to "${owner}"`);
  const as = (username: string): string =>
    Object.assign(new URL(url), { username, password: `${username} password` }).href;
  return {
    url,
    owner,
    app,
    asOwner: as(owner),
    asApp: as(app),
    drop: async () => {
      await drop();
      if (!server) for (const role of [owner, app]) await sql(inject('template'), `drop role "${role}"`);
    },
  };
}

async function emptyOn(server: InstalledPostgres): Promise<{ url: string; drop: () => Promise<void> }> {
  await server.create('sii');
  return { url: server.url('sii'), drop: async () => {} };
}
