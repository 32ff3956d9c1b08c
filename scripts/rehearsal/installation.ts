import { join } from 'node:path';
import { freePort } from '../../src/embedded-postgres/settings.ts';
import { doors, type Door } from '../../test/support/doors.ts';
import { startBucket, type TestStorage } from '../../test/support/storages.ts';
import { Closers } from './closers.ts';
import { Cluster } from './cluster.ts';
import type { Cell } from './load.ts';
import { Program } from './program.ts';
import { project } from './project.ts';
import { query } from './query.ts';

const WRITERS = 4;
/** Size of the disk of a database with the demo, and of what a university of scale 1 needs besides. */
const DISK_MB = { demo: 1024, campus: 8192 };

interface Options {
  /** Whether each database gets its own disk, which can be filled. */
  wantsDisks: boolean;
  /** Whether the service connects to all databases and reads from standbys, or to the primary through HAProxy. */
  isDirect: boolean;
  /** Scale of a university besides the demo, as of `npm run seed:campus`. */
  campus?: string;
}

/** A whole installation on one machine: databases, HAProxy, bucket, two nodes of the service, nginx. */
export class Installation {
  readonly cluster: Cluster;
  readonly services: Program[] = [];
  door!: Door;
  #databaseUrl!: string;
  #settings!: NodeJS.ProcessEnv;
  #ports: number[] = [];
  /** Folder of the compiled programs that nodes start with. */
  #programs = join(project, 'dist');
  readonly #closers = new Closers();
  readonly #isDirect: boolean;
  readonly #campus: string | undefined;

  constructor(
    readonly folder: string,
    private readonly say: (message: string) => void,
    { wantsDisks, isDirect, campus }: Options,
  ) {
    const diskMB = Math.ceil(DISK_MB.demo + DISK_MB.campus * Number(campus ?? 0));
    this.cluster = new Cluster(folder, wantsDisks ? diskMB : 0);
    this.#isDirect = isDirect;
    this.#campus = campus;
  }

  async start(): Promise<void> {
    this.say('etcd, three databases under Patroni, HAProxy');
    this.#closers.add(() => this.cluster.stop(this.say));
    await this.cluster.start();
    await this.#createDatabase();
    this.say('a bucket, the demo, two nodes of the service, nginx');
    await this.#startServices();
  }

  stop(): Promise<void> {
    return this.#closers.close(this.say);
  }

  /** Addresses of the nodes, past nginx. */
  get nodes(): string[] {
    return this.#ports.map(port => `http://127.0.0.1:${port}`);
  }

  /** Restarts a node of the service with other programs. */
  async replaceService(i: number, programs: string): Promise<void> {
    this.#programs = programs;
    await this.services[i]!.stop();
    await this.#startService(i);
  }

  /** Starts a node and waits until it is ready. */
  async #startService(i: number): Promise<void> {
    const port = this.#ports[i]!;
    const service = new Program(`service-${i + 1}`, {
      file: process.execPath,
      args: [join(this.#programs, 'src/main.js')],
      env: { ...this.#settings, PORT: String(port) },
      folder: this.folder,
    });
    this.services[i] = service;
    await service.until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, 120);
  }

  /** Runs a command of the service. @throws Error with its output when it fails */
  async command(name: string, ...options: string[]): Promise<void> {
    const args = [join(this.#programs, `src/commands/${name}.js`), ...options];
    await new Program(name, {
      file: process.execPath,
      args,
      env: this.#settings,
      folder: this.folder,
    }).done();
  }

  /** Runs a statement on the primary, in the database of the service. */
  query<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]> {
    return query<T>(this.#databaseUrl, text, values);
  }

  /** Cells of the demo's stock. Their materials move without approval. */
  cells(): Promise<Cell[]> {
    return this.query<Cell>(
      `select e.id_lote as "idLote", e.id_local_fim as "idLocal", e.id_local_armazenado as "idLocalArmazenado", e.quantidade
       from (select distinct on (id_lote) * from estoque order by id_lote, id) e
         join lote l on l.id = e.id_lote join material m on m.id = l.id_material
         left join tipo_controle c on c.id = m.id_tipo_controle
       where not coalesce(c.exige_aprovacao, false) order by e.id_lote limit ${WRITERS}`,
    );
  }

  async #createDatabase(): Promise<void> {
    const { proxyUrl } = this.cluster;
    await query(proxyUrl, 'create role sii login');
    await query(proxyUrl, `create database sii owner sii encoding 'UTF8' template template0`);
    const url = new URL(proxyUrl);
    url.username = 'sii';
    url.pathname = '/sii';
    this.#databaseUrl = url.href;
  }

  async #startServices(): Promise<void> {
    const bucket: TestStorage = await startBucket();
    this.#closers.add(() => bucket.stop());
    this.#settings = {
      ...bucket.environment,
      NODE_ENV: 'production',
      ...this.#databaseSettings(),
      TRUSTED_PROXIES: 'loopback',
      DEMO: 'true',
      // All clients of the load use one login.
      MAX_REQUESTS_PER_PERSON: '1000',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW: '127.0.0.1',
      WEBHOOK_KEY: 'a key of the rehearsal, for nothing else',
    };
    await this.command('seed-demo');
    if (this.#campus) await this.command('seed-campus', '--scale', this.#campus);
    this.#ports = [await freePort(), await freePort()];
    this.#closers.add(() => Promise.all(this.services.map(service => service.stop())));
    await Promise.all([this.#startService(0), this.#startService(1)]);
    this.door = await doors.nginx(
      this.#ports.map(port => `http://127.0.0.1:${port}`),
      'a site of its own',
    );
    this.#closers.add(() => this.door.stop());
  }

  #databaseSettings(): Record<string, string> {
    if (!this.#isDirect) return { DATABASE_URL: this.#databaseUrl };
    const hosts = this.cluster.nodes.map(({ proxies }) => `127.0.0.1:${proxies.postgres.port}`);
    return {
      DATABASE_URL: `postgresql://sii@${hosts.join(',')}/sii?target_session_attrs=read-write`,
      DATABASE_READ_URLS: hosts.map(host => `postgresql://sii@${host}/sii`).join(','),
    };
  }
}
