import { readConfig, type Config } from '../config.ts';
import { checkDatabase } from '../database/check.ts';
import { migrate } from '../database/migrate.ts';
import { readEnvironment } from '../process/environment.ts';
import { openLog } from '../runtime/log.ts';
import { OperatorError } from '../errors.ts';
import { explain } from '../process/explain.ts';
import { requireNode } from '../process/node-version.ts';
import { type Services } from '../request/services.ts';
import { closeServices, databaseSettings, openServices } from '../services.ts';
import { withEmbedded } from './embedded.ts';
import { Interrupted, takeSignals } from './interruption.ts';
import { options } from './options.ts';
import { complain, print } from './output.ts';

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
 * SIGINT and SIGTERM end it with 130 and 143, after the database that it has started itself.
 */
export async function runCommand<Given>(
  run: (services: Services, given: Given) => Promise<string[]>,
  { embedded = false, existing = false, read = noArguments as () => Given }: CommandOptions<Given> = {},
): Promise<void> {
  try {
    requireNode();
    const given = await read();
    const work: Work = async services => report(await run(services, given));
    const { variables, inFile } = readEnvironment();
    const config = readConfig(variables, inFile);
    const untilSignal = takeSignals();
    if (embedded && !config.DATABASE_URL)
      await withEmbedded(config.DATA_DIR, untilSignal, url =>
        onDatabase({ ...config, DATABASE_URL: url }, work),
      );
    else await untilSignal(onDatabase(config, work, existing));
  } catch (error) {
    complain(explain(error));
    // The work of an interrupted command may still go on.
    if (error instanceof Interrupted) process.exit(error.exitCode);
    process.exitCode = 1;
  }
}

/** Prints what was done. @throws OperatorError with these lines if nobody can read them on standard output */
async function report(lines: string[]): Promise<void> {
  await print(lines).catch((error: Error) => {
    const done = ['The command has done its work. Do not repeat it for this.', ...lines];
    throw new OperatorError([error.message, ...done].join('\n'));
  });
}

const noArguments = (): unknown => options({}, 'This command takes no options.');

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
