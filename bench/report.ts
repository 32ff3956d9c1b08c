import type { BatchResult } from './batch.ts';
import type { Result, Sample } from './measure.ts';
import type { Memory } from './memory.ts';

export interface Report {
  results: Map<string, Result>;
  batches: BatchResult[];
  /** Cells of stock that differed from the sum of their movements, by the run after which they did. */
  discrepancies: Map<string, number>;
  memory: Memory | undefined;
}

/** Whether the ledger balanced after every run. */
export const isBalanced = ({ discrepancies }: Report): boolean =>
  [...discrepancies.values()].every(cells => cells === 0);

/**
 * `{ "rest.list": { "cpu": 1.12, "throughput": 0.93 }, …, "movement.batch@10": { "ms": 0.41, "cpu": 0.44 }, …,
 * "ledger": { "balanced": true }, "memory": { "flat": true, "mb": 180 } }`
 */
export function asJson(report: Report): string {
  const { results, batches, memory } = report;
  const ratios = [...results].map(([name, { ratio }]) => [
    name,
    { cpu: rounded(ratio.cpu), throughput: rounded(ratio.throughput) },
  ]);
  const sizes = batches.map(({ items, ms, cpu }) => [
    `movement.batch@${items}`,
    { ms: rounded(ms), cpu: rounded(cpu) },
  ]);
  return JSON.stringify({
    ...Object.fromEntries([...ratios, ...sizes]),
    ledger: { balanced: isBalanced(report) },
    ...(memory && { memory: { flat: memory.flat, mb: memory.mb } }),
  });
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

const COLUMNS = [
  'scenario',
  'service ms',
  'baseline ms',
  'CPU ratio',
  'service/s',
  'baseline/s',
  'throughput ratio',
];

/** CPU time a request in ms, requests a second, and the ratios service / baseline; what else was run in a line each. */
export function asTable({ results, batches, discrepancies, memory }: Report): string {
  const rows = [...results].map(([name, { service, baseline, ratio }]) => {
    const cells = (of: keyof Sample, digits: number): string[] => [
      service[of].toFixed(digits),
      baseline[of].toFixed(digits),
      ratio[of].toFixed(2),
    ];
    return [name, ...cells('cpu', 3), ...cells('throughput', 0)];
  });
  const table = [COLUMNS, ...rows].map(cells =>
    cells.map((cell, i) => cell.padEnd(COLUMNS[i]!.length + 8)).join(''),
  );
  const lines = [...(rows.length > 0 ? table : []), ...batches.map(batchLine)];
  lines.push('', ...[...discrepancies].map(ledgerLine));
  if (memory) lines.push('', memoryLine(memory));
  return lines.join('\n');
}

const batchLine = ({ items, ms, cpu }: BatchResult): string =>
  `movement.batch@${items}: ${ms.toFixed(3)} ms an item, ${cpu.toFixed(3)} ms of CPU`;

const ledgerLine = ([name, cells]: [string, number]): string =>
  `ledger after ${name}: ${cells === 0 ? 'balanced' : `NOT balanced, ${cells} cells differ`}`;

const memoryLine = ({ flat, mb, readings }: Memory): string =>
  `memory: ${readings.join(' ')} MB each 10 s, ${flat ? 'flat' : 'NOT flat'} at ${mb} MB`;
