import cluster from 'node:cluster';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { options } from './commands/options.ts';
import { print } from './commands/output.ts';
import { readConfig, type Config } from './config.ts';
import { isEverywhere } from './settings/checks.ts';
import { DEMO_API_KEY, demoPassword } from './demo/login.ts';
import { readEnvironment } from './process/environment.ts';
import { openLog } from './runtime/log.ts';
import { explain } from './process/explain.ts';
import { requireNode } from './process/node-version.ts';
import { terminate } from './process/termination.ts';
import { startWatchdog } from './process/watchdog/watchdog.ts';

/** The single line on standard output when the service is ready. */
function readyLine(port: number, { HOST, DATABASE_URL, SANDBOX, DOCS }: Config): string {
  const host = isEverywhere(HOST) ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  const base = `http://${host}:${port}`;
  const demo = `demo login admin / ${demoPassword('admin')} (App_name SII, Api_key ${DEMO_API_KEY})`;
  return [
    `Ready on ${base}`,
    `GraphQL ${base}/graphql`,
    ...(DOCS ? [`REST docs ${base}/docs`] : []),
    ...(SANDBOX ? [`GraphiQL ${base}/graphiql`] : []),
    ...(DATABASE_URL ? [] : [demo]),
  ].join(' · ');
}

const USAGE = `Usage: npm start -- [--pretty]
The only option is --pretty, for a readable log. Everything else is set by environment variables, which .env.example explains.`;

/**
 * Loads most of the program. It comes after the settings, so that mistakes in them are reported at once. V8's compile
 * cache is stored beside the built program for the next start, if the folder is writable.
 */
async function serviceFor({ WORKERS }: Config) {
  module.enableCompileCache(fileURLToPath(new URL('../.compile-cache', import.meta.url)));
  return cluster.isPrimary && WORKERS > 1
    ? (await import('./process/workers/supervisor.ts')).Supervisor
    : (await import('./process/service-process.ts')).ServiceProcess;
}

async function main(): Promise<void> {
  requireNode();
  // Workers inherit the command line.
  const given = options({ pretty: { type: 'boolean', default: false } }, USAGE);
  const { variables, inFile } = readEnvironment();
  const config = readConfig(variables, inFile);
  const log = openLog({ ...config, ...given });
  const Service = await serviceFor(config);
  const service = new Service(config, log);
  terminate(service, config.SHUTDOWN_SECONDS, log);
  const port = await service.start();
  startWatchdog(config, { ...given, embedded: service.embedded }, log);
  // A worker reports readiness to its supervisor by listening.
  if (!cluster.isPrimary) return;
  // A script that has read the ready line also finds what was logged before it, such as the port of the metrics.
  await new Promise(resolve => log.flush(resolve));
  await print([readyLine(port, config)]).catch((err: Error) =>
    log.warn({ err }, 'nobody reads the ready line'),
  );
  for (const { details, message } of service.warnings) log.warn(details, message);
}

main().catch((error: Error) => {
  // `stop` was called during the start. Its caller ends the process.
  if (error.name === 'AbortError') return;
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
