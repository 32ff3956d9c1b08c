import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/embedded-postgres/embedded.ts';
import { lockFolder } from '../../src/embedded-postgres/lock.ts';
import { fillWithDemo } from './demo-database.ts';
import { copyFolder, temporaryFolder } from './folder.ts';
import { eventually } from './process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the database that tests clone: migrated, with the demo data. */
    template: string;
    /** Data folder with the contents of the demo's files, for all tests. */
    dataDir: string;
    /** Data folder of a service that was started with the demo and ended, for tests to copy. */
    usedFolder: string;
    /** Why the service could not be built; empty when it was. */
    buildFailure: string;
  }
}

/**
 * Without protection against power cuts, because tests have none, and without work in the background for the hundreds of
 * databases that live for a minute each.
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
  'max_connections=200',
].flatMap(setting => ['-c', setting]);

/** Builds the service, starts one real PostgreSQL and fills the template database, for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.onTestsRerun(async () => project.provide('buildFailure', await build(project)));
  const dataDir = await temporaryFolder();
  const start = () => startEmbedded({ dataDir, log: () => {}, postgresFlags: FAST });
  const [first, buildFailure] = await Promise.all([start(), build(project)]);
  project.provide('buildFailure', buildFailure);
  await fillWithDemo(first.url, dataDir);
  await first.stop();
  const usedFolder = await temporaryFolder();
  await copyFolder(dataDir, usedFolder);
  const embedded = await start();
  project.provide('usedFolder', usedFolder);
  project.provide('template', embedded.url);
  project.provide('dataDir', dataDir);
  return async () => {
    await embedded.stop();
    for (const folder of [dataDir, usedFolder]) await rm(folder, { recursive: true, force: true });
  };
}

/** Compiles the service, as `npm start` does first; answers what went wrong. */
async function build({ config }: TestProject): Promise<string> {
  const dist = join(config.root, 'dist');
  await mkdir(dist, { recursive: true });
  // Another run may compile in this folder at the same time, and this one would start half-written files.
  const release = await eventually(() => lockFolder(dist));
  const run = promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: config.root });
  const failure = await run.then(
    () => '',
    ({ message, stdout }) => `the build failed: ${message}${stdout}`,
  );
  await release();
  return failure;
}
