import { type Services } from '../../request/services.ts';

/**
 * Exports traces and metrics to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`. If it is not set, no OpenTelemetry
 * module is loaded. Returns a function that exports what is left, and stops.
 */
export async function openTelemetry({ config, log, metrics }: Services): Promise<() => Promise<void>> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return async () => undefined;
  const { startExport } = await import('./otlp.ts');
  return startExport(endpoint, metrics.registry, log);
}
