import { Client } from 'pg';
import { reasonOf } from './errors.ts';

/** SQLSTATE of a server that refuses a connection, because it, the database or the user has too many. */
export const TOO_MANY = '53300';
/** Longest attempt at one of several servers, in milliseconds. */
export const SERVER_MS = 1_500;

/** Parameters that a server reports when a connection opens, and whenever they change. */
const SIGNS: ReadonlySet<unknown> = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** The message events of a connection, which the driver does not declare. */
export interface Listening {
  connection: {
    on(
      event: 'parameterStatus',
      heard: (said: { parameterName: string; parameterValue: string }) => void,
    ): void;
    on(event: 'errorMessage', heard: (error: { code?: unknown }) => void): void;
  };
}

/** Returns a function that says whether the server of this connection is read-only. */
export function watchReadOnly(client: Client): () => boolean {
  const on = new Set<string>();
  (client as unknown as Listening).connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (!SIGNS.has(parameterName)) return;
    if (parameterValue === 'on') on.add(parameterName);
    else on.delete(parameterName);
  });
  return () => on.size > 0;
}

/** What a server answers: its timeline if it accepts writes, or why it does not. */
export interface Answer {
  url: string;
  timeline?: string;
  refusal?: string;
  /** The server works, but accepts no further connection now. */
  isFull?: boolean;
}

export type Writable = Answer & { timeline: string };

export const isWritable = (answer: Answer): answer is Writable => answer.timeline !== undefined;

export const hostOf = ({ url }: Answer): string => new URL(url).host;

/** Two standbys that were promoted have the same timeline. By their hosts all processes choose the same one. */
const rankOf = (answer: Writable): string => answer.timeline + hostOf(answer);

/** Those that accept writes, the newest history first. */
export const byHistory = (answers: readonly Answer[]): Writable[] =>
  answers.filter(isWritable).toSorted((a, b) => (rankOf(a) < rankOf(b) ? 1 : -1));

/** SQL of the timeline of a server that accepts writes, 8 hexadecimal digits. A promotion begins a higher one. */
export const TIMELINE = 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)';

/** Asks a server, with a connection of its own. */
export async function ask(url: string): Promise<Answer> {
  const limits = { connectionTimeoutMillis: SERVER_MS, query_timeout: SERVER_MS };
  const client = new Client({ connectionString: url, ...limits });
  const isReadOnly = watchReadOnly(client);
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (isReadOnly()) return { url, refusal: 'is read-only' };
    const { rows } = await client.query<{ timeline: string }>(`select ${TIMELINE} as timeline`);
    return { url, timeline: rows[0]!.timeline };
  } catch (error) {
    const isFull = (error as { code?: unknown }).code === TOO_MANY;
    return { url, refusal: reasonOf(error), isFull };
  } finally {
    client.end().catch(() => undefined);
  }
}
