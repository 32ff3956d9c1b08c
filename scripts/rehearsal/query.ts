import pg from 'pg';

/** Runs a statement on a new connection. */
export async function query<T extends object>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // HAProxy closes connections to a server that is no longer the primary. The query then fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<T>(text, [...values])).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
