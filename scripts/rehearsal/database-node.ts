import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerUser } from '../../src/embedded-postgres/execute.ts';
import { freePort } from '../../src/embedded-postgres/settings.ts';
import { FaultProxy } from '../../test/support/fault-proxy.ts';
import { childrenOf, Program, signalAll } from './program.ts';
import { patroniConfiguration } from './patroni.ts';
import { programs } from './programs.ts';

/** A way to a port, through a proxy that can be cut. */
interface Way {
  proxy: FaultProxy;
  /** Port of the proxy. */
  port: number;
}

async function wayTo(port: number): Promise<Way> {
  const { proxy, url } = await FaultProxy.before(`http://127.0.0.1:${port}`);
  return { proxy, port: Number(new URL(url).port) };
}

/** What Patroni says of its server. */
export interface State {
  state: string;
  role: string;
  timeline: number;
}

/** A PostgreSQL server and its Patroni, as if they had a machine and a network of their own. */
export class DatabaseNode {
  #patroni: Program | undefined;

  private constructor(
    readonly name: string,
    readonly folder: string,
    private readonly user: ServerUser | undefined,
    private readonly restPort: number,
    /** Ways from everybody else to its PostgreSQL and to its Patroni, and from its Patroni to etcd. */
    readonly ways: { postgres: Way; rest: Way; etcd: Way },
  ) {}

  static async create(
    name: string,
    folder: string,
    etcdPort: number,
    user: ServerUser | undefined,
  ): Promise<DatabaseNode> {
    await mkdir(folder, { recursive: true });
    const [port, restPort] = [await freePort(), await freePort()];
    const ways = { postgres: await wayTo(port), rest: await wayTo(restPort), etcd: await wayTo(etcdPort) };
    const ports = {
      postgres: port,
      postgresWay: ways.postgres.port,
      rest: restPort,
      restWay: ways.rest.port,
      etcd: ways.etcd.port,
    };
    const file = join(folder, 'patroni.yml');
    await writeFile(file, patroniConfiguration(name, folder, ports), { mode: 0o600 });
    if (user) for (const path of [folder, file]) await chown(path, user.uid, user.gid);
    return new DatabaseNode(name, folder, user, restPort, ways);
  }

  start(): void {
    this.#patroni = new Program('patroni', {
      file: programs.patroni,
      args: [join(this.folder, 'patroni.yml')],
      env: { HOME: this.folder },
      user: this.user,
      folder: this.folder,
    });
  }

  /** What Patroni says, whether it is cut off or not; undefined when it does not answer. */
  async state(): Promise<State | undefined> {
    const signal = AbortSignal.timeout(1_000);
    return fetch(`http://127.0.0.1:${this.restPort}/patroni`, { signal }).then(
      async answer => (await answer.json()) as State,
      () => undefined,
    );
  }

  /** A machine whose power fails. */
  async kill(): Promise<void> {
    signalAll([this.#patroni!.pid, ...(await this.#postgres())], 'SIGKILL');
    await this.#patroni!.stop('SIGKILL');
  }

  /** A server that crashes beside a Patroni that sees it. */
  async killPostgres(): Promise<void> {
    signalAll(await this.#postgres(), 'SIGKILL');
  }

  /** Nothing gets in or out any more, and no connection is closed. */
  cut(): void {
    for (const { proxy } of Object.values(this.ways)) proxy.begin({ kind: 'stall' });
  }

  mend(): void {
    for (const { proxy } of Object.values(this.ways)) proxy.end();
  }

  /** A machine that stands still, such as a virtual one that is moved. Answers how it goes on. */
  async freeze(): Promise<() => void> {
    const pids = [this.#patroni!.pid, ...(await this.#postgres())];
    signalAll(pids, 'SIGSTOP');
    return () => signalAll(pids, 'SIGCONT');
  }

  async stop(): Promise<void> {
    await this.#patroni?.stop();
    signalAll(await this.#postgres(), 'SIGKILL');
    for (const { proxy } of Object.values(this.ways)) await proxy.stop();
  }

  async #postgres(): Promise<number[]> {
    const text = await readFile(join(this.folder, 'data/postmaster.pid'), 'utf8').catch(() => '');
    const postmaster = Number(text.split('\n')[0]);
    if (!postmaster) return [];
    const command = await readFile(`/proc/${postmaster}/cmdline`, 'utf8').catch(() => '');
    return command.includes(this.folder) ? [postmaster, ...(await childrenOf(postmaster))] : [];
  }
}
