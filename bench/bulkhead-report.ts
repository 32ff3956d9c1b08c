import type { Outcome } from './bulkhead-clients.ts';
import { CLASSES, type Class } from './bulkhead-requests.ts';
import { median } from './measure.ts';

/** The outcomes of one round, by class: of the calm load alone, and of both loads during the overload. */
export interface Sample {
  calm: Record<string, Outcome>;
  over: Record<string, Outcome>;
  overloaded: Outcome;
}

const isDone = ([status]: [string, number]): boolean => status.startsWith('2');
const sum = (counts: readonly [string, number][]): number =>
  counts.reduce((all, [, count]) => all + count, 0);

const SHARES = { p50: 0.5, p99: 0.99 };

/**
 * How much longer another class takes under the overload, as the median of the rounds. Each round measures both states in
 * turn, because the speed of a machine changes.
 */
function ratio(samples: readonly Sample[], other: Class, of: 'times' | 'loopTimes', share: number): string {
  const both = samples.map(({ calm, over }) => [calm, over].map(one => quantile(one[other]![of], share)));
  const [calm, over] = [0, 1].map(which => median(both.map(times => times[which]!)));
  const times = median(both.map(([before, during]) => during! / before!));
  return `${calm!.toFixed(1)} → ${over!.toFixed(1)}: ${times.toFixed(2)}`;
}

/** Rows of the table for one overloaded class. */
export function rowsOf(name: Class, clients: number, samples: readonly Sample[]): string[] {
  const others = CLASSES.filter(other => other !== name).map(other => {
    const counts = samples.flatMap(({ over }) => Object.entries(over[other]!.statuses));
    const done = ((100 * sum(counts.filter(isDone))) / sum(counts)).toFixed(1);
    const [p50, p99] = Object.values(SHARES).map(share => ratio(samples, other, 'times', share));
    const loop = ratio(samples, other, 'loopTimes', SHARES.p50);
    return `| ${name} × ${clients} | ${other} | ${p50} | ${p99} | ${loop} | ${done} % |`;
  });
  const statuses: Record<string, number> = {};
  for (const { overloaded } of samples)
    for (const [status, count] of Object.entries(overloaded.statuses))
      statuses[status] = (statuses[status] ?? 0) + count;
  const withoutRetryAfter = sum(samples.map(({ overloaded }) => ['', overloaded.withoutRetryAfter]));
  const times = samples.flatMap(({ overloaded }) => overloaded.times);
  const waits = `half of them within ${quantile(times, 0.5).toFixed(0)} ms, 99 % within ${quantile(times, 0.99).toFixed(0)} ms`;
  return [
    ...others,
    `| ${name} × ${clients} | itself | ${JSON.stringify(statuses)}, ${withoutRetryAfter} without Retry-After; ${waits} | | | |`,
  ];
}

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * times.length) - 1)] ?? NaN;
