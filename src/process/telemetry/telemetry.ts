import { type Services } from '../../request/services.ts';

/**
 * Sends traces and metrics to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`. Without one nothing of OpenTelemetry is
 * loaded. Returns a function that sends what is left, and stops.
 */
export async function openTelemetry({ config, log, metrics }: Services): Promise<() => Promise<void>> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return async () => undefined;
  const { startSending } = await import('./otlp.ts');
  return startSending(endpoint, metrics.registry, log);
}
