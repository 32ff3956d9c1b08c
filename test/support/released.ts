import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Version } from '../../scripts/released/build.ts';
import type { Known } from '../../scripts/released/use.ts';
import { cloneDatabase } from './clone.ts';
import { sql } from './sql.ts';

const folder = join(import.meta.dirname, '../released');

/** A used database of a released version (scripts/released/dump.ts), with its timestamps moved to now. */
export async function restoreReleased(
  version: Version,
): Promise<{ url: string; drop: () => Promise<void>; known: Known }> {
  const dump = gunzipSync(await readFile(join(folder, `${version}.sql.gz`))).toString();
  const known = JSON.parse(await readFile(join(folder, `${version}.json`), 'utf8')) as Known;
  const database = await cloneDatabase({ empty: true });
  // Two connections, because the dump leaves its connection without a search path.
  await sql(database.url, dump);
  // Sessions and stored answers expire after hours, and the dump is older.
  await sql(
    database.url,
    `update sessao set expira_em = now() + interval '1 hour'; update idempotencia set criado_em = now()`,
  );
  return { ...database, known };
}
