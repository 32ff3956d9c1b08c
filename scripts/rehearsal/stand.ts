import { execFileSync } from 'node:child_process';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../src/embedded-postgres/settings.ts';
import { choosePlace } from '../../src/embedded-postgres/place.ts';
import { doors, type Door } from '../../test/support/doors.ts';
import { startBucket, type TestStorage } from '../../test/support/storages.ts';
import { DatabaseNode } from './database-node.ts';
import type { Cell } from './load.ts';
import { Program } from './program.ts';
import { programs } from './programs.ts';

export const project = join(import.meta.dirname, '../..');
const NODES = 3;
const WRITERS = 4;
/** A standby that lags less follows. */
const CAUGHT_UP_BYTES = 1_000_000;
/** Size of the disk of each database, where it can be filled. */
const DISK_MB = 1024;

interface Wishes {
  /** Whether each database is to have a disk of its own, which can be filled. */
  wantsDisks: boolean;
  /** Whether the service knows all databases, and reads on standbys, instead of asking HAProxy for the primary. */
  isDirect: boolean;
}

/** Everything that a university would run, on one machine. */
export class Stand {
  readonly nodes: DatabaseNode[] = [];
  readonly services: Program[] = [];
  door!: Door;
  databaseUrl!: string;
  #settings!: NodeJS.ProcessEnv;
  #ports: number[] = [];
  readonly #closers: (() => unknown)[] = [];

  private constructor(
    private readonly folder: string,
    private readonly say: (message: string) => void,
    /** Whether each database has a disk of its own. */
    readonly hasDisks: boolean,
    private readonly isDirect: boolean,
  ) {}

  static async start(
    folder: string,
    say: (message: string) => void,
    { wantsDisks, isDirect }: Wishes,
  ): Promise<Stand> {
    const stand = new Stand(folder, say, wantsDisks && canMount(join(folder, 'disk')), isDirect);
    try {
      await stand.#startDatabases();
      await stand.#startProxy();
      await stand.#startServices();
    } catch (error) {
      await stand.stop();
      throw error;
    }
    return stand;
  }

