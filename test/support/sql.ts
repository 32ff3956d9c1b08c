import { Client } from 'pg';

/** Runs statements over a new connection. Returns the rows of the last one. */
export async function sql(url: string, text: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const results = await client.query<unknown[]>({ text, rowMode: 'array' });
    return [results].flat().at(-1)!.rows;
  } finally {
    await client.end();
  }
}
