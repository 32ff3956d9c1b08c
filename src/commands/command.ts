import { pino } from 'pino';
import { readConfig, readEnvironment } from '../config.ts';
import { checkDatabase } from '../database/check.ts';
import { migrate } from '../database/migrate.ts';
import { controllersOf, createSchema } from '../graphql/schema.ts';
import { explain, OperatorError } from '../operator-error.ts';
import { closeServices, databaseSettings, openServices, type Services } from '../services.ts';

/**
 * Runs a command on the database of DATABASE_URL, migrated first, and prints the lines it answers. The exit code is 1
 * when it fails, with the reason on standard error.
 */
export async function runCommand(work: (services: Services) => Promise<string[]>): Promise<void> {
  try {
    const lines = await onDatabase(work);
    process.stdout.write(`${lines.join('\n')}\n`);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

async function onDatabase<T>(work: (services: Services) => Promise<T>): Promise<T> {
  const config = readConfig(readEnvironment());
  const url = config.DATABASE_URL;
  if (!url)
    throw new OperatorError(
      'Set DATABASE_URL to the database to work on. The embedded one has its demo data already.',
    );
  await checkDatabase(url);
  const services = await openServices(config, url, pino({ level: config.LOG_LEVEL }, pino.destination(2)));
  try {
    await migrate(services.orm, databaseSettings(config, url), controllersOf(await createSchema()));
    return await work(services);
  } finally {
    await closeServices(services);
  }
}
