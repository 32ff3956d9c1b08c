import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { FilterParser } from 'ldapts';
import { urlsOf } from './database-url.ts';

const succeeds = (attempt: () => unknown): boolean => {
  try {
    return Boolean(attempt());
  } catch {
    return false;
  }
};

/** The name of a time zone. Of an offset such as `-03:00`, Node.js and PostgreSQL read the sign in opposite ways. */
export const isTimeZone = (name: string): boolean =>
  /^[a-z]/i.test(name) && succeeds(() => new Intl.DateTimeFormat('en', { timeZone: name }));
export const isDatabaseUrl = (url: string): boolean =>
  succeeds(() => /^postgres(ql)?:\/\//.test(url) && urlsOf(url));
export const isReadUrl = (url: string): boolean => isDatabaseUrl(url) && !urlsOf(url).onlyPrimary;
/** Whether the tables are where this database URL says. An invalid URL is not for this check. */
export const isOfPublic = (url: string): boolean => !isDatabaseUrl(url) || urlsOf(url).schema === 'public';
export const isHttpUrl = (url: string): boolean =>
  succeeds(() => /^https?:\/\/[^/]/.test(url) && new URL(url));
/** Without a login, whose password could be printed where the address is. */
export const isEndpoint = (url: string): boolean => isHttpUrl(url) && !/[@?#]/.test(url);
export const isOrigin = (origin: string): boolean =>
  origin === '*' || succeeds(() => /^https?:/.test(origin) && new URL(origin).origin === origin);

/** A complete PNG or JPEG; a truncated image would break every document. */
export const isImage = (path: string): boolean =>
  succeeds(() => /^(89504e470d0a1a0a.*49454e44ae426082$|ffd8ff.*ffd9)/.test(readFileSync(path, 'hex')));
export const isFeedUrl = (url: string): boolean =>
  succeeds(() => /^https?:\/\//.test(url) && new URL(url).username === '');
export const isLdapUrl = (url: string): boolean =>
  succeeds(() => {
    const { protocol, hostname, pathname } = new URL(url);
    return /^ldaps?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && !/[@?#]/.test(url);
  });
export const isAttribute = (name: string): boolean => /^[a-z][a-z0-9-]*$/i.test(name);
export const isLdapFilter = (filter: string): boolean =>
  succeeds(() => /^\(.*\)$/s.test(filter) && FilterParser.parseString(filter));

/** Paths of the service itself. Below one of them, nobody could tell which of two paths a proxy asks for. */
const OWN_PATHS =
  /^\/(academico|almoxarifadoquimicos|arquivosdigitais|auth|docs|errors|graphiql|graphql|healthz|institucional|mudancas|openapi\.json|permissoes|readyz|relatorios|schema\.graphql)$/;

export const isBasePath = (path: string): boolean =>
  /^(\/(?!\.\.?(\/|$))[\w.~-]+)+$/.test(path) && !OWN_PATHS.test(path);

/** The name of a bucket, also in storages that allow more than Amazon's, or of an access point of Amazon. */
export const isBucket = (name: string): boolean => /^([\w.:-]{3,255}|arn:[\w.:/-]+)$/.test(name);
export const isRegion = (name: string): boolean => /^[\w-]+$/.test(name);

/** Names of networks that `TRUSTED_PROXIES` accepts. */
export const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

export const isProxy = (proxy: string): boolean => PROXY_NAMES.includes(proxy) || isNetwork(proxy);

/** An IP address, or a CIDR range such as `10.0.0.0/8`. */
export function isNetwork(network: string): boolean {
  const [address = '', bits, ...rest] = network.split('/');
  const version = isIP(address);
  if (version === 0) return false;
  return (
    bits === undefined || (rest.length === 0 && /^\d+$/.test(bits) && +bits <= (version === 4 ? 32 : 128))
  );
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a host stands for all addresses of this machine. */
export const isEverywhere = (host: string): boolean => ['0.0.0.0', '::'].includes(host);

/** Whether the address is reachable only from this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
