import { execFileSync } from 'node:child_process';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { choosePlace } from '../../src/embedded-postgres/place.ts';
import { freePort } from '../../src/embedded-postgres/settings.ts';
import { Closers } from './closers.ts';
import { DatabaseNode } from './database-node.ts';
import { patronictl, SCOPE } from './patroni.ts';
import { Program } from './program.ts';
import { programs } from './programs.ts';
import { project } from './project.ts';
import { query } from './query.ts';

const NODES = 3;
/** Largest lag of a standby that counts as streaming. */
const CAUGHT_UP_BYTES = 1_000_000;
/** Longest wait until all servers replicate. */
const TIMEOUT_MS = 120_000;
/** After this time an operator would look at a standby that does not. */
const OPERATOR_MS = 60_000;

/** Three PostgreSQL servers that Patroni manages with etcd, behind HAProxy. */
export class Cluster {
  readonly nodes: DatabaseNode[] = [];
  /** Whether each database has a disk of its own. */
  readonly hasDisks: boolean;
  /** URL of the primary through HAProxy, as the superuser. */
  proxyUrl!: string;
  /** Standbys that had to be made anew, each with the last lines of its log. */
  readonly rebuilt: string[] = [];
  readonly #closers = new Closers();

  constructor(
    private readonly folder: string,
    /** Size of the disk of each database; 0 for none of its own. */
    private readonly diskMB: number,
  ) {
    this.hasDisks = diskMB > 0 && canMount(join(folder, 'disk'));
  }

