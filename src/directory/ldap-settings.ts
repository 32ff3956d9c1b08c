import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';

/** Attribute names of the directory. */
interface LdapAttributes {
  email: string;
  nome: string;
  descricao: string;
  cpf: string;
  /** DNs of the people who hold an account. */
  holder: string;
  suspended: string;
  password: string;
}

/** A part of the directory with entries of one kind, and the setting that names it. */
export interface Subtree {
  setting: string;
  dn: string;
  filter: string;
}

/** How to reach an LDAP server, and the form of its entries. */
export interface LdapSettings {
  url: string;
  startTls: boolean;
  tls: ConnectionOptions;
  /** DN and password with which the service binds; anonymous when undefined. */
  bind: { dn: string; password: string } | undefined;
  users: Subtree;
  accounts: Subtree;
  /** Attributes that may contain the user name. */
  login: readonly string[];
  attributes: LdapAttributes;
  /** Value of the attribute `suspended` that marks an entry as suspended. */
  suspendedValue: string;
  passwordChange: 'exop' | 'attribute';
  /** Maximum connections for searches and changes, and again as many for logins. */
  pool: number;
  /** Longest time for one use of the server in milliseconds, including the connection. */
  timeoutMs: number;
}

/** The settings of the LDAP server; undefined without `LDAP_URL`. @throws OperatorError for an unusable CA file */
export function ldapSettings(config: Config): LdapSettings | undefined {
  const { LDAP_URL: url, LDAP_BIND_DN: dn, LDAP_USERS_DN: users, LDAP_ACCOUNTS_DN: accounts } = config;
  if (url === undefined || users === undefined || accounts === undefined) return undefined;
  return {
    url,
    startTls: config.LDAP_STARTTLS,
    tls: tlsOptions(new URL(url).hostname, config.LDAP_CA_FILE),
    bind: dn === undefined ? undefined : { dn, password: config.LDAP_BIND_PASSWORD ?? '' },
    users: { setting: 'LDAP_USERS_DN', dn: users, filter: config.LDAP_USERS_FILTER },
    accounts: { setting: 'LDAP_ACCOUNTS_DN', dn: accounts, filter: config.LDAP_ACCOUNTS_FILTER },
    login: config.LDAP_LOGIN_ATTRIBUTES,
    attributes: {
      email: config.LDAP_EMAIL_ATTRIBUTE,
      nome: config.LDAP_NAME_ATTRIBUTE,
      descricao: config.LDAP_DESCRIPTION_ATTRIBUTE,
      cpf: config.LDAP_CPF_ATTRIBUTE,
      holder: config.LDAP_HOLDER_ATTRIBUTE,
      suspended: config.LDAP_SUSPENDED_ATTRIBUTE,
      password: config.LDAP_PASSWORD_ATTRIBUTE,
    },
    suspendedValue: config.LDAP_SUSPENDED_VALUE,
    passwordChange: config.LDAP_PASSWORD_CHANGE,
    pool: config.LDAP_POOL,
    timeoutMs: config.LDAP_TIMEOUT_MS,
  };
}

/** The server's certificate is always verified, with the CAs of the system or of a file. */
function tlsOptions(hostname: string, caFile: string | undefined): ConnectionOptions {
  const host = hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(caFile !== undefined && { ca: readCa(caFile) }),
  };
}

function readCa(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`LDAP_CA_FILE cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (isPem(text)) return text;
  throw new OperatorError(
    `LDAP_CA_FILE must have certificates in the format PEM, all of them whole: ${file}`,
  );
}

/** TLS would leave out what is no certificate, and then trust no server. */
function isPem(text: string): boolean {
  const parts = text.split(/^(?=-----BEGIN )/m);
  const certificates = parts.filter(part => /^-----BEGIN [\w ]*CERTIFICATE-----/.test(part));
  try {
    return certificates.map(part => new X509Certificate(part)).length > 0;
  } catch {
    return false;
  }
}
