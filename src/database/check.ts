import type { Client, ClientConfig } from 'pg';
import { OperatorError } from '../errors.ts';
import { reasonOf } from './errors.ts';
import { CONNECT_TIMEOUT_MS, keepAliveSettings, type DatabaseSettings } from './orm.ts';
import { inRoom } from './few-connections.ts';
import { checkPooler, isRefusedSetting, UnsupportedPooler } from './pooler.ts';
import { PrimaryClient } from './primary.ts';
import { Servers } from './servers.ts';
import { sessionSettings } from './session-settings.ts';

/** Longest wait for the server's answers, in milliseconds. */
const CHECK_TIMEOUT_MS = 5_000;

/** What the service can run with, but an operator may want to change. */
export interface ServerLimits {
  /** Settings with which the server may lose what it has committed. */
  lossySettings: string[];
  /** Collations of the indexes whose rules have changed since, under an update of ICU or libc. */
  outdatedCollations: string[];
  /** Number of connections that this user may have open on this database, from all processes together. */
  mayOpen: number;
  /** Further servers of the URL that accept writes. What is written there is not here. */
  rivals: readonly string[];
}

/**
 * Checks that the database is reachable and that the service supports it.
 * @throws OperatorError that says what is wrong, without the password
 */
export async function checkDatabase(settings: DatabaseSettings): Promise<ServerLimits> {
  const { servers } = settings;
  const limits = await withDirect(settings, async client => {
    await checkServer(client);
    return limitsOf(client);
  });
  const primary = await servers.find();
  const others = servers.urls.filter(url => url !== primary);
  await Promise.all(others.map(url => checkFurther(settings, url)));
  return { ...limits, rivals: servers.rivals };
}

/** Checks one of several servers, which may become the primary. One that cannot be reached need not be there. */
async function checkFurther(settings: DatabaseSettings, url: string): Promise<void> {
  try {
    await checkDirect({ ...settings, servers: new Servers(url) });
  } catch (error) {
    if (error instanceof UnsupportedPooler) throw error;
  }
}

/**
 * Checks that connections lead to a server itself, which may be a standby, and to no pooler.
 * @throws UnsupportedPooler; another error when the server does not answer
 */
export const checkDirect = (settings: DatabaseSettings): Promise<void> =>
  withDirect(settings, () => Promise.resolve());

/** Runs work on a connection that has been checked to be a direct one. @throws as `checkDirect`; errors of the work */
async function withDirect<T>(
  { servers, timeZone }: DatabaseSettings,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const connect = (): Promise<Client> =>
    connectTo(servers, {
      application_name: 'sii-check',
      query_timeout: CHECK_TIMEOUT_MS,
      statement_timeout: CHECK_TIMEOUT_MS,
      options: sessionSettings({ TimeZone: timeZone }),
    });
  const client = await connect();
  try {
    const asked = { statement_timeout: CHECK_TIMEOUT_MS, TimeZone: timeZone };
    await checkPooler(servers.names, client, connect, asked);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Opens a connection to the primary outside the pools. @throws OperatorError when that fails */
export async function connectTo(servers: Servers, options: ClientConfig): Promise<Client> {
  try {
    return await inRoom(servers, () => open(servers, options));
  } catch (error) {
    throw unreachable(servers, error as NodeJS.ErrnoException);
  }
}

async function open(servers: Servers, options: ClientConfig): Promise<Client> {
  // The constructor reads the certificate files that the URL names.
  const client = new PrimaryClient({
    ...keepAliveSettings,
    options: sessionSettings(),
    ...options,
    servers: () => servers,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // The next statement reports a lost connection. Without a listener the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Codes of Node.js for a certificate whose authority it does not know. */
const UNKNOWN_AUTHORITY = new Set<unknown>([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);

/** SQLSTATE for a setting with a value that the server does not know. */
const INVALID_VALUE = '22023';

function unreachable(servers: Servers, error: NodeJS.ErrnoException): OperatorError {
  if (isRefusedSetting(error))
    return new UnsupportedPooler(servers.names, 'does not accept connection settings', error);
  return new OperatorError(
    `Cannot connect to the database ${servers.names}: ${reasonOf(error)}\n${adviceFor(error)}`,
    { cause: error },
  );
}

function adviceFor({ code, message }: NodeJS.ErrnoException): string {
  if (UNKNOWN_AUTHORITY.has(code))
    return 'Name the certificate of its authority in DATABASE_URL: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem';
  if (code === INVALID_VALUE && message.includes('TimeZone'))
    return 'Set INSTITUTION_TZ to a name in pg_timezone_names of this server.';
  return 'Check DATABASE_URL, and that the PostgreSQL server runs and accepts this user.';
}

interface ServerFacts {
  version: string;
  encoding: string;
  isStandby: boolean;
  isReadOnly: boolean;
  /** The schema in which tables are created; null if the user may use none of `path`. */
  schema: string | null;
  path: string;
  /** The user's name as SQL writes it. */
  user: string;
}

async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version_num') as version, pg_encoding_to_char(encoding) as encoding,
       pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly",
       current_schema() as schema, current_setting('search_path') as path, quote_ident(current_user) as user
     from pg_database where datname = current_database()`,
  );
  const { version, encoding, isStandby, isReadOnly, schema, path, user } = rows[0]!;
  if (Number(version) < 150_000)
    throw new OperatorError(`PostgreSQL 15 or newer is needed; this server is ${version.slice(0, -4)}.`);
  if (encoding !== 'UTF8')
    throw new OperatorError(
      `The database must be encoded in UTF8; it is ${encoding}. Create it with: createdb --encoding=UTF8 --template=template0`,
    );
  if (schema !== 'public')
    throw new OperatorError(
      `The service needs its tables in the schema public; for this user they are in ${schema ?? 'none'} (search_path: ${path}). Run: grant usage on schema public to ${user}; alter role ${user} set search_path = public;`,
    );
  if (isReadOnly)
    throw new OperatorError(
      isStandby
        ? 'The database is read-only: its server is a standby. Point DATABASE_URL at the primary.'
        : 'The database is read-only: default_transaction_read_only is on. Switch it off, or point DATABASE_URL at the primary.',
    );
}

async function limitsOf(client: Client): Promise<Omit<ServerLimits, 'rivals'>> {
  // Limits of a role or a database do not hold for superusers; -1 means none. PostgreSQL 15 has no reserved_connections.
  const { rows } = await client.query<Omit<ServerLimits, 'rivals'>>(
    `select array(select name from pg_settings where setting = 'off'
         and name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name) as "lossySettings",
       array(select 'database ' || quote_ident(datname) where datcollversion <> pg_database_collation_actual_version(pg_database.oid)
         union all
         select 'collation ' || collname from pg_collation
         where oid = to_regcollation('pt_br') and collversion <> pg_collation_actual_version(oid)) as "outdatedCollations",
       case when rolsuper then current_setting('max_connections')::int else least(
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true)::int, 0),
         nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) end as "mayOpen"
     from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
  );
  return rows[0]!;
}
