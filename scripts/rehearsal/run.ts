import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { options } from '../../src/commands/options.ts';
import { temporaryFolder } from '../../test/support/folder.ts';
import { eventsOf, type Event } from './events.ts';
import { Followers } from './followers.ts';
import { HttpsClient } from './https-client.ts';
import { saveLogs, saveReport } from './saved-files.ts';
import { Load } from './load.ts';
import { timing } from './patroni.ts';
import { Probe } from './probe.ts';
import { missing } from './programs.ts';
import { asTable, faultsOf, summaryOf, type EventResult, type Report } from './report.ts';
import { project } from './project.ts';
import { Installation } from './installation.ts';
import { judge } from './verdict.ts';

/** Time under load before the first event and after each event. */
const CALM_MS = 2_000;

const given = options(
  {
    json: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    direct: { type: 'boolean', default: false },
    campus: { type: 'string' },
  },
  `Usage: npm run rehearse:failover -- [--short] [--direct] [--campus <0.3>] [--json]
--short: only two of the events
--direct: without HAProxy; the service knows all databases, and reads from standbys
--campus: scale of a university beside the demo
--json: prints one JSON object instead of a table`,
);

const began = performance.now();
function say(message: string): void {
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${message}\n`);
}

async function measure(
  event: Event,
  installation: Installation,
  load: Load,
  probe: Probe,
): Promise<EventResult> {
  const before = await installation.cluster.leader();
  const [from, writes, reads] = [performance.now(), load.writes.count, load.reads.count];
  await event.run(installation, load);
  await installation.cluster.untilWholeAgain();
  await sleep(CALM_MS);
  const to = performance.now();
  const after = await installation.cluster.leader();
  const result: EventResult = {
    event: event.name,
    leader: before === after ? before.name : `${before.name} → ${after.name}`,
    writes: load.writes.count - writes,
    reads: load.reads.count - reads,
    withoutWrites: load.writes.longestGap(from, to),
    withoutReads: load.reads.longestGap(from, to),
    noPrimaryWrites: probe.writes.longestGap(from, to),
    noPrimaryReads: probe.reads.longestGap(from, to),
  };
  const { withoutWrites, noPrimaryWrites, withoutReads, noPrimaryReads } = result;
  const seconds = (value: number): string => `${value.toFixed(1)} s`;
  say(
    `${event.name}: ${seconds(withoutWrites)} without writes (no primary: ${seconds(noPrimaryWrites)}), ` +
      `${seconds(withoutReads)} without reads (no primary: ${seconds(noPrimaryReads)})`,
  );
  return result;
}

async function rehearse(installation: Installation): Promise<Report> {
  const client = new HttpsClient(installation.door);
  const { status, body } = await client.logIn('admin');
  if (status !== 200) throw new Error(`login failed: ${status} ${JSON.stringify(body)}`);
  const { token } = body as { token: string };
  const load = new Load(installation.door, token, await installation.cells());
  const followers = new Followers(installation, token);
  await followers.start(client);
  client.close();
  const probe = new Probe(installation.cluster.nodes.map(({ proxies }) => proxies.postgres.port));
  const events: EventResult[] = [];
  const first = await installation.cluster.timeline();
  load.start();
  await sleep(CALM_MS);
  for (const event of eventsOf(given.short, installation.cluster.hasDisks))
    events.push(await measure(event, installation, load, probe));
  await Promise.all([load.stop(), probe.stop()]);
  say('checking the database, and waiting for the webhook');
  const followed = await followers.stop();
  const verdict = await judge(installation, load);
  return {
    at: new Date().toISOString(),
    timing,
    direct: given.direct,
    events,
    failovers: (await installation.cluster.timeline()) - first,
    acknowledged: load.acknowledged.length,
    unknown: load.unknown.length,
    logins: load.logins,
    statuses: Object.fromEntries(load.statuses),
    unexpected: load.unexpected,
    rebuilt: installation.cluster.rebuilt,
    followed,
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
  const installation = new Installation(folder, say, {
    wantsDisks: !given.short,
    isDirect: given.direct,
    campus: given.campus,
  });
  const end = async (): Promise<void> => {
    await installation.stop();
    await rm(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void end().finally(() => process.exit(1)));
  if (!given.short && !installation.cluster.hasDisks)
    say('the test of a full disk is skipped: this user may not mount a disk');
  let report: Report;
  try {
    await installation.start();
    report = await rehearse(installation);
  } catch (error) {
    // Describe the state before everything is stopped.
    say(`${String(error)}\n${await installation.cluster.describe()}`);
    say(`all logs: ${await saveLogs(folder)}`);
    throw error;
  } finally {
    say('stopping everything');
    await end();
  }
  await saveReport(report);
  process.stdout.write(`${given.json ? JSON.stringify(summaryOf(report)) : asTable(report)}\n`);
  const faults = faultsOf(report);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
