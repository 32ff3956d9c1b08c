import cluster from 'node:cluster';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { useTracer } from '../../runtime/spans.ts';
import { registryProducer } from './registry-producer.ts';
import { tracerOf } from './tracer.ts';

const METRICS_EVERY_MS = 15_000;
/** Timeout of one export, and of the last exports at shutdown. */
const TIMEOUT_MS = 5_000;
/** Failures are logged once a minute at most. */
const LOG_EVERY_MS = 60_000;

/** Starts to export traces and metrics. Returns a function that exports what is left, and stops. */
export function startExport(endpoint: string, registry: Registry, log: Logger): () => Promise<void> {
  logFailures(log);
  const to = (path: string) => ({
    url: `${endpoint.replace(/\/$/, '')}/v1/${path}`,
    timeoutMillis: TIMEOUT_MS,
  });
  const { OTEL_SERVICE_NAME: name = 'sii' } = process.env;
  const instance = [hostname(), ...(cluster.worker ? [cluster.worker.id] : []), process.pid].join(':');
  const resource = defaultResource().merge(
    resourceFromAttributes({ 'service.name': name, 'service.instance.id': instance }),
  );
  const traces = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(to('traces')) })],
  });
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(to('metrics')),
    exportIntervalMillis: METRICS_EVERY_MS,
    exportTimeoutMillis: TIMEOUT_MS,
    metricProducers: [registryProducer(registry, resource)],
  });
  const meters = new MeterProvider({ resource, readers: [reader] });
  useTracer(tracerOf(traces.getTracer('sii')));
  return async () => {
    useTracer(undefined);
    const ended = Promise.allSettled([traces.shutdown(), meters.shutdown()]);
    await Promise.race([ended, sleep(TIMEOUT_MS, undefined, { ref: false })]);
    diag.disable();
  };
}

function logFailures(log: Logger): void {
  let lastLogged = -Infinity;
  const warn = (message: string): void => {
    if (performance.now() - lastLogged < LOG_EVERY_MS) return;
    lastLogged = performance.now();
    log.warn({ reason: message.slice(0, 500) }, 'traces and metrics not sent');
  };
  const ignore = (): void => undefined;
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
