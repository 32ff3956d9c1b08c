import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Version } from '../../scripts/released/build.ts';
import type { Known } from '../../scripts/released/use.ts';
import { cloneDatabase } from './clone.ts';
import { sql } from './sql.ts';

const folder = join(import.meta.dirname, '../released');

/** A database as a released version left it after use (scripts/released/dump.ts), as if it were of this minute. */
export async function restoreReleased(
  version: Version,
): Promise<{ url: string; drop: () => Promise<void>; known: Known }> {
  const dump = gunzipSync(await readFile(join(folder, `${version}.sql.gz`))).toString();
  const known = JSON.parse(await readFile(join(folder, `${version}.json`), 'utf8')) as Known;
  const database = await cloneDatabase({ empty: true });
  // Two connections, since the dump leaves its own without a search path.
  await sql(database.url, dump);
  // Sessions and kept answers end after hours, and the dump is older.
  await sql(
    database.url,
    `update sessao set expira_em = now() + interval '1 hour'; update idempotencia set criado_em = now()`,
  );
  return { ...database, known };
}
