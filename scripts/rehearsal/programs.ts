import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const VERSIONS = '/usr/lib/postgresql';

/** Programs of PostgreSQL's newest installed version. */
const newest = (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
  .toSorted((a, b) => Number(b) - Number(a))
  .map(version => join(VERSIONS, version, 'bin'))
  .find(bin => existsSync(join(bin, 'pg_rewind')));

/** Where Debian's packages patroni, etcd-server, haproxy, nginx and postgresql put their programs. */
export const programs = {
  patroni: '/usr/bin/patroni',
  patronictl: '/usr/bin/patronictl',
  etcd: '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  nginx: '/usr/sbin/nginx',
  postgres: newest ?? join(VERSIONS, '15/bin'),
} as const;

/** The programs that are missing. */
export const missing = (): string[] => Object.values(programs).filter(path => !existsSync(path));
