import { readConfig, type Config } from '../config.ts';
import { checkDatabase } from '../database/check.ts';
import { findEmbedded, hasEmbedded, startEmbedded } from '../embedded-postgres/embedded.ts';
import { migrate } from '../database/migrate.ts';
import { readEnvironment } from '../process/environment.ts';
import { openLog } from '../runtime/log.ts';
import { OperatorError } from '../errors.ts';
import { explain } from '../process/explain.ts';
import { requireNode } from '../process/node-version.ts';
import { type Services } from '../request/services.ts';
import { closeServices, databaseSettings, openServices } from '../services.ts';
import { options } from './options.ts';

/** A command works on whole tables, and no client waits for its answer. */
const STATEMENT_TIMEOUT_MS = 24 * 60 * 60 * 1000;

type Work = (services: Services) => Promise<void>;

interface CommandOptions<Given> {
  /** Whether the command also works on the embedded database when DATABASE_URL is not set. */
  embedded?: boolean;
  /** Whether a database without tables is refused: the command would create them, and find nothing wrong. */
  existing?: boolean;
  /** Reads the arguments before any database is opened. Without it, the command takes none. */
  read?: () => Given | Promise<Given>;
}

/**
 * Runs a command on the database of DATABASE_URL after pending migrations, with the arguments that it has read, and prints
 * the returned lines before it closes anything. On failure it prints the reason to standard error; the exit code is 1.
 */
export async function runCommand<Given>(
  run: (services: Services, given: Given) => Promise<string[]>,
  { embedded = false, existing = false, read = noArguments as () => Given }: CommandOptions<Given> = {},
): Promise<void> {
  try {
    requireNode();
    const given = await read();
    const work: Work = async services => print(await run(services, given));
    const { variables, inFile } = readEnvironment();
    const config = readConfig(variables, inFile);
    const isEmbedded = embedded && !config.DATABASE_URL;
    await (isEmbedded ? onEmbedded(config, work) : onDatabase(config, work, existing));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

/**
 * Writes lines to standard output, and waits until the system has taken them.
 * @throws OperatorError if nobody can read them
 */
export const print = (lines: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const refused = (cause: Error): void =>
      reject(new OperatorError(`Standard output cannot be written: ${cause.message}`, { cause }));
    // The stream also emits the error. Without a listener it would end the process before anything is closed.
    process.stdout.once('error', refused);
    const text = lines.map(line => `${line}\n`).join('');
    process.stdout.write(text, error => {
      if (error) refused(error);
      else resolve();
    });
  });

const noArguments = (): unknown => options({}, 'This command takes no options.');

/** Uses the database of the running service with this data folder, or starts it for the command. */
async function onEmbedded(config: Config, work: Work): Promise<void> {
  const running = await findEmbedded(config.DATA_DIR);
  if (running) return onDatabase({ ...config, DATABASE_URL: running }, work);
  // Work on a new, empty database would find nothing wrong, or take everything that is stored for unused.
  if (!(await hasEmbedded(config.DATA_DIR)))
    throw new OperatorError(
      `There is no embedded database in ${config.DATA_DIR} yet. Set DATABASE_URL to the database to work on, or start the service once to create one.`,
    );
  const own = await startEmbedded({ dataDir: config.DATA_DIR, log: () => undefined });
  try {
    await onDatabase({ ...config, DATABASE_URL: own.url }, work);
  } finally {
    await own.stop();
  }
}

async function onDatabase(given: Config, work: Work, existing = false): Promise<void> {
  const config = { ...given, STATEMENT_TIMEOUT_MS, SLOW_STATEMENT_MS: 0 };
  const url = config.DATABASE_URL;
  if (!url)
    throw new OperatorError(
      'Set DATABASE_URL to the database to work on. The embedded one has its demo data already.',
    );
  await checkDatabase(databaseSettings(config, url));
  const services = await openServices(config, url, openLog(config));
  try {
    if (existing) await requireTables(services);
    await migrate(services, databaseSettings(config, url), controllersAfter);
    await work(services);
  } finally {
    await closeServices(services);
  }
}

async function requireTables({ listing }: Services): Promise<void> {
  const [row] = await listing.reader.rows(`select to_regclass('mikro_orm_migrations') is null as c0`, []);
  if (row![0])
    throw new OperatorError(
      'This database has no tables of the service. Set DATABASE_URL to the database that the service uses.',
    );
}

/**
 * Starting to serve also writes new controllers. A command writes them only after a migration of the tables, because it
 * has to build the whole schema to know them.
 */
async function controllersAfter(migrated: boolean): Promise<string[]> {
  if (!migrated) return [];
  const { controllersOf, createSchema } = await import('../graphql/schema.ts');
  return controllersOf(await createSchema());
}
