import type { FollowerResults } from './followers.ts';
import type { Comparison } from './committed-changes.ts';
import type { Verdict } from './verdict.ts';

/** What was measured during an event. All times are the longest ones, in seconds. */
export interface EventResult {
  event: string;
  /** The primary before and after. */
  leader: string;
  /** How many requests succeeded. */
  writes: number;
  reads: number;
  /** Without success, as clients of the service saw it. */
  withoutWrites: number;
  withoutReads: number;
  /** Without a primary, as a PostgreSQL client that asks all servers saw it. */
  noPrimaryWrites: number;
  noPrimaryReads: number;
}

export interface Report extends Verdict {
  at: string;
  timing: Readonly<Record<string, number>>;
  /** Whether the service connected to all databases and read from standbys. */
  direct: boolean;
  events: EventResult[];
  failovers: number;
  acknowledged: number;
  unknown: number;
  logins: number;
  statuses: Readonly<Record<string, number>>;
  unexpected: string[];
  /** Standbys that had to be made anew, each with the reason. */
  rebuilt: string[];
  followed: FollowerResults;
}

/** The report for `--json`. */
export function summaryOf({
  lost,
  doubled,
  stale,
  differences,
  failovers,
  events,
  rebuilt,
  followed,
}: Report) {
  const most = (of: (one: EventResult) => number): number =>
    Math.round(10 * Math.max(0, ...events.map(of))) / 10;
  return {
    lost: lost.length,
    doubled: doubled.length,
    stale: stale.length,
    ledgerDiffers: differences.length > 0,
    failovers,
    maxSecondsWithoutReads: most(one => one.withoutReads),
    maxSecondsWithoutWrites: most(one => one.withoutWrites),
    rebuilt: rebuilt.length,
    feed: countsOf(followed.feed),
    webhook: countsOf(followed.webhook),
  };
}

const countsOf = ({ missing, wrong, outOfOrder }: Comparison) => ({
  missing: missing.length,
  wrong: wrong.length,
  outOfOrder: outOfOrder.length,
});

const inWords = ({ missing, wrong, outOfOrder }: Comparison): string =>
  `${missing.length} missing, ${wrong.length} wrong, ${outOfOrder.length} out of order`;

/** Everything that must not happen, one line each. */
export function faultsOf(report: Report): string[] {
  const { feed, webhook } = report.followed;
  const deliveries = Object.entries({ feed, webhook }).flatMap(
    ([who, { missing, wrong, outOfOrder, problems }]) => [
      ...missing.map(id => `${who}: change ${id} was not delivered`),
      ...wrong.map(id => `${who}: change ${id} was delivered twice, or was never committed`),
      ...outOfOrder.map(id => `${who}: change ${id} was delivered after a later one`),
      ...problems.map(problem => `${who}: ${problem}`),
    ],
  );
  const { lost, doubled, stale, differences, unexpected } = report;
  return [
    ...lost.map(mark => `lost: ${mark}`),
    ...doubled.map(mark => `doubled: ${mark}`),
    ...stale.map(read => `stale: ${read}`),
    ...differences,
    ...unexpected,
    ...deliveries,
  ];
}

export function asTable(report: Report): string {
  const { events, timing, acknowledged, unknown, logins, statuses, followed } = report;
  const rows = events.map(one => [
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
    `Feed: ${followed.committed} changes, read with ${followed.feed.deaths} deaths of the reader: ${inWords(followed.feed)}`,
    `Webhook: the same changes, ${followed.webhook.failed} first tries failed, ${followed.webhook.repeated} repeated: ${inWords(followed.webhook)}`,
    ...report.rebuilt,
  ].join('\n');
}
