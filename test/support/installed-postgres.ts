import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { choosePlace } from '../../src/embedded-postgres/place.ts';
import { execute, type ServerUser } from '../../src/embedded-postgres/execute.ts';
import { freePort } from '../../src/embedded-postgres/settings.ts';
import { needs } from './needs.ts';

const PACKAGES = '/usr/lib/postgresql';

/**
 * Programs of the newest installed PostgreSQL with server and client, because pg_dump dumps only servers up to its own
 * version.
 */
const programs = (existsSync(PACKAGES) ? readdirSync(PACKAGES) : [])
  .toSorted((a, b) => Number(b) - Number(a))
  .map(version => join(PACKAGES, version, 'bin'))
  .find(bin =>
    ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'].every(name =>
      existsSync(join(bin, name)),
    ),
  );

/** Whether a server with its own pg_dump can be started; the embedded one comes without. */
export const hasPostgres = (): boolean => needs('PostgreSQL with pg_dump', programs !== undefined);

/** A PostgreSQL of the system's own packages, on data of its own. */
export class InstalledPostgres {
  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly user: ServerUser | undefined,
  ) {}

  static async start(folder: string): Promise<InstalledPostgres> {
    const { user } = await choosePlace(folder);
    const server = new InstalledPostgres(folder, await freePort(), user);
    const data = await server.makeFolder();
    const options = ['-E', 'UTF8', '--locale=C', '-U', 'postgres', '--auth=trust', '--no-sync'];
    await server.run('initdb', ['-D', data, ...options]);
    await server.begin();
    return server;
  }

  /** A hot standby that follows it, with settings of its own. */
  async standby(folder: string, settings: readonly string[] = []): Promise<InstalledPostgres> {
    const server = new InstalledPostgres(folder, await freePort(), this.user);
    const source = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres'];
    const options = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    await server.run('pg_basebackup', ['-D', await server.makeFolder(), ...options, ...source]);
    await appendFile(join(server.data, 'postgresql.auto.conf'), settings.map(line => `${line}\n`).join(''));
    await server.begin();
    return server;
  }

  url(database: string): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/${database}`;
  }

  async create(database: string): Promise<void> {
    await this.client('createdb', ['--maintenance-db', this.url('postgres'), database]);
  }

  /** Runs one of the client's programs. */
  async client(program: string, args: string[]): Promise<void> {
    await execute(join(programs!, program), args, { cwd: '/' });
  }

  /** Makes a standby the primary of a history of its own. */
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

  private async begin(): Promise<void> {
    const settings = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
    await this.run('pg_ctl', ['-D', this.data, '-w', '-l', join(this.data, 'log'), '-o', settings, 'start']);
  }

  /** PostgreSQL does not run as root. */
  private async run(program: string, args: string[]): Promise<void> {
    await execute(join(programs!, program), args, { ...(this.user && { user: this.user }), cwd: '/' });
  }
}
