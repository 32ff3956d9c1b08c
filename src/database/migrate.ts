import type { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import type { DatabaseSettings } from './orm.ts';
import { writeService } from './reference/service.ts';

/** Any number that no other program locks in this database. */
const MIGRATION_LOCK = 5_119_001;

/**
 * Brings the database to the schema of this version, and makes sure that the service and its controllers stand in its
 * own permission tables. Processes that start at the same time
 * take turns, so that each migration runs once.
 */
export async function migrate(
  orm: MikroORM,
  settings: DatabaseSettings,
  controllers: readonly string[],
): Promise<void> {
  const client = new Client({ connectionString: settings.url, application_name: 'sii-migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await checkServer(client);
    await orm.migrator.up();
    await writeService(orm, controllers);
  } finally {
    await client.end();
  }
}

/** @throws Error that says what the server lacks */
async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    `select current_setting('server_version_num') as version, pg_encoding_to_char(encoding) as encoding
     from pg_database where datname = current_database()`,
  );
  const { version, encoding } = rows[0]!;
  if (Number(version) < 150_000)
    throw new Error(`PostgreSQL 15 or newer is needed; this server is ${version.slice(0, -4)}.`);
  if (encoding !== 'UTF8')
    throw new Error(
      `The database must be encoded in UTF8; it is ${encoding}. Create it with: createdb --encoding=UTF8 --template=template0`,
    );
}
