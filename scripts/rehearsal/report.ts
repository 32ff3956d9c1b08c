import type { Verdict } from './verdict.ts';

/** An event, with the longest time in it without something, in seconds. */
export interface Happened {
  event: string;
  /** Who led before and after. */
  leader: string;
  /** How many succeeded. */
  writes: number;
  reads: number;
  /** As clients saw it. */
  withoutWrites: number;
  withoutReads: number;
  /** As a client of PostgreSQL saw it that knows all servers. */
  noPrimaryWrites: number;
  noPrimaryReads: number;
}

export interface Report extends Verdict {
  at: string;
  timing: Readonly<Record<string, number>>;
  /** Whether the service knew all databases, and read on standbys. */
  direct: boolean;
  happened: Happened[];
  failovers: number;
  acknowledged: number;
  unknown: number;
  logins: number;
  statuses: Readonly<Record<string, number>>;
  strange: string[];
}

/** What a machine reads of it. */
export function summaryOf({ lost, doubled, stale, differences, failovers, happened }: Report) {
  const most = (of: (one: Happened) => number): number =>
    Math.round(10 * Math.max(0, ...happened.map(of))) / 10;
  return {
    lost: lost.length,
    doubled: doubled.length,
    stale: stale.length,
    ledgerDiffers: differences.length > 0,
    failovers,
    maxSecondsWithoutReads: most(one => one.withoutReads),
    maxSecondsWithoutWrites: most(one => one.withoutWrites),
  };
}

export function asTable(report: Report): string {
  const { happened, timing, acknowledged, unknown, logins, statuses } = report;
  const rows = happened.map(one => [
    one.event,
    one.leader,
    ...[one.withoutWrites, one.noPrimaryWrites, one.withoutReads, one.noPrimaryReads].map(seconds =>
      seconds.toFixed(1),
    ),
  ]);
  const head = ['Event', 'Leader', 'Without writes', 'of it no primary', 'Without reads', 'of it no primary'];
  const lines = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`);
  const times = Object.entries(timing).map(([name, value]) => `${name} ${value}`);
  const { lost, doubled, stale, ledgerDiffers, failovers } = summaryOf(report);
  return [
    ...lines,
    '',
    `${acknowledged} movements acknowledged, ${unknown} without an answer, ${logins} logins; ${failovers} failovers; Patroni: ${times.join(', ')}`,
    `Answers: ${Object.entries(statuses)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ')}`,
    `Lost ${lost}, doubled ${doubled}, stale ${stale}, ledger and audit trail ${ledgerDiffers ? 'DIFFER' : 'as they must be'}`,
  ].join('\n');
}
