import type { Client } from 'pg';
import { OperatorError } from '../errors.ts';

/** The error for a pooler that the service cannot work through. */
export const poolerOf = (why: string, cause?: unknown): OperatorError =>
  new OperatorError(
    `DATABASE_URL leads to a connection pooler, such as PgBouncer, that ${why}. The service needs connections of its own: they have time limits and a time zone, keep prepared statements, and hold advisory locks. Connect to PostgreSQL itself; DATABASE_POOL bounds the connections.`,
    { cause },
  );

/** What PgBouncer says of a setting that comes with a connection. */
export const isRefusedSetting = ({ message }: Error): boolean => /startup parameter/.test(message);

/**
 * Makes sure that a connection is one to the server, or that whatever stands between hands on its settings, which are
 * given, and shares it with nobody.
 * @throws OperatorError
 */
export async function checkPooler(
  client: Client,
  connect: () => Promise<Client>,
  settings: Readonly<Record<string, string | number>>,
): Promise<void> {
  const pid = await backendOf(client);
  // Whoever answers for the server has a number of its own.
  if ((client as Client & { processID: number }).processID === pid) return;
  for (const [name, value] of Object.entries(settings))
    if ((await settingOf(client, name)) !== String(value))
      throw poolerOf('keeps the settings of connections to itself');
  const other = await connect();
  try {
    await other.query('begin');
    if ((await backendOf(other)) === pid || (await backendOf(client)) !== pid)
      throw poolerOf('gives each transaction another connection, as in transaction mode');
  } finally {
    await other.end();
  }
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

/** In the setting's own unit. */
async function settingOf(client: Client, name: string): Promise<string | undefined> {
  const { rows } = await client.query<{ setting: string }>(
    'select setting from pg_settings where name = $1',
    [name],
  );
  return rows[0]?.setting;
}
