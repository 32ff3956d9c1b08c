import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerUser } from '../../src/embedded-postgres/execute.ts';
import { freePort } from '../../src/embedded-postgres/settings.ts';
import { FaultProxy } from '../../test/support/fault-proxy.ts';
import { childrenOf, Program, signalAll } from './program.ts';
import { patroniConfiguration } from './patroni.ts';
import { programs } from './programs.ts';

/** A port behind a proxy that can cut the connections. */
interface ProxiedPort {
  proxy: FaultProxy;
  /** Port of the proxy. */
  port: number;
}

async function proxyTo(port: number): Promise<ProxiedPort> {
  const { proxy, url } = await FaultProxy.before(`http://127.0.0.1:${port}`);
  return { proxy, port: Number(new URL(url).port) };
}

/** The state of a server, as its Patroni reports it. */
export interface State {
  state: string;
  role: string;
  timeline: number;
}

/** A PostgreSQL server with its Patroni. Both can fail as if they had their own machine and network. */
export class DatabaseNode {
  #patroni: Program | undefined;

  private constructor(
    readonly name: string,
    readonly folder: string,
    private readonly user: ServerUser | undefined,
    private readonly restPort: number,
    /** Proxies in front of its PostgreSQL and of its Patroni, and between its Patroni and etcd. */
    readonly proxies: { postgres: ProxiedPort; rest: ProxiedPort; etcd: ProxiedPort },
  ) {}

  static async create(
    name: string,
    folder: string,
    etcdPort: number,
    user: ServerUser | undefined,
  ): Promise<DatabaseNode> {
    await mkdir(folder, { recursive: true });
    const [port, restPort] = [await freePort(), await freePort()];
    const proxies = {
      postgres: await proxyTo(port),
      rest: await proxyTo(restPort),
      etcd: await proxyTo(etcdPort),
    };
    const ports = {
      postgres: port,
      postgresProxy: proxies.postgres.port,
      rest: restPort,
      restProxy: proxies.rest.port,
      etcd: proxies.etcd.port,
    };
    const file = join(folder, 'patroni.yml');
    await writeFile(file, patroniConfiguration(name, folder, ports), { mode: 0o600 });
    if (user) for (const path of [folder, file]) await chown(path, user.uid, user.gid);
    return new DatabaseNode(name, folder, user, restPort, proxies);
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

  /** URL of its PostgreSQL, as the superuser. */
  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.proxies.postgres.port}/postgres`;
  }

  get configuration(): string {
    return join(this.folder, 'patroni.yml');
  }

  /** What its PostgreSQL and its Patroni wrote. */
  get log(): string {
    return this.#patroni!.written.trimEnd();
  }

  /** All servers and their roles, as its Patroni sees them. */
  async members(): Promise<{ role: string }[]> {
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`http://127.0.0.1:${this.restPort}/cluster`, { signal });
    return ((await answer.json()) as { members: { role: string }[] }).members;
  }

  /** Asks Patroni past the proxies, so also while the node is cut off. Undefined when it does not answer. */
  async state(): Promise<State | undefined> {
    const signal = AbortSignal.timeout(1_000);
    return fetch(`http://127.0.0.1:${this.restPort}/patroni`, { signal }).then(
      async answer => (await answer.json()) as State,
      () => undefined,
    );
  }

  /** Simulates a power failure of the machine. */
  async kill(): Promise<void> {
    signalAll([this.#patroni!.pid, ...(await this.#postgres())], 'SIGKILL');
    await this.#patroni!.stop('SIGKILL');
  }

  /** Simulates a crash of the server only. Its Patroni goes on. */
  async killPostgres(): Promise<void> {
    signalAll(await this.#postgres(), 'SIGKILL');
  }

  /** Simulates a network partition: no data passes, and no connection is closed. */
  cut(): void {
    for (const { proxy } of Object.values(this.proxies)) proxy.begin({ kind: 'stall' });
  }

  mend(): void {
    for (const { proxy } of Object.values(this.proxies)) proxy.end();
  }

  /** Simulates a machine that is suspended, such as a virtual one that is moved. Returns a function that resumes it. */
  async freeze(): Promise<() => void> {
    const pids = [this.#patroni!.pid, ...(await this.#postgres())];
    signalAll(pids, 'SIGSTOP');
    return () => signalAll(pids, 'SIGCONT');
  }

  async stop(): Promise<void> {
    await this.#patroni?.stop();
    signalAll(await this.#postgres(), 'SIGKILL');
    for (const { proxy } of Object.values(this.proxies)) await proxy.stop();
  }

  async #postgres(): Promise<number[]> {
    const text = await readFile(join(this.folder, 'data/postmaster.pid'), 'utf8').catch(() => '');
    const postmaster = Number(text.split('\n')[0]);
    if (!postmaster) return [];
    const command = await readFile(`/proc/${postmaster}/cmdline`, 'utf8').catch(() => '');
    return command.includes(this.folder) ? [postmaster, ...(await childrenOf(postmaster))] : [];
  }
}
