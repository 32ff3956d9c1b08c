import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../../test/support/folder.ts';
import { eventsOf, type Event } from './events.ts';
import { Load } from './load.ts';
import { timing } from './patroni.ts';
import { Probe } from './probe.ts';
import { missing } from './programs.ts';
import { asTable, summaryOf, type Happened, type Report } from './report.ts';
import { project, Stand } from './stand.ts';
import { judge } from './verdict.ts';

/** Load before the first event, and between two events. */
const CALM_MS = 2_000;

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    // Without HAProxy: the service knows all databases, and reads on standbys.
    direct: { type: 'boolean', default: false },
  },
});

const began = performance.now();
function say(message: string): void {
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${message}\n`);
}

async function happen(event: Event, stand: Stand, load: Load, probe: Probe): Promise<Happened> {
  const before = await stand.leader();
  const [from, writes, reads] = [performance.now(), load.writes.count, load.reads.count];
  await event.happen(stand, load);
  await stand.untilWhole();
  await sleep(CALM_MS);
  const to = performance.now();
  const after = await stand.leader();
  const happened: Happened = {
    event: event.name,
    leader: before === after ? before.name : `${before.name} → ${after.name}`,
    writes: load.writes.count - writes,
    reads: load.reads.count - reads,
    withoutWrites: load.writes.longestGap(from, to),
    withoutReads: load.reads.longestGap(from, to),
    noPrimaryWrites: probe.writes.longestGap(from, to),
    noPrimaryReads: probe.reads.longestGap(from, to),
  };
  const { withoutWrites, noPrimaryWrites, withoutReads, noPrimaryReads } = happened;
  const seconds = (value: number): string => `${value.toFixed(1)} s`;
  say(
    `${event.name}: ${seconds(withoutWrites)} without writes (no primary: ${seconds(noPrimaryWrites)}), ` +
      `${seconds(withoutReads)} without reads (no primary: ${seconds(noPrimaryReads)})`,
  );
  return happened;
}

async function rehearse(stand: Stand): Promise<Report> {
  const load = new Load(stand.door, await stand.cells());
  const probe = new Probe(stand.nodes.map(({ ways }) => ways.postgres.port));
  const happened: Happened[] = [];
  const first = await stand.timeline();
  try {
    await load.start();
    await sleep(CALM_MS);
    for (const event of eventsOf(options.short, stand.hasDisks))
      happened.push(await happen(event, stand, load, probe));
  } finally {
    await Promise.all([load.stop(), probe.stop()]);
  }
  say('looking at what is there');
  const verdict = await judge(stand, load);
  return {
    at: new Date().toISOString(),
    timing,
    direct: options.direct,
    happened,
    failovers: (await stand.timeline()) - first,
    acknowledged: load.acknowledged.length,
    unknown: load.unknown.length,
    logins: load.logins,
    statuses: Object.fromEntries(load.statuses),
    strange: load.strange,
    ...verdict,
  };
}

async function main(): Promise<void> {
  const absent = missing();
  if (absent.length > 0)
    throw new Error(
      `These programs are missing: ${absent.join(', ')}. On Debian: apt-get install etcd-server haproxy nginx patroni postgresql python3-etcd`,
    );
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 2, 2], cwd: project });
  const folder = await temporaryFolder();
  let stand: Stand | undefined;
  const end = async (): Promise<void> => {
    await stand?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void end().finally(() => process.exit(1)));
  let report: Report;
  try {
    stand = await Stand.start(folder, say, { wantsDisks: !options.short, isDirect: options.direct });
    if (!options.short && !stand.hasDisks) say('no disk is filled: this user may not mount one');
    report = await rehearse(stand);
  } finally {
    say('stopping everything');
    await end();
  }
  const kept = join(project, '.data/rehearsal');
  await mkdir(kept, { recursive: true });
  await writeFile(join(kept, `${report.at.replaceAll(':', '-')}.json`), JSON.stringify(report, undefined, 2));
  const summary = summaryOf(report);
  process.stdout.write(`${options.json ? JSON.stringify(summary) : asTable(report)}\n`);
  const isRight = summary.lost + summary.doubled + summary.stale === 0 && !summary.ledgerDiffers;
  if (!isRight || report.strange.length > 0) {
    for (const one of [
      ...report.lost,
      ...report.doubled,
      ...report.stale,
      ...report.differences,
      ...report.strange,
    ])
      process.stderr.write(`${one}\n`);
    process.exitCode = 1;
  }
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
