import type { Run } from './process.ts';

/** One line of Prometheus's text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The metrics of a running service. */
export async function scrape(run: Run): Promise<{ status: number; text: string; samples: Sample[] }> {
  const response = await fetch(`${metricsUrl(run)}/metrics`);
  const text = await response.text();
  return { status: response.status, text, samples: samplesOf(text) };
}

/** The address of the metrics. It is logged before the service is ready. */
export function metricsUrl(run: Run): string {
  const port = /"port":(\d+),"msg":"metrics port open"/.exec(run.stderr)![1]!;
  return `http://127.0.0.1:${port}`;
}

/** The value of the sample with these labels, and possibly others; undefined when there is none. */
export const valueOf = (samples: Sample[], name: string, labels: Sample['labels'] = {}): number | undefined =>
  samples.find(
    sample =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )?.value;

const samplesOf = (text: string): Sample[] =>
  [...text.matchAll(/^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/gim)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!]),
    ),
    value: Number(value),
  }));
