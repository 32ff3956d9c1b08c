import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { analyse } from '../../src/database/analyse.ts';
import { migrate } from '../../src/database/migrate.ts';
import { seedDemo } from '../../src/demo/demo.ts';
import { controllersOf, createSchema } from '../../src/graphql/schema.ts';
import { closeServices, databaseSettings, openServices } from '../../src/services.ts';

/** Fills an empty database with the demo, as the first start does. Contents of files go into the data folder. */
export async function fillWithDemo(url: string, dataDir: string): Promise<void> {
  const config = readConfig({ DATA_DIR: dataDir });
  const services = await openServices(config, url, pino({ level: 'silent' }));
  const controllers = async () => controllersOf(await createSchema());
  await migrate(services, databaseSettings(config, url), controllers);
  await seedDemo(services);
  await analyse(statement => services.orm.em.fork().execute(statement));
  await closeServices(services);
}
