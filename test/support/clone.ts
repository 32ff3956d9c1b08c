import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** A separate database: a clone of the template or of another one, or an empty one. Dropped at the end. */
export async function cloneDatabase(
  options: { empty?: boolean; of?: string } = {},
): Promise<{ url: string; drop: () => Promise<void> }> {
  const template = inject('template');
  // Copying files costs half as much as the default, which writes the WAL.
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await maintain(
    template,
    `create database ${name} strategy file_copy template ${options.empty ? 'template0' : new URL(options.of ?? template).pathname.slice(1)}`,
  );
  const url = new URL(template);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => maintain(template, `drop database ${name} with (force)`) };
}

/** The template must have no connection while it is cloned, so this runs in the maintenance database. */
async function maintain(template: string, statement: string): Promise<void> {
  const url = new URL(template);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query(statement);
  await client.end();
}
