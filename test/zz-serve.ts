import { createServer } from 'node:http';
import { pino } from 'pino';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createSchema, controllersOf } from '../src/graphql/schema.ts';
import { openServices, databaseSettings } from '../src/services.ts';
import { migrate } from '../src/database/migrate.ts';
import { seedDemo } from '../src/database/seeds/demo.ts';
async function main() {
const url = 'postgres://postgres@127.0.0.1:55432/faces';
const config = readConfig({});
const services = await openServices(config, url, pino({ level: 'info' }));
const schema = await createSchema();
await migrate(services.orm, databaseSettings(config, url), controllersOf(schema));
await seedDemo(services.orm);
createServer(await createApp(services, schema)).listen(4777, '127.0.0.1', () => console.log('up'));
}
void main();
