import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client, DN } from 'ldapts';
import { freePort } from '../../src/embedded-postgres/settings.ts';
import { certify } from './certificate.ts';
import { temporaryFolder } from './folder.ts';
import { needs } from './needs.ts';
import { eventually, PATIENCE_MS } from './process.ts';

const SLAPD = '/usr/sbin/slapd';
const SCHEMA = '/etc/ldap/schema';
const BASE = 'dc=universidade,dc=example';
const ROOT = `cn=root,${BASE}`;

export const USERS_DN = `ou=pessoas,${BASE}`;
export const ACCOUNTS_DN = `ou=contas,${BASE}`;
/** The service's entry there: it may read and change everything, but only set passwords. */
const SERVICE_DN = `cn=servico,${BASE}`;
const SECRET = 'the service of the tests';

/** Whether a real LDAP server can be started. */
export const hasSlapd = (): boolean =>
  needs('slapd', existsSync(SLAPD) && existsSync(join(SCHEMA, 'inetorgperson.schema')));

const configuration = (folder: string): string => `
${['core', 'cosine', 'inetorgperson'].map(name => `include ${SCHEMA}/${name}.schema`).join('\n')}
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/slapd.pid
TLSCertificateFile ${folder}/certificate.pem
TLSCertificateKeyFile ${folder}/key.pem
database mdb
suffix "${BASE}"
rootdn "${ROOT}"
rootpw "${SECRET}"
directory ${folder}/data
dbnosync
limits dn.exact="${SERVICE_DN}" size=unlimited
access to attrs=userPassword by dn.exact="${SERVICE_DN}" =wsx by anonymous auth by * none
access to * by dn.exact="${SERVICE_DN}" write by * none
`;

/** Attributes of an entry to be made; `cn` and `sn` are made up where they are not given. */
export type Attributes = Record<string, string | string[]>;

/** A real OpenLDAP on ports and data of its own. */
export class LdapServer {
  #process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    readonly tlsPort: number,
  ) {}

  static async start(): Promise<LdapServer> {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'slapd.conf'), configuration(folder));
    certify(folder);
    const starting = async (): Promise<LdapServer> => {
      const server = new LdapServer(folder, await freePort(), await freePort());
      await server.restart();
      return server;
    };
    // Another test may take a port that was free a moment before.
    const server = await starting().catch(starting);
    const top = { objectClass: 'organizationalUnit' };
    const organisation = { objectClass: ['dcObject', 'organization'], dc: 'universidade', o: 'Universidade' };
    const service = {
      objectClass: ['organizationalRole', 'simpleSecurityObject'],
      cn: 'servico',
      userPassword: SECRET,
    };
    await server.asRoot(async client => {
      await client.add(BASE, organisation);
      await client.add(SERVICE_DN, service);
      await client.add(USERS_DN, { ...top, ou: 'pessoas' });
      await client.add(ACCOUNTS_DN, { ...top, ou: 'contas' });
    });
    return server;
  }

  /** Settings by which a service uses it. */
  get environment(): Record<string, string> {
    return {
      LDAP_URL: `ldap://127.0.0.1:${this.port}`,
      LDAP_BIND_DN: SERVICE_DN,
      LDAP_BIND_PASSWORD: SECRET,
      LDAP_USERS_DN: USERS_DN,
      LDAP_ACCOUNTS_DN: ACCOUNTS_DN,
    };
  }

  get certificate(): string {
    return join(this.folder, 'certificate.pem');
  }

  /** Starts it, after a stop or for the first time, on the same data. */
  async restart(): Promise<void> {
    const urls = `ldap://127.0.0.1:${this.port}/ ldaps://127.0.0.1:${this.tlsPort}/`;
    const args = ['-d', '0', '-h', urls, '-f', join(this.folder, 'slapd.conf')];
    const child = spawn(SLAPD, args, { stdio: 'ignore' });
    this.#process = child;
    await eventually(async () => {
      if (hasEnded(child)) return;
      await this.asRoot(async () => {});
    });
    if (hasEnded(child)) throw new Error(`slapd ended with code ${child.exitCode}: ${urls}`);
  }

  async stop(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (!process || hasEnded(process)) return;
    process.kill('SIGCONT');
    process.kill('SIGTERM');
    await once(process, 'exit');
  }

  /** Makes it silent: it keeps its connections, accepts new ones, and answers nothing. */
  async stall(): Promise<void> {
    this.#process!.kill('SIGSTOP');
    // The signal works later: a running thread may still answer.
    await eventually(async () => {
      const states = await threadStates(this.#process!.pid!);
      if (states.some(state => state !== 'T')) throw new Error(`threads of slapd are in ${states.join()}`);
    });
  }

  resume(): void {
    this.#process!.kill('SIGCONT');
  }

  async end(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Makes an inetOrgPerson. Answers its DN. */
  async add(below: string, uid: string, attributes: Attributes): Promise<string> {
    const dn = `${new DN().addPairRDN('uid', uid).toString()},${below}`;
    const name = attributes['cn'] ?? uid;
    await this.asRoot(client =>
      client.add(dn, { objectClass: 'inetOrgPerson', uid, cn: name, sn: name, ...attributes }),
    );
    return dn;
  }

  async asRoot<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({
      url: `ldap://127.0.0.1:${this.port}`,
      timeout: PATIENCE_MS,
      connectTimeout: PATIENCE_MS,
    });
    try {
      await client.bind(ROOT, SECRET);
      return await work(client);
    } finally {
      await client.unbind();
    }
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** State of each thread of a process, as Linux tells it: `T` is stopped. */
async function threadStates(pid: number): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const stats = await Promise.all(
    threads.map(thread => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')),
  );
  return stats.map(stat => stat[stat.lastIndexOf(')') + 2]!);
}
