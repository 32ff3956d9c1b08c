import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { startEmbedded } from '../../src/database/embedded.ts';
import { migrate } from '../../src/database/migrate.ts';
import { seedDemo } from '../../src/database/seeds/demo.ts';
import { controllersOf, createSchema } from '../../src/graphql/schema.ts';
import { temporaryFolder } from './folder.ts';
import { closeServices, databaseSettings, openServices } from '../../src/services.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the database that tests clone: migrated, with the demo data. */
    template: string;
    /** Data folder with the contents of the demo's files, for all tests. */
    dataDir: string;
  }
}

/** Without what protects data from a power cut, of which tests have none. */
const FAST = [
  '-c',
  'fsync=off',
  '-c',
  'full_page_writes=off',
  '-c',
  'synchronous_commit=off',
  '-c',
  'max_connections=200',
];

/** Starts one real PostgreSQL for the whole run and fills the template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await temporaryFolder();
  const embedded = await startEmbedded({ dataDir, log: () => {}, postgresFlags: FAST });
  const config = readConfig({ DATA_DIR: dataDir });
  const services = await openServices(config, embedded.url, pino({ level: 'silent' }));
  await migrate(services.orm, databaseSettings(config, embedded.url), controllersOf(await createSchema()));
  await seedDemo(services);
  await closeServices(services);
  project.provide('template', embedded.url);
  project.provide('dataDir', dataDir);
  return async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
