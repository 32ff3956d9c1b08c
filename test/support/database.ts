import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/embedded-postgres/embedded.ts';
import { fillWithDemo } from './demo-database.ts';
import { copyFolder, temporaryFolder } from './folder.ts';
import { makeConnectionsQuick, makeLoginsQuick } from './passwords.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the database that tests clone: migrated, with the demo data. */
    template: string;
    /** Data folder with the contents of the demo's files, used by all tests. */
    dataDir: string;
    /** Data folder of a service that ran with the demo and has ended, for tests to copy. */
    usedFolder: string;
    /**
     * File that the first test writes that needs the built service: the reason why the build failed; empty if it
     * succeeded.
     */
    buildFailure: string;
  }
}

/**
 * Without durability, because tests do not need it, and without background work for the hundreds of databases that
 * exist for a minute each.
 */
const FAST = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=2GB',
  'checkpoint_timeout=1h',
  'autovacuum=off',
  'max_connections=400',
].flatMap(setting => ['-c', setting]);

/** Starts one real PostgreSQL and fills the template database, for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await temporaryFolder();
  const buildFolder = await temporaryFolder();
  const buildFailure = join(buildFolder, 'failure');
  project.provide('buildFailure', buildFailure);
  project.onTestsRerun(() => rm(buildFailure, { force: true }));
  const start = () => startEmbedded({ dataDir, log: () => {}, postgresFlags: FAST });
  const first = await start();
  await fillWithDemo(first.url, dataDir);
  await makeLoginsQuick(first.url);
  await makeConnectionsQuick(first.url);
  await first.stop();
  const usedFolder = await temporaryFolder();
  await copyFolder(dataDir, usedFolder);
  const embedded = await start();
  project.provide('usedFolder', usedFolder);
  project.provide('template', embedded.url);
  project.provide('dataDir', dataDir);
  return async () => {
    await embedded.stop();
    for (const folder of [dataDir, buildFolder, usedFolder])
      await rm(folder, { recursive: true, force: true });
  };
}
