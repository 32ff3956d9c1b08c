import type { Client } from 'pg';
import { OperatorError } from '../errors.ts';

/** A connection pooler that the service does not support. `address`: hosts and database. */
export class UnsupportedPooler extends OperatorError {
  constructor(address: string, why: string, cause?: unknown) {
    super(
      `${address} points to a connection pooler, such as PgBouncer, that ${why}. The service needs direct connections: they have their own time limits and time zone, keep prepared statements, and hold advisory locks. Connect to PostgreSQL directly; DATABASE_POOL limits the number of connections.`,
      { cause },
    );
  }
}

/** Whether PgBouncer rejected a setting in the start-up message. */
export const isRefusedSetting = ({ message }: Error): boolean => /startup parameter/.test(message);

/**
 * Checks that the connection goes to the server itself, or to a pooler that passes on the given settings and does not
 * share connections.
 * @throws UnsupportedPooler
 */
export async function checkPooler(
  address: string,
  client: Client,
  connect: () => Promise<Client>,
  settings: Readonly<Record<string, string | number>>,
): Promise<void> {
  const pid = await backendOf(client);
  // A pooler has its own process id, so equal ids mean a direct connection.
  if ((client as Client & { processID: number }).processID === pid) return;
  for (const [name, value] of Object.entries(settings))
    if ((await settingOf(client, name)) !== String(value))
      throw new UnsupportedPooler(address, 'does not pass on connection settings');
  const other = await connect();
  try {
    await other.query('begin');
    if ((await backendOf(other)) === pid || (await backendOf(client)) !== pid)
      throw new UnsupportedPooler(
        address,
        'uses another server connection for each transaction (transaction mode)',
      );
  } finally {
    await other.end();
  }
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

/** The value, in the setting's own unit. */
async function settingOf(client: Client, name: string): Promise<string | undefined> {
  const { rows } = await client.query<{ setting: string }>(
    'select setting from pg_settings where name = $1',
    [name],
  );
  return rows[0]?.setting;
}
