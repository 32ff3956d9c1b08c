import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { startEmbedded } from '../src/embedded-postgres/embedded.ts';
import { migrate } from '../src/database/migrate.ts';
import { chainBatch } from '../src/domain/audit/chain.ts';
import { seedDemo } from '../src/demo/demo.ts';
import { controllersOf, createSchema } from '../src/graphql/schema.ts';
import { closeServices, databaseSettings, openServices } from '../src/services.ts';
import { fillMaterials } from './fill.ts';
import { fillPasswords } from './people.ts';
import { fillStock } from './stock.ts';

/** An empty database. `drop` removes it, and the server if it was started for it. */
export interface BenchDatabase {
  url: string;
  drop(): Promise<void>;
}

/** As docs/operations.md advises. The default, 128 MB, is less than the tables of a million materials. */
const SHARED_BUFFERS = 'shared_buffers=1GB';

/** A new database on the server of DATABASE_URL, else on an embedded server of its own in a temporary folder. */
export const createDatabase = (serverUrl: string | undefined): Promise<BenchDatabase> =>
  serverUrl ? onServer(serverUrl) : embedded();

/**
 * Migrates the database and fills it with the demo data, so many materials and their stock, and leaves the audit trail
 * chained, and statistics and caches settled.
 */
export async function fillDatabase(url: string, rows: number): Promise<void> {
  const config = readConfig({});
  const services = await openServices(config, url, pino({ level: 'silent' }));
  try {
    const controllers = async () => controllersOf(await createSchema());
    await migrate(services, databaseSettings(config, url), controllers);
    await seedDemo(services);
    await execute(url, client => fillMaterials(client, rows));
    await execute(url, fillPasswords);
    await fillStock(services.orm);
    // Otherwise the service would do this while it is measured.
    while ((await chainBatch(services.orm)).more);
  } finally {
    await closeServices(services);
  }
  await execute(url, async client => {
    await client.query('vacuum (analyze, freeze)');
    await client.query('checkpoint');
  });
}

async function embedded(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sii-bench-'));
  // For root, another user runs PostgreSQL and must reach the folder. Otherwise the data would be elsewhere, and stay
  // there.
  await chmod(dataDir, 0o711);
  const server = await startEmbedded({ dataDir, log: () => {}, postgresFlags: ['-c', SHARED_BUFFERS] });
  return {
    url: server.url,
    drop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function onServer(serverUrl: string): Promise<BenchDatabase> {
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  await execute(serverUrl, client =>
    client.query(`create database ${name} encoding 'UTF8' template template0`),
  );
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await execute(serverUrl, client => client.query(`drop database ${name} with (force)`));
    },
  };
}

/** Runs work on a connection of its own. */
export async function execute<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
