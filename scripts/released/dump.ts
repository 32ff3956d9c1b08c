/**
 * Makes `test/released/<version>.sql.gz`, a database that the released version has used, and `<version>.json` with what
 * the upgrade test must know about it:
 *
 *     npx tsx scripts/released/dump.ts 1.0.0
 *
 * It builds the version from the history, runs it on PostgreSQL of the system (Debian: `apt-get install postgresql`),
 * uses it over HTTP, and dumps with the `pg_dump` of the same packages. Take the oldest PostgreSQL that the service
 * supports: a newer one reads its dump, but not the other way round. The file is plain SQL without psql's own commands,
 * so that any client restores it.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Client } from '../../test/support/client.ts';
import { temporaryFolder } from '../../test/support/folder.ts';
import { InstalledPostgres } from '../../test/support/installed-postgres.ts';
import { serving } from '../serving.ts';
import { buildReleased, released, type Version } from './build.ts';
import { useService } from './use.ts';

const version = process.argv[2] as Version;
if (!(version in released)) throw new Error(`Name one of the versions ${Object.keys(released).join(', ')}`);

const target = join(import.meta.dirname, '../../test/released');
const folder = await temporaryFolder();
const server = await InstalledPostgres.start(folder);
try {
  const url = server.url('sii');
  await server.create('sii');
  const programs = await buildReleased(version, join(folder, 'version'));
  const environment = { ...process.env, DATABASE_URL: url, DATA_DIR: join(folder, 'data') };
  await promisify(execFile)('node', [join(programs, 'commands/seed-demo.js')], { env: environment });
  // It ends before the dump, which writes what it had not yet written.
  const known = await serving(join(programs, 'main.js'), environment, url => useService(new Client(url)));
  await mkdir(target, { recursive: true });
  await writeFile(join(target, `${version}.json`), `${JSON.stringify(known, null, 2)}\n`);
  await writeFile(join(target, `${version}.sql.gz`), gzipSync(await dump(url), { level: 9 }));
} finally {
  await server.stop();
  await rm(folder, { recursive: true });
}

async function dump(url: string): Promise<string> {
  const file = join(folder, 'dump.sql');
  const options = ['--no-owner', '--no-privileges', '--no-comments', '--inserts', '--rows-per-insert=100'];
  await server.client('pg_dump', [...options, `--file=${file}`, url]);
  const text = await readFile(file, 'utf8');
  return text.replaceAll(/^(\\.*|--.*)?\n/gm, '');
}
