import { Client, type ClientConfig } from 'pg';
import { OperatorError } from '../errors.ts';
import { CONNECT_TIMEOUT_MS, kept, type DatabaseSettings } from './orm.ts';
import { checkPooler, isRefusedSetting, poolerOf } from './pooler.ts';

/** Longest that a server may take to say what it is. */
const CHECK_TIMEOUT_MS = 5_000;

/**
 * Makes sure that the database can be reached and is one that the service works on.
 * @throws OperatorError that says what is wrong, never with the password
 */
export async function checkDatabase({ url, timeZone }: DatabaseSettings): Promise<void> {
  const connect = (): Promise<Client> =>
    connectTo(url, {
      application_name: 'sii-check',
      query_timeout: CHECK_TIMEOUT_MS,
      statement_timeout: CHECK_TIMEOUT_MS,
      options: `-c TimeZone=${timeZone}`,
    });
  const client = await connect();
  try {
    await checkServer(client);
    await checkPooler(client, connect, { statement_timeout: CHECK_TIMEOUT_MS, TimeZone: timeZone });
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
  if (isRefusedSetting(error)) return poolerOf('does not take the settings of connections', error);
  const { host, pathname } = new URL(url);
  // The error of a name with several addresses has no message of its own.
  const why = error.message || error.code;
  return new OperatorError(
    `Cannot connect to the database ${host}${pathname}: ${why}\nCheck DATABASE_URL, and that the PostgreSQL server runs and lets this user in.`,
    { cause: error },
  );
}

interface ServerFacts {
  version: string;
  encoding: string;
  isStandby: boolean;
  isReadOnly: boolean;
}

async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version_num') as version, pg_encoding_to_char(encoding) as encoding,
       pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"
     from pg_database where datname = current_database()`,
  );
  const { version, encoding, isStandby, isReadOnly } = rows[0]!;
  if (Number(version) < 150_000)
    throw new OperatorError(`PostgreSQL 15 or newer is needed; this server is ${version.slice(0, -4)}.`);
  if (encoding !== 'UTF8')
    throw new OperatorError(
      `The database must be encoded in UTF8; it is ${encoding}. Create it with: createdb --encoding=UTF8 --template=template0`,
    );
  if (isReadOnly)
    throw new OperatorError(
      isStandby
        ? 'The database takes no changes: its server is a standby. Point DATABASE_URL at the primary.'
        : 'The database takes no changes: default_transaction_read_only is on. Switch it off, or point DATABASE_URL at the primary.',
    );
}
