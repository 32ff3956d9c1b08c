import type { BatchResult } from './batch.ts';
import type { Result, Sample } from './measure.ts';
import type { Memory } from './memory.ts';

export interface Report {
  results: Map<string, Result>;
  batches: BatchResult[];
  /** Cells of stock that differed from the sum of their movements, by the run after which they did. */
  discrepancies: Map<string, number>;
  /** Median time from start to ready, in ms. */
  start?: number;
  /** Of a service that has just started. */
  memory?: Memory;
  /** Resident memory of the service that answered all scenarios, in MB. */
  worn?: number;
}

/** Whether the ledger balanced after every run. */
export const isBalanced = ({ discrepancies }: Report): boolean =>
  [...discrepancies.values()].every(cells => cells === 0);

/**
 * `{ "rest.list": { "cpu": 1.12, "throughput": 0.93 }, …, "movement.batch@10": { "ms": 0.41, "cpu": 0.44 }, …,
 * "ledger": { "balanced": true }, "start": 1010,
 * "memory": { "rest": 160, "flat": true, "mb": 320, "worn": 480 } }`
 */
export function asJson(report: Report): string {
  const { results, batches, start, memory, worn } = report;
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
    ...(memory && { start, memory: { rest: memory.rest, flat: memory.flat, mb: memory.mb, worn } }),
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

function cellsOf(name: string, { service, baseline, ratio }: Result): string[] {
  const cells = (of: keyof Sample, digits: number): string[] => [
    service[of].toFixed(digits),
    baseline[of].toFixed(digits),
    ratio[of].toFixed(2),
  ];
  return [name, ...cells('cpu', 3), ...cells('throughput', 0)];
}

/** A table in Markdown, with columns as wide as they must be. */
function table(columns: readonly string[], rows: readonly string[][]): string[] {
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map(row => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(columns), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)];
}

/** CPU time per request in ms, requests per second, and the ratios service / baseline; other results in a line each. */
export function asTable({ results, batches, discrepancies, start, memory, worn }: Report): string {
  const rows = [...results].map(([name, result]) => cellsOf(name, result));
  const sizes = batches.map(({ items, ms, cpu }) => [String(items), ms.toFixed(3), cpu.toFixed(3)]);
  const broken = [...discrepancies].filter(([, cells]) => cells > 0);
  return [
    ...(rows.length > 0 ? [...table(COLUMNS, rows), ''] : []),
    ...(sizes.length > 0 ? [...table(['movements in a request', 'ms each', 'CPU ms each'], sizes), ''] : []),
    broken.length === 0
      ? `The ledger balanced after all ${discrepancies.size} runs.`
      : `THE LEDGER DID NOT BALANCE: ${broken.map(([name, cells]) => `${cells} cells differ after ${name}`).join(', ')}.`,
    ...(memory
      ? [
          '',
          `Ready ${start} ms after the start (median). ${memoryLine(memory)} After all scenarios: ${worn}.`,
        ]
      : []),
  ].join('\n');
}

const memoryLine = ({ ready, rest, flat, mb, readings }: Memory): string =>
  `Memory in MB then: ${ready}; after two minutes at rest: ${rest}; under load, each 10 s: ${readings.join(' ')}; ${flat ? 'flat' : 'NOT flat'} at ${mb}.`;
