import type { GraphQLSchema } from 'graphql';
import { controllersOf } from '../graphql/schema.ts';
import { type Services } from '../request/services.ts';
import { databaseSettings } from '../services.ts';
import { analyse } from '../database/analyse.ts';
import { migrate } from '../database/migrate.ts';
import { seedDemo } from '../demo/demo.ts';

/** Migrates a database to this version, and adds the demo data for the demo. @throws OperatorError */
export async function prepareDatabase(
  services: Services,
  schema: GraphQLSchema,
  { url, demo }: { url: string; demo: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { orm, config } = services;
  await migrate(services, databaseSettings(config, url), async () => controllersOf(schema), { signal });
  if (demo && (await seedDemo(services))) await analyse(statement => orm.em.fork().execute(statement));
}