  async stop(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed())
      try {
        await close();
      } catch (error) {
        this.say(String(error));
      }
  }

  /** The node whose server takes changes, as Patroni says. @throws Error when there is none */
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

  /** Whether all servers run, the standbys follow, and one of them has all that is acknowledged. */
  async isWhole(): Promise<boolean> {
    const leader = await this.leader();
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`http://127.0.0.1:${leader.ways.rest.port}/cluster`, { signal });
    const { members } = (await answer.json()) as { members: { role: string; state: string; lag?: number }[] };
    const standbys = members.filter(({ role }) => role !== 'leader');
    return (
      standbys.length === NODES - 1 &&
      standbys.every(
        ({ state, lag }) => ['running', 'streaming'].includes(state) && Number(lag) < CAUGHT_UP_BYTES,
      ) &&
      standbys.some(({ role }) => role === 'sync_standby')
    );
  }

  async untilWhole(seconds = 180): Promise<void> {
    const isWhole = (): Promise<boolean> => this.isWhole().catch(() => false);
    for (const end = performance.now() + seconds * 1000; !(await isWhole()); await sleep(200))
      if (performance.now() > end) throw new Error('the databases do not come together again');
  }

  /** Starts a node of the service, and waits until it is ready. */
  async startService(i: number): Promise<void> {
    const port = this.#ports[i]!;
    const service = new Program(`service-${i + 1}`, {
      file: process.execPath,
      args: [join(project, 'dist/src/main.js')],
      env: { ...this.#settings, PORT: String(port) },
      folder: this.folder,
    });
    this.services[i] = service;
    await service.until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, 120);
  }

  /** Runs a command of the service to its end. @throws Error with what it said when it fails */
  async command(name: string): Promise<void> {
    const args = [join(project, `dist/src/commands/${name}.js`)];
    await new Program(name, {
      file: process.execPath,
      args,
      env: this.#settings,
      folder: this.folder,
    }).done();
  }

  /** Writes into the log of a server until it cannot: a full disk is not noticed while old files of it can be used again. */
  async writeLog({ ways }: DatabaseNode): Promise<void> {
    const url = `postgresql://postgres@127.0.0.1:${ways.postgres.port}/postgres`;
    const write = `select from generate_series(1, 10), pg_logical_emit_message(false, 'fill', repeat('x', 1000000))`;
    for (let written = 0; written < DISK_MB; written += 10)
      if ((await this.query(write, url).catch(() => undefined)) === undefined) return;
  }

  async query<T extends object>(text: string, database = this.databaseUrl): Promise<T[]> {
    const client = new pg.Client({ connectionString: database });
    // HAProxy closes connections to what is not the primary. The query then fails.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Cells of stock of the demo, of materials that move without approval. */
  cells(): Promise<Cell[]> {
    return this.query<Cell>(
      `select e.id_lote as "idLote", e.id_local_fim as "idLocal", e.id_local_armazenado as "idLocalArmazenado", e.quantidade
       from (select distinct on (id_lote) * from estoque order by id_lote, id) e
         join lote l on l.id = e.id_lote join material m on m.id = l.id_material
         left join tipo_controle c on c.id = m.id_tipo_controle
       where not coalesce(c.exige_aprovacao, false) order by e.id_lote limit ${WRITERS}`,
    );
  }

  /** The servers to which connections at the same time lead. */
  async #servers(url: string): Promise<Set<number>> {
    const asked = Array.from({ length: NODES }, () =>
      this.query<{ port: number }>(`select current_setting('port')::int as port`, url),
    );
    return new Set((await Promise.all(asked)).map(([row]) => row!.port));
  }

  async #startDatabases(): Promise<void> {
    this.say('etcd, three databases under Patroni');
    const { user } = await choosePlace(this.folder);
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
    for (let i = 1; i <= NODES; i++) {
      const folder = join(this.folder, `node${i}`);
      await mkdir(folder);
      if (this.hasDisks) {
        execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder]);
        this.#closers.push(() => execFileSync('umount', ['-l', folder]));
      }
      if (user) await chown(folder, user.uid, user.gid);
      const node = await DatabaseNode.create(`node${i}`, folder, port, user);
      this.nodes.push(node);
      this.#closers.push(() => node.stop());
      node.start();
    }
    await this.untilWhole();
  }

  async #startProxy(): Promise<void> {
    const [primary, standbys] = [await freePort(), await freePort()];
    let text = await readFile(join(project, 'deploy/haproxy/postgres.cfg'), 'utf8');
    text = text.replaceAll('127.0.0.1:5000', `127.0.0.1:${primary}`);
    text = text.replaceAll('127.0.0.1:5001', `127.0.0.1:${standbys}`);
    for (const [i, { ways }] of this.nodes.entries())
      text = text.replaceAll(
        `10.0.0.${i + 1}:5432 port 8008`,
        `127.0.0.1:${ways.postgres.port} port ${ways.rest.port}`,
      );
    const file = join(this.folder, 'postgres.cfg');
    await writeFile(file, text);
    const haproxy = this.#run('haproxy', programs.haproxy, ['-db', '-f', file]);
    const postgres = `postgresql://postgres@127.0.0.1:${primary}/postgres`;
    // Until its first checks it takes every server for the primary.
    await haproxy.until(async () => (await this.#servers(postgres)).size === 1);
    await this.query('create role sii login', postgres);
    await this.query(`create database sii owner sii encoding 'UTF8' template template0`, postgres);
    this.databaseUrl = `postgresql://sii@127.0.0.1:${primary}/sii`;
  }

  async #startServices(): Promise<void> {
    this.say('a bucket, the demo, two nodes of the service, nginx');
    const bucket: TestStorage = await startBucket();
    this.#closers.push(() => bucket.stop());
    this.#settings = {
      ...bucket.environment,
      NODE_ENV: 'production',
      ...this.#databaseSettings(),
      TRUSTED_PROXIES: 'loopback',
      // All clients of the load are one person.
      MAX_REQUESTS_PER_PERSON: '1000',
      LOG_LEVEL: 'warn',
    };
    await this.command('seed-demo');
    this.#ports = [await freePort(), await freePort()];
    this.#closers.push(() => Promise.all(this.services.map(service => service.stop())));
    await Promise.all([this.startService(0), this.startService(1)]);
    this.door = await doors.nginx(
      this.#ports.map(port => `http://127.0.0.1:${port}`),
      'a site of its own',
    );
    this.#closers.push(() => this.door.stop());
  }

  #databaseSettings(): Record<string, string> {
    if (!this.isDirect) return { DATABASE_URL: this.databaseUrl };
    const hosts = this.nodes.map(({ ways }) => `127.0.0.1:${ways.postgres.port}`);
    return {
      DATABASE_URL: `postgresql://sii@${hosts.join(',')}/sii?target_session_attrs=read-write`,
      DATABASE_READ_URLS: hosts.map(host => `postgresql://sii@${host}/sii`).join(','),
    };
  }

  #run(name: string, file: string, args: string[]): Program {
    const program = new Program(name, { file, args, folder: this.folder });
    this.#closers.push(() => program.stop());
    return program;
  }
}

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
