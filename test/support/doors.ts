import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../src/embedded-postgres/settings.ts';
import { certify } from './certificate.ts';
import { eventually } from './eventually.ts';
import { temporaryFolder } from './folder.ts';
import { needs } from './needs.ts';
import { reap } from './reaper.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const NGINX = '/usr/sbin/nginx';
const HAPROXY = '/usr/sbin/haproxy';

/** A proxy with TLS, configured by the samples of `deploy/`, in front of a service. */
export interface Door {
  /** Address of the site. `/` or `/sii/` on it leads to the service. */
  url: string;
  /** The certificate that its clients must trust. */
  ca: Buffer;
  stop(): Promise<void>;
}

/** Whether the site contains only the service, or has it at `/sii`. */
export type Place = 'a site of its own' | 'a path of a site';

/** In front of one or two nodes. */
type Start = (nodes: readonly string[], place: Place) => Promise<Door>;

/** Whether nginx and HAProxy can be started. */
export const hasDoors = (): boolean => needs('nginx and haproxy', existsSync(NGINX) && existsSync(HAPROXY));

/** Starts each proxy in front of a service, given the URLs of its nodes. */
export const doors: Record<'nginx' | 'HAProxy', Start> = { nginx, HAProxy: haproxy };

async function sample(path: string, changes: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(join(deploy, path), 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`${path} does not say ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** Replacements of the addresses in the samples. If there is only one node, the second one counts as down. */
async function addresses([first, second]: readonly string[]): Promise<Record<string, string>> {
  return {
    '127.0.0.1:4001': new URL(first!).host,
    '127.0.0.1:4002': second ? new URL(second).host : `127.0.0.1:${await freePort()}`,
  };
}

async function nginx(nodes: readonly string[], place: Place): Promise<Door> {
  const folder = await temporaryFolder();
  const { certificate, key } = certify(folder);
  const [port, plain] = [await freePort(), await freePort()];
  const site = await sample('nginx/sii.conf', {
    ...(await addresses(nodes)),
    'listen 80;': `listen 127.0.0.1:${plain};`,
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '/etc/nginx/tls/sii.pem': certificate,
    '/etc/nginx/tls/sii.key': key,
  });
  const alone = site.slice(site.indexOf('  include sii-writes.conf;'), site.lastIndexOf('}'));
  const below = site.replace(alone, '  include sii-below.conf;\n');
  await writeFile(join(folder, 'sii.conf'), place === 'a path of a site' ? below : site);
  for (const name of ['sii-proxy.conf', 'sii-writes.conf', 'sii-below.conf'])
    await writeFile(join(folder, name), await sample(`nginx/${name}`, {}));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `  ${name}_temp_path ${folder}/${name};`)
    .join('\n');
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off;
pid ${folder}/nginx.pid;
error_log stderr warn;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 256; }
http {
  access_log off;
${temporary}
  include ${folder}/sii.conf;
}
`,
  );
  return run(NGINX, ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    folder,
    port,
    certificate,
  });
}

async function haproxy(nodes: readonly string[], place: Place): Promise<Door> {
  const folder = await temporaryFolder();
  const { certificate, key } = certify(folder);
  const both = join(folder, 'sii.pem');
  await writeFile(both, Buffer.concat([await readFile(certificate), await readFile(key)]));
  const port = await freePort();
  const text = await sample('haproxy/sii.cfg', {
    ...(await addresses(nodes)),
    'bind :443': `bind 127.0.0.1:${port}`,
    '/etc/haproxy/tls/sii.pem': both,
    ...(place === 'a path of a site' && { '  default_backend sii\n': '', '# use_backend': 'use_backend' }),
  });
  await writeFile(join(folder, 'sii.cfg'), text);
  return run(HAPROXY, ['-db', '-f', join(folder, 'sii.cfg')], { folder, port, certificate });
}

interface Started {
  folder: string;
  port: number;
  certificate: string;
}

/** @throws Error with the output of the program, if it ends at once */
async function run(file: string, args: string[], { folder, port, certificate }: Started): Promise<Door> {
  const child = spawn(file, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  reap({ group: child.pid! });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (written += String(text)));
  await eventually(async () => {
    if (!hasEnded(child)) await accepts(port);
  });
  if (hasEnded(child)) throw new Error(`${file} ended with ${child.exitCode}: ${written}`);
  return {
    url: `https://127.0.0.1:${port}`,
    ca: await readFile(certificate),
    stop: async () => {
      if (!hasEnded(child)) {
        const ended = once(child, 'exit');
        process.kill(-child.pid!, 'SIGTERM');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
