import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { choosePlace } from '../../src/embedded-postgres/place.ts';
import { execute, type ServerUser } from '../../src/embedded-postgres/execute.ts';
import { freePort } from '../../src/embedded-postgres/settings.ts';
import { needs } from './needs.ts';

const PACKAGES = '/usr/lib/postgresql';

/**
 * Programs of the newest installed PostgreSQL with server and client. pg_dump cannot dump a server that is newer than
 * itself.
 */
const programs = (existsSync(PACKAGES) ? readdirSync(PACKAGES) : [])
  .toSorted((a, b) => Number(b) - Number(a))
  .map(version => join(PACKAGES, version, 'bin'))
  .find(bin =>
    ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'].every(name =>
      existsSync(join(bin, name)),
    ),
  );

/** Whether a server with its own pg_dump can be started. The embedded one has no pg_dump. */
export const hasPostgres = (): boolean => needs('PostgreSQL with pg_dump', programs !== undefined);

/** A PostgreSQL from the system's packages, with separate data. */
export class InstalledPostgres {
  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly user: ServerUser | undefined,
  ) {}

  static async start(folder: string, settings: readonly string[] = []): Promise<InstalledPostgres> {
    const { user } = await choosePlace(folder);
    const server = new InstalledPostgres(folder, await freePort(), user);
    const data = await server.makeFolder();
    const options = ['-E', 'UTF8', '--locale=C', '-U', 'postgres', '--auth=trust', '--no-sync'];
    await server.run('initdb', ['-D', data, ...options]);
    await server.set(settings);
    await server.begin();
    return server;
  }

  /** A hot standby of this server, with its own settings. */
  async standby(folder: string, settings: readonly string[] = []): Promise<InstalledPostgres> {
    const server = new InstalledPostgres(folder, await freePort(), this.user);
    const source = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres'];
    const options = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    await server.run('pg_basebackup', ['-D', await server.makeFolder(), ...options, ...source]);
    await server.set(settings);
    await server.begin();
    return server;
  }

  url(database: string): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async create(database: string): Promise<void> {
    await this.client('createdb', ['--maintenance-db', this.url('postgres'), database]);
  }

  /** Runs one of the client programs. */
  async client(program: string, args: string[]): Promise<void> {
    await execute(join(programs!, program), args, { cwd: '/' });
  }

  /** Makes a standby the primary of a new history. */
  async promote(): Promise<void> {
    await this.run('pg_ctl', ['-D', this.data, '-w', 'promote']);
  }

  async stop(): Promise<void> {
    await this.run('pg_ctl', ['-D', this.data, '-m', 'immediate', '-w', 'stop']);
  }

  private get data(): string {
    return join(this.folder, 'cluster');
  }

  private async makeFolder(): Promise<string> {
    await mkdir(this.data, { mode: 0o700 });
    if (this.user) await chown(this.data, this.user.uid, this.user.gid);
    return this.data;
  }

  private set(settings: readonly string[]): Promise<void> {
    return appendFile(join(this.data, 'postgresql.auto.conf'), settings.map(line => `${line}\n`).join(''));
  }

  /** Starts it, for the first time or again. */
  async begin(): Promise<void> {
    const settings = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
    await this.run('pg_ctl', ['-D', this.data, '-w', '-l', join(this.data, 'log'), '-o', settings, 'start']);
  }

  /** PostgreSQL does not run as root. */
  private async run(program: string, args: string[]): Promise<void> {
    await execute(join(programs!, program), args, { ...(this.user && { user: this.user }), cwd: '/' });
  }
}
