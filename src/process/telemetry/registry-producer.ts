import { ValueType, type Attributes, type HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client';

type Metric = MetricObjectWithValues<MetricValue<string>>;

/** Exports the Prometheus metrics to OpenTelemetry under the same names, so that each metric is declared once. */
export function registryProducer(registry: Registry, resource: Resource): MetricProducer {
  const startTime = now();
  return {
    async collect() {
      const found = await registry.getMetricsAsJSON();
      const endTime = now();
      const metrics = found.flatMap(metric => toMetricData(metric, { startTime, endTime }));
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'sii' }, metrics }] },
        errors: [],
      };
    },
  };
}

interface Times {
  startTime: HrTime;
  endTime: HrTime;
}

/** Summaries are not converted: the service has none. */
function toMetricData(metric: Metric, times: Times): MetricData[] {
  const { name, help, values } = metric;
  const common = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const dataPoints = (): DataPoint<number>[] =>
    values.map(({ labels, value }) => ({ ...times, attributes: { ...labels } as Attributes, value }));
  // TypeScript declares a numeric enum here, but the value is a text.
  switch (String(metric.type)) {
    case 'counter':
      return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: dataPoints() }];
    case 'gauge':
      return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints: dataPoints() }];
    case 'histogram':
      return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(values, times) }];
    default:
      return [];
  }
}

/** One data point for each set of labels. Buckets are cumulative in Prometheus, and are not in OpenTelemetry. */
function histograms(values: readonly MetricValue<string>[], times: Times): DataPoint<Histogram>[] {
  const all = new Map<
    string,
    { attributes: Attributes; upTo: [number, number][]; sum: number; count: number }
  >();
  for (const { labels, value, metricName = '' } of values as MetricValueWithName<string>[]) {
    const { le, ...attributes } = labels as Record<string, string | number>;
    const key = JSON.stringify(attributes);
    const one = all.get(key) ?? { attributes, upTo: [], sum: 0, count: 0 };
    all.set(key, one);
    if (metricName.endsWith('_sum')) one.sum = value;
    else if (metricName.endsWith('_count')) one.count = value;
    else if (le !== undefined && le !== '+Inf') one.upTo.push([Number(le), value]);
  }
  return [...all.values()].map(({ attributes, upTo, sum, count }) => {
    const cumulative = [...upTo.map(([, value]) => value), count];
    const counts = cumulative.map((value, i) => value - (cumulative[i - 1] ?? 0));
    const value = { buckets: { boundaries: upTo.map(([le]) => le), counts }, sum, count };
    return { ...times, attributes, value };
  });
}

/** Seconds and nanoseconds since 1970. */
function now(): HrTime {
  const ms = Math.floor(performance.timeOrigin + performance.now());
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
}
