import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { project } from './project.ts';
import type { Installation } from './installation.ts';

/** A column that the old version does not know. It is in a table to which the load writes. */
const NEXT_COLUMN = 'ensaio';

const NAME = 'Migration20991231000000';
const MIGRATION = `import { Migration } from '@mikro-orm/migrations';
export class ${NAME} extends Migration {
  up() {
    this.addSql('alter table movimentacao add column ${NEXT_COLUMN} text');
    this.addSql('create index movimentacao_${NEXT_COLUMN} on movimentacao (${NEXT_COLUMN})');
  }
}
`;

/** Makes the next version of the service: the compiled one with one more migration. @returns the folder of its programs */
export async function makeNextVersion(folder: string): Promise<string> {
  const next = join(folder, 'next');
  const programs = join(next, 'dist');
  await mkdir(next);
  await cp(join(project, 'dist'), programs, { recursive: true });
  for (const name of ['node_modules', 'package.json']) await symlink(join(project, name), join(next, name));
  await writeFile(join(programs, `src/database/migrations/${NAME}.js`), MIGRATION);
  return programs;
}

/** @throws Error when the migration of the next version was not run */
export async function expectNextColumn(installation: Installation): Promise<void> {
  const columns = await installation.query(
    `select from pg_attribute where attrelid = 'movimentacao'::regclass and attname = $1`,
    [NEXT_COLUMN],
  );
  if (columns.length === 0) throw new Error(`${NAME} was not run`);
}
