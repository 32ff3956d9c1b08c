import cluster from 'node:cluster';
import { type Services } from '../../request/services.ts';
import { answerScrapes } from '../workers/scrape.ts';
import { observe } from './observe.ts';
import { serveMetrics } from './server.ts';

/**
 * Exposes the metrics of a process: a worker sends them to its supervisor, any other process serves them on
 * `METRICS_PORT`. Returns a function that stops it.
 */
export async function exposeMetrics(services: Services): Promise<() => Promise<void>> {
  const { config, log, metrics } = services;
  if (config.METRICS_PORT !== undefined || config.OTEL_EXPORTER_OTLP_ENDPOINT) await observe(services);
  if (config.METRICS_PORT === undefined) return async () => undefined;
  if (cluster.isPrimary) return serveMetrics(() => metrics.registry.metrics(), config, log);
  answerScrapes(metrics.registry, log);
  return async () => undefined;
}
