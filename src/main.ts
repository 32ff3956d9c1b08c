import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino, type Logger } from 'pino';
import { createApp } from './app.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { startEmbedded, type EmbeddedDatabase } from './database/embedded.ts';
import { migrate } from './database/migrate.ts';
import { seedDemo } from './database/seeds/demo.ts';
import { controllersOf, createSchema } from './graphql/schema.ts';
import { closeServices, databaseSettings, openServices, type Services } from './services.ts';

/** A service that is up, and all that has to be closed when it ends. */
interface Running {
  server: Server;
  services: Services;
  embedded: EmbeddedDatabase | undefined;
}

async function start(config: Config, log: Logger): Promise<Running> {
  const schema = createSchema();
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbedded({ dataDir: config.DATA_DIR, log: message => log.info(message) });
  const url = config.DATABASE_URL ?? embedded!.url;
  const services = await openServices(config, url, log);
  await migrate(services.orm, databaseSettings(config, url), controllersOf(await schema));
  if (embedded) await seedDemo(services.orm);
  const server = createServer(await createApp(services, await schema));
  server.listen(config.PORT, config.HOST);
  await once(server, 'listening');
  return { server, services, embedded };
}

/** Not ready → accept nothing new → finish what runs → close. */
async function stop({ server, services, embedded }: Running, seconds: number): Promise<void> {
  services.lifecycle.stopping = true;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  await closed;
  clearTimeout(deadline);
  await closeServices(services);
  await embedded?.stop();
}

function announce({ server, embedded }: Running, { HOST }: Config): void {
  const { port } = server.address() as AddressInfo;
  const base = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;
  const demo = embedded ? ' · demo login admin / demo-admin-2026 (App_name SII, Api_key sii-demo-key)' : '';
  process.stdout.write(
    `Ready on ${base} · GraphQL ${base}/graphql · REST docs ${base}/docs · GraphiQL ${base}/graphiql${demo}\n`,
  );
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ level: config.LOG_LEVEL });
  const running = await start(config, log);
  announce(running, config);
  const end = async (): Promise<void> => {
    await stop(running, config.SHUTDOWN_SECONDS);
    process.exit(0);
  };
  process.once('SIGTERM', () => void end());
  process.once('SIGINT', () => void end());
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : ((error as Error).stack ?? String(error))}\n`,
  );
  process.exit(1);
});
