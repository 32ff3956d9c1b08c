import type { Result, Sample } from './measure.ts';
import type { Memory } from './memory.ts';

export interface Report {
  results: Map<string, Result>;
  memory: Memory | undefined;
}

/** `{ "rest.list": { "cpu": 1.12, "throughput": 0.93 }, …, "memory": { "flat": true, "mb": 180 } }` */
export function asJson({ results, memory }: Report): string {
  const ratios = [...results].map(([name, { ratio }]) => [
    name,
    { cpu: rounded(ratio.cpu), throughput: rounded(ratio.throughput) },
  ]);
  return JSON.stringify({
    ...Object.fromEntries(ratios),
    ...(memory && { memory: { flat: memory.flat, mb: memory.mb } }),
  });
}

const rounded = (ratio: number): number => Math.round(ratio * 100) / 100;

const COLUMNS = [
  'scenario',
  'service ms',
  'baseline ms',
  'CPU ratio',
  'service/s',
  'baseline/s',
  'throughput ratio',
];

/** CPU time a request in ms, requests a second, and the ratios service / baseline. */
export function asTable({ results, memory }: Report): string {
  const rows = [...results].map(([name, { service, baseline, ratio }]) => {
    const cells = (of: keyof Sample, digits: number): string[] => [
      service[of].toFixed(digits),
      baseline[of].toFixed(digits),
      ratio[of].toFixed(2),
    ];
    return [name, ...cells('cpu', 3), ...cells('throughput', 0)];
  });
  const lines = [COLUMNS, ...rows].map(cells =>
    cells.map((cell, i) => cell.padEnd(COLUMNS[i]!.length + 8)).join(''),
  );
  if (memory) lines.push('', memoryLine(memory));
  return lines.join('\n');
}

const memoryLine = ({ flat, mb, readings }: Memory): string =>
  `memory: ${readings.join(' ')} MB each 10 s, ${flat ? 'flat' : 'NOT flat'} at ${mb} MB`;