  async start(): Promise<void> {
    const { user } = await choosePlace(this.folder);
    const etcd = await this.#startEtcd();
    for (let i = 1; i <= NODES; i++) {
      const folder = join(this.folder, `node${i}`);
      await mkdir(folder);
      if (this.hasDisks) {
        execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${this.diskMB}m`, 'tmpfs', folder]);
        this.#closers.add(() => execFileSync('umount', ['-l', folder]));
      }
      if (user) await chown(folder, user.uid, user.gid);
      const node = await DatabaseNode.create(`node${i}`, folder, etcd, user);
      this.nodes.push(node);
      this.#closers.add(() => node.stop());
      node.start();
    }
    await this.untilWhole();
    await this.#startProxy();
  }

  stop(say: (message: string) => void): Promise<void> {
    return this.#closers.close(say);
  }

  /** The node that Patroni reports as primary. @throws Error when there is none */
  async leader(except?: DatabaseNode): Promise<DatabaseNode> {
    for (const node of this.nodes) {
      const state = node === except ? undefined : await node.state();
      if (state?.state === 'running' && ['master', 'primary'].includes(state.role)) return node;
    }
    throw new Error('there is no leader');
  }

  async timeline(): Promise<number> {
    return (await (await this.leader()).state())!.timeline;
  }

  /** Whether all standbys stream from the leader, and Patroni reports one of them as synchronous. */
  async isWhole(): Promise<boolean> {
    const leader = await this.leader();
    const members = await leader.members();
    return (await streamingFrom(leader)).length === NODES - 1 && members.some(isSynchronous);
  }

  async untilWhole(): Promise<void> {
    for (const begun = performance.now(); !(await this.isWhole().catch(() => false)); await sleep(200))
      if (performance.now() - begun > TIMEOUT_MS)
        throw new Error('not all standbys stream from the primary again');
  }

  /** Waits the same way. A standby that does not come back is made anew, as an operator would do; see `rebuilt`. */
  async untilWholeAgain(): Promise<void> {
    for (const begun = performance.now(); !(await this.isWhole().catch(() => false)); await sleep(200))
      if (performance.now() - begun > OPERATOR_MS) {
        await this.#rebuild();
        return this.untilWhole();
      }
  }

  async #rebuild(): Promise<void> {
    const leader = await this.leader();
    const streaming = await streamingFrom(leader);
    for (const node of this.nodes) {
      if (node === leader || streaming.includes(node.name)) continue;
      const said = await patronictl(leader.configuration, 'reinit', SCOPE, node.name, '--force');
      this.rebuilt.push(`${node.name} did not stream: patronictl reinit: ${said.trim()}\n${lastLines(node)}`);
    }
  }

  /** What helps to find out why something failed: the output of patronictl, and the last log lines of all servers. */
  async describe(): Promise<string> {
    const [first] = this.nodes;
    const logs = this.nodes.map(node => `${node.name}:\n${lastLines(node)}`);
    return [first && (await patronictl(first.configuration, 'list')), ...logs].join('\n');
  }

  /** Fills the write-ahead log of a server. A full disk shows only when PostgreSQL has no old log files to reuse. */
  async fillLog({ url }: DatabaseNode): Promise<void> {
    const write = `select from generate_series(1, 10), pg_logical_emit_message(false, 'fill', repeat('x', 1000000))`;
    for (let written = 0; written < this.diskMB; written += 10)
      if ((await query(url, write).catch(() => undefined)) === undefined) return;
  }

  /** @returns its port */
  async #startEtcd(): Promise<number> {
    const [port, peers] = [await freePort(), await freePort()];
    const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`];
    const etcd = this.#run('etcd', programs.etcd, [
      '--name=etcd',
      `--data-dir=${join(this.folder, 'etcd')}`,
      `--initial-cluster=etcd=${peer}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
    ]);
    await etcd.until(async () => (await fetch(`${client}/health`)).ok);
    return port;
  }

  async #startProxy(): Promise<void> {
    const [primary, standbys] = [await freePort(), await freePort()];
    let text = await readFile(join(project, 'deploy/haproxy/postgres.cfg'), 'utf8');
    text = text.replaceAll('127.0.0.1:5000', `127.0.0.1:${primary}`);
    text = text.replaceAll('127.0.0.1:5001', `127.0.0.1:${standbys}`);
    for (const [i, { proxies }] of this.nodes.entries())
      text = text.replaceAll(
        `10.0.0.${i + 1}:5432 port 8008`,
        `127.0.0.1:${proxies.postgres.port} port ${proxies.rest.port}`,
      );
    const file = join(this.folder, 'postgres.cfg');
    await writeFile(file, text);
    const haproxy = this.#run('haproxy', programs.haproxy, ['-db', '-f', file]);
    this.proxyUrl = `postgresql://postgres@127.0.0.1:${primary}/postgres`;
    // Before its first health checks HAProxy treats every server as the primary.
    await haproxy.until(async () => (await this.#serversBehindProxy()).size === 1);
  }

  /** Ports of the servers that several concurrent connections through HAProxy reach. */
  async #serversBehindProxy(): Promise<Set<number>> {
    const ports = Array.from({ length: NODES }, () =>
      query<{ port: number }>(this.proxyUrl, `select current_setting('port')::int as port`),
    );
    return new Set((await Promise.all(ports)).map(([row]) => row!.port));
  }

  #run(name: string, file: string, args: string[]): Program {
    const program = new Program(name, { file, args, folder: this.folder });
    this.#closers.add(() => program.stop());
    return program;
  }
}

const isSynchronous = ({ role }: { role: string }): boolean => role === 'sync_standby';

/** Names of the standbys that stream. Patroni reports every standby as "running", whether it streams or not. */
async function streamingFrom(leader: DatabaseNode): Promise<string[]> {
  const rows = await query<{ name: string }>(
    leader.url,
    `select application_name as name from pg_stat_replication
     where state = 'streaming' and pg_current_wal_lsn() - replay_lsn < ${CAUGHT_UP_BYTES}`,
  );
  return rows.map(({ name }) => name);
}

const lastLines = ({ log }: DatabaseNode): string => log.split('\n').slice(-40).join('\n');

/** Whether this user may mount a small disk in memory. */
function canMount(folder: string): boolean {
  try {
    execFileSync('mkdir', ['-p', folder]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
