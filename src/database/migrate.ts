import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { ignored, inBackground } from '../runtime/background.ts';
import { OperatorError } from '../errors.ts';
import { analyseUnknown } from './analyse.ts';
import { passRightsOn } from './application-role.ts';
import { connectTo } from './check.ts';
import { isLocked } from './errors.ts';
import { holderOf, takeSessionLock } from './locks.ts';
import { MIGRATION, openOrm, type DatabaseSettings } from './orm.ts';
import { withOwnTables } from './own-tables.ts';
import { writeService } from './reference/service.ts';
import { sessionSettings } from './session-settings.ts';
import { ATTEMPT_MS, withTableLocks, type Patience } from './table-locks.ts';

/** Longest wait for tables in use. It is longer than an export, which may read a table for 10 minutes. */
const PATIENCE_MS = 900_000;
/** Wait for the turn after which the log says who has it, and the interval at which it says so again. */
const SILENT_MS = 5_000;
const REPEAT_MS = 60_000;

/**
 * What this connection writes is done again by a later start if it is lost, and the next write of anybody that is confirmed
 * confirms it, too. So its commits do not wait for a synchronous standby, which may be away.
 */
const NOT_AWAITING = { synchronous_commit: 'local' };

interface Wait {
  /** Ends the wait for the turn and for tables. A migration that has started is completed. */
  signal?: AbortSignal;
  patienceMs?: number;
}

/**
 * Returns the controllers that operations declare, or some of them. `migrated`: whether there were pending migrations.
 */
type Controllers = (migrated: boolean) => Promise<readonly string[]>;

/**
 * Runs pending migrations, repairs what a restore leaves out, and adds the service and its controllers to its own
 * permission tables. Processes that start at the same time take turns, so that each migration runs once.
 * @throws OperatorError when the database user or server lacks what the schema needs, or tables are in use for too long
 */
export async function migrate(
  { orm, log }: { orm: MikroORM; log: Logger },
  settings: DatabaseSettings,
  controllers: Controllers,
  { signal, patienceMs = PATIENCE_MS }: Wait = {},
): Promise<void> {
  const client = await connectTo(settings.servers, {
    application_name: 'sii-migrate',
    options: sessionSettings(NOT_AWAITING),
  });
  try {
    await takeTurn(client, log, signal);
    await refuseOccupied(client);
    const patience = { waiter: MIGRATION, observer: client, log, totalMs: patienceMs, signal };
    const refuse = (error: Error): Promise<never> => refused(client, error);
    const migrated = await runPending(orm, settings, patience).catch(refuse);
    // Outside a transaction, because it commits after each batch. It continues where an earlier start was interrupted.
    await client.query('call dobrar_pendentes()').catch(refuse);
    await client.query('select auditoria_preparar_meses()').catch(unlessInUse);
    await writeService(orm, await controllers(migrated));
    await client.query(`set lock_timeout = ${ATTEMPT_MS}`);
    await client.query('select auditoria_restaurada()');
    await recogniseCopy(client, log);
    await analyseUnknown(async statement => (await client.query<{ name: string }>(statement)).rows);
  } finally {
    await client.end();
  }
}

/** Positions of changes begin anew after a restore. In a copy the webhooks are paused, too. */
async function recogniseCopy(client: Client, log: Logger): Promise<void> {
  const { rows } = await client.query<{ webhooks: number }>('select mudancas_restauradas() as webhooks');
  const [{ webhooks }] = rows as [{ webhooks: number }];
  if (webhooks > 0)
    log.warn(
      { webhooks },
      'the database is a copy, or was moved: its webhooks are paused, so that receivers do not get from it what they get from the original',
    );
}

/**
 * If the audit trail is in use, its months are not prepared now. The service does that, too: every hour, for three
 * months ahead.
 */
function unlessInUse(error: unknown): void {
  if (!isLocked(error)) throw error;
}

/**
 * Each migration has a transaction of its own, so that it locks no table while the next one waits. In a new database nobody
 * waits, and one transaction for all takes half of the time. The triggers of new tables belong to the last transaction. If a
 * process ends before, its migrations are still pending. With each transaction, the role of a version that is running gets its
 * rights on what is new, because triggers that it fires use that already.
 * @returns whether there were any
 */
