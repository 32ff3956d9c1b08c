import { Client, type ClientConfig } from 'pg';
import { OperatorError } from '../operator-error.ts';
import { CONNECT_TIMEOUT_MS, kept } from './orm.ts';

/** Longest that a server may take to say what it is. */
const CHECK_TIMEOUT_MS = 5_000;

/**
 * Makes sure that the database can be reached and is one that the service works on.
 * @throws OperatorError that says what is wrong, never with the password
 */
export async function checkDatabase(url: string): Promise<void> {
  const client = await connectTo(url, { application_name: 'sii-check', query_timeout: CHECK_TIMEOUT_MS });
  try {
    await checkServer(client);
  } finally {
    await client.end();
  }
}

/** A connection apart from the pools. @throws OperatorError when there is none to be had */
export async function connectTo(url: string, options: ClientConfig): Promise<Client> {
  const client = new Client({
    ...kept,
    ...options,
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A connection lost between two statements shows at the next one.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw unreachable(url, error as NodeJS.ErrnoException);
  }
}

function unreachable(url: string, error: NodeJS.ErrnoException): OperatorError {
  const { host, pathname } = new URL(url);
  // The error of a name with several addresses has no message of its own.
  const why = error.message || error.code;
  return new OperatorError(
    `Cannot connect to the database ${host}${pathname}: ${why}\nCheck DATABASE_URL, and that the PostgreSQL server runs and lets this user in.`,
    { cause: error },
  );
}

async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    `select current_setting('server_version_num') as version, pg_encoding_to_char(encoding) as encoding
     from pg_database where datname = current_database()`,
  );
  const { version, encoding } = rows[0]!;
  if (Number(version) < 150_000)
    throw new OperatorError(`PostgreSQL 15 or newer is needed; this server is ${version.slice(0, -4)}.`);
  if (encoding !== 'UTF8')
    throw new OperatorError(
      `The database must be encoded in UTF8; it is ${encoding}. Create it with: createdb --encoding=UTF8 --template=template0`,
    );
}
