import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import { OperatorError } from '../../errors.ts';

/**
 * `GET /metrics` on a separate port, because it needs no authentication. Returns a function that closes it.
 * @throws OperatorError when the port is taken
 */
export async function serveMetrics(
  text: () => Promise<string>,
  { METRICS_HOST, METRICS_PORT }: Config,
  log: Logger,
): Promise<() => Promise<void>> {
  const server = createServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    text().then(
      metrics => res.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(metrics),
      (error: unknown) => {
        log.error({ err: error }, 'metrics failed');
        res.writeHead(500).end();
      },
    );
  });
  server.listen(METRICS_PORT, METRICS_HOST);
  await once(server, 'listening').catch((error: Error) => {
    throw new OperatorError(
      `Cannot listen for metrics on ${METRICS_HOST} port ${METRICS_PORT}: ${error.message}. Check METRICS_HOST and METRICS_PORT.`,
      { cause: error },
    );
  });
  log.info({ port: (server.address() as AddressInfo).port }, 'metrics port open');
  return async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
}