async function runPending(orm: MikroORM, settings: DatabaseSettings, patience: Patience): Promise<boolean> {
  const pending = (await orm.migrator.getPending()).map(({ name }) => name);
  if (pending.length === 0) return false;
  const isNew = (await orm.migrator.getExecuted()).length === 0;
  const steps = isNew ? [pending] : pending.map(name => [name]);
  // It uses its own connections, because rewriting a large table may take longer than the time limit of requests.
  const own = await openOrm({ ...settings, pool: 2, statementTimeoutMs: 0 });
  try {
    for (const migrations of steps)
      await withTableLocks(patience, () =>
        own.em.fork().transactional(async inside => {
          await withOwnTables(own, inside, () =>
            own.migrator.up({ migrations, transaction: inside.getTransactionContext()! }),
          );
          if (migrations === steps.at(-1))
            await inside.execute('select auditar_tabelas(), versionar_tabelas(), dobrar_tabelas()');
          await passRightsOn(own, inside);
        }),
      );
  } finally {
    await own.close();
  }
  return true;
}

/** The tables of a database that this service has never used, without those of extensions. */
const OCCUPANTS = `select c.relname as name from pg_class c
where to_regclass('mikro_orm_migrations') is null and c.relnamespace = current_schema()::regnamespace
  and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by c.relname`;

/** The URL may name the database of another program by mistake. */
async function refuseOccupied(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(OCCUPANTS);
  if (rows.length === 0) return;
  const some = rows.slice(0, 3).map(({ name }) => name);
  throw new OperatorError(
    `The database has tables that are not of this service (${rows.length}, such as ${some.join(', ')}), so nothing was created in it. Use an empty database: createdb --encoding=UTF8 --template=template0 sii`,
  );
}

async function takeTurn(client: Client, log: Logger, signal: AbortSignal | undefined): Promise<void> {
  const giveUp = (): void => inBackground(client.end(), ignored);
  signal?.addEventListener('abort', giveUp);
  try {
    for (let wait = SILENT_MS; !(await hasTurn(client, wait)); wait = REPEAT_MS)
      log.warn({ holder: await holderOf(client, 'migrations') }, 'waiting for the turn to migrate');
    await client.query('set lock_timeout = 0');
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

async function hasTurn(client: Client, waitMs: number): Promise<boolean> {
  await client.query(`set lock_timeout = ${waitMs}`);
  try {
    await takeSessionLock(client, 'migrations');
    return true;
  } catch (error) {
    if (!isLocked(error)) throw error;
    return false;
  }
}

const NO_RIGHTS = '42501';
/** SQLSTATEs for missing rights, and for missing extensions or ICU (0A000, 58P01). */
const LACKING = new Set<unknown>([NO_RIGHTS, '0A000', '58P01']);

/** The database user, and the owner of the tables; null if there are none yet. */
const ROLES = `select current_user as "user", pg_get_userbyid(c.relowner) as owner
from (select to_regclass('mikro_orm_migrations') as oid) t left join pg_class c on c.oid = t.oid`;

async function refused(client: Client, error: Error & { code?: unknown }): Promise<never> {
  if (!LACKING.has(error.code)) throw error;
  const { rows } = await client.query<{ user: string; owner: string | null }>(ROLES);
  const [{ user, owner }] = rows as [(typeof rows)[number]];
  if (owner !== null && owner !== user)
    throw new OperatorError(
      `The role ${user} lacks rights on the tables, which ${owner} owns: ${error.message}\nWith the DATABASE_URL of ${owner}, run: npm run migrate -- ${user}`,
      { cause: error },
    );
  if (owner === user && error.code === NO_RIGHTS)
    throw new OperatorError(
      `The role ${user} migrates, but does not own everything that a migration changes: ${error.message}\nAs a superuser, give it to ${user}, for example with: alter table … owner to ${user}. Then start again.`,
      { cause: error },
    );
  throw new OperatorError(
    `The tables cannot be created: ${error.message}\nThe database user must own the database, or its owner must run npm run migrate -- ${user} first. The server also needs ICU and the extensions unaccent and pg_trgm (package postgresql-contrib).`,
    { cause: error },
  );
}
