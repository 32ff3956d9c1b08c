import { isValid as hasCheckDigits } from '@fnando/cnpj';
import { z } from 'zod';
import { OperatorError } from './errors.ts';
import { activities } from './siproquim/month.ts';
import {
  isAttribute,
  isBasePath,
  isBucket,
  isEndpoint,
  isEverywhere,
  isFeedUrl,
  isHttpUrl,
  isImage,
  isLdapUrl,
  isLoopback,
  isNetwork,
  isOrigin,
  isProxy,
  isRegion,
  isTimeZone,
  PROXY_NAMES,
} from './settings/checks.ts';
import { unknownSettings } from './settings/unknown-settings.ts';
import {
  attribute,
  databaseUrl,
  flag,
  integer,
  ldapFilter,
  list,
  oneOf,
  readUrls,
  text,
} from './settings/value-types.ts';

/** All settings, by environment variable. `.env.example` explains each; a test compares the two. */
const settings = z.object({
  PORT: integer(0, 65535).default(4000),
  HOST: z.string().default('127.0.0.1'),
  WORKERS: integer(1, 64).default(1),
  METRICS_PORT: integer(0, 65535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_READ_URLS: readUrls.default([]),
  READ_MAX_LAG_MS: integer(0, 60_000).default(1000),
  DEMO: flag.default(false),
  DATABASE_POOL: integer(2, 200).default(10),
  EXPORT_POOL: integer(1, 50).default(3),
  DATA_DIR: z.string().default('.data'),
  OTEL_EXPORTER_OTLP_ENDPOINT: text(isHttpUrl, 'like http://collector.university.example:4318').optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  INSTITUTION_TZ: text(
    isTimeZone,
    'the name of a time zone such as America/Sao_Paulo, not an offset',
  ).default('America/Sao_Paulo'),
  INSTITUTION_NAME: text(name => name.trim() !== '', 'the name of the institution').default('Universidade'),
  INSTITUTION_LOGO: text(isImage, 'the path of a whole PNG or JPEG file').optional(),
  INSTITUTION_CNPJ: text(
    cnpj => /^[0-9A-Z]{12}[0-9]{2}$/.test(cnpj) && hasCheckDigits(cnpj),
    'a CNPJ without punctuation: 12 letters or digits and the 2 check digits that fit them',
  ).optional(),
  INSTITUTION_ACTIVITIES: list(
    name => (activities as readonly string[]).includes(name),
    activities.join(', '),
  ).default(['comercializacaoNacional', 'consumo']),
  INSTITUTION_PURPOSE: integer(1, 5).optional(),
  SIPROQUIM_LINE_END: oneOf(['crlf', 'lf']).default('crlf'),
  SIPROQUIM_NF: oneOf(['zeros', 'left']).default('zeros'),
  SIPROQUIM_PRODUCTS: flag.default(true),
  SIPROQUIM_DISPOSALS: oneOf(['omit', 'other']).default('omit'),
  SIPROQUIM_WAREHOUSES: flag.default(false),
  LABEL_URL: text(
    url => isHttpUrl(url) && url.endsWith('/'),
    'like https://storeroom.university.example/, with a slash at its end',
  ).optional(),
  TOKEN_HOURS: integer(1, 720).default(8),
  // A page has 10 records where a request does not say how many.
  MAX_ITEMS_PER_PAGE: integer(10, 100_000).default(1000),
  MAX_UNPAGINATED_ROWS: integer(1, 1_000_000).default(100_000),
  MAX_REQUESTS_PER_PERSON: integer(1, 10_000).optional(),
  MAX_SUBSCRIPTIONS: integer(1, 100_000).default(4_000),
  MAX_SUBSCRIPTIONS_PER_PERSON: integer(1, 100_000).default(50),
  MAX_ROWS_PER_REQUEST: integer(100, 1_000_000).default(50_000),
  MAX_ANSWER_BYTES: integer(65_536, 268_435_456).default(33_554_432),
  PDF_MAX_ROWS: integer(1, 10_000).default(3000),
  MAX_BODY_BYTES: integer(1024, 100_000_000).default(1_000_000),
  STATEMENT_TIMEOUT_MS: integer(100, 600_000).default(15_000),
  SLOW_STATEMENT_MS: integer(0, 600_000).default(500),
  APPROVE_OWN: flag.default(false),
  EXPIRED_STOCK: oneOf(['allow', 'warn', 'refuse']).default('allow'),
  SHUTDOWN_SECONDS: integer(1, 600).default(25),
  TRUSTED_PROXIES: list(isProxy, `addresses, ranges such as 10.0.0.0/8, ${PROXY_NAMES.join(', ')}`).default(
    [],
  ),
  BASE_PATH: text(
    isBasePath,
    'like /sii, with a slash at its beginning and none at its end, and no path of the service itself such as /docs',
  ).default(''),
  COMPRESSION: flag.default(true),
  CORS_ORIGINS: list(isOrigin, 'origins such as https://app.university.example, or *').default([]),
  NEWS_FEED_URL: text(isFeedUrl, 'like https://www.university.example/feed').optional(),
  NEWS_REFRESH_MINUTES: integer(1, 10_080).default(30),
  WEBHOOK_KEY: text(
    key => key.trim().length >= 32,
    'at least 32 characters, blanks around them not counted, such as what openssl rand -base64 32 prints',
  ).optional(),
  WEBHOOK_ALLOW: list(isNetwork, 'addresses and ranges such as 10.0.0.0/8').default([]),
  SANDBOX: flag.default(true),
  DOCS: flag.default(true),
  CVR_HOURS: integer(1, 8760).default(72),
  LDAP_URL: text(isLdapUrl, 'like ldaps://ldap.university.example:636, without a login').optional(),
  LDAP_STARTTLS: flag.default(false),
  LDAP_CA_FILE: z.string().optional(),
  LDAP_BIND_DN: z.string().optional(),
  LDAP_BIND_PASSWORD: z.string().optional(),
  LDAP_USERS_DN: z.string().optional(),
  LDAP_ACCOUNTS_DN: z.string().optional(),
  LDAP_USERS_FILTER: ldapFilter(),
  LDAP_ACCOUNTS_FILTER: ldapFilter(),
  LDAP_LOGIN_ATTRIBUTES: list(isAttribute, 'names of attributes').default(['uid', 'mail']),
  LDAP_EMAIL_ATTRIBUTE: attribute('mail'),
  LDAP_NAME_ATTRIBUTE: attribute('cn'),
  LDAP_DESCRIPTION_ATTRIBUTE: attribute('description'),
  LDAP_CPF_ATTRIBUTE: attribute('employeeType'),
  LDAP_HOLDER_ATTRIBUTE: attribute('manager'),
  LDAP_SUSPENDED_ATTRIBUTE: attribute('businessCategory'),
  LDAP_SUSPENDED_VALUE: z.string().default('suspensa'),
  LDAP_PASSWORD_ATTRIBUTE: attribute('userPassword'),
  LDAP_PASSWORD_CHANGE: oneOf(['exop', 'attribute']).default('exop'),
  LDAP_POOL: integer(1, 100).default(5),
  LDAP_TIMEOUT_MS: integer(100, 3000).default(2500),
  FILES_MAX_BYTES: integer(1, 268_435_456).default(26_214_400),
  FILES_S3_BUCKET: text(isBucket, 'the name of a bucket, not its address').optional(),
  FILES_S3_ENDPOINT: text(isEndpoint, 'like https://s3.example.edu, without a login').optional(),
  FILES_S3_REGION: text(isRegion, 'the name of a region such as us-east-1').default('us-east-1'),
  FILES_S3_ACCESS_KEY_ID: z.string().optional(),
  FILES_S3_SECRET_ACCESS_KEY: z.string().optional(),
  FILES_S3_TIMEOUT_MS: integer(100, 60_000).default(5_000),
});

export type Config = z.output<typeof settings>;

/** Names of the environment variables of the service. */
export const settingNames = Object.keys(settings.shape);

/** The settings of a group, each with the one without which it does nothing. */
const group = (prefix: string, needed: string): [name: string, needed: string][] =>
  settingNames.filter(name => name.startsWith(prefix) && name !== needed).map(name => [name, needed]);

/** Settings, each with another one that it requires. */
const companions: readonly (readonly [name: string, needed: string])[] = [
  ['LDAP_URL', 'LDAP_USERS_DN'],
  ['LDAP_URL', 'LDAP_ACCOUNTS_DN'],
  ['LDAP_BIND_DN', 'LDAP_BIND_PASSWORD'],
  ['LDAP_BIND_PASSWORD', 'LDAP_BIND_DN'],
  ['DATABASE_READ_URLS', 'DATABASE_URL'],
  ['READ_MAX_LAG_MS', 'DATABASE_READ_URLS'],
  ['METRICS_HOST', 'METRICS_PORT'],
  ['NEWS_REFRESH_MINUTES', 'NEWS_FEED_URL'],
  ['WEBHOOK_ALLOW', 'WEBHOOK_KEY'],
  ...group('LDAP_', 'LDAP_URL'),
  ...group('FILES_S3_', 'FILES_S3_BUCKET'),
];

/** Whether a value says something else than the setting's default. */
function isUnusual(name: string, value: string | undefined): boolean {
  const { [name]: type } = settings.shape as Record<string, z.ZodType>;
  const { success, data } = type!.safeParse(value);
  return !success || JSON.stringify(data) !== JSON.stringify(type!.parse(undefined));
}

/**
 * Whether the demo may be served: it has public passwords, so only this machine may reach it, directly and through a
 * proxy, unless the operator set DEMO.
 */
export const mayShowDemo = ({ HOST, TRUSTED_PROXIES, DEMO }: Config): boolean =>
  DEMO || (isLoopback(HOST) && TRUSTED_PROXIES.length === 0);

/** What to do where `mayShowDemo` is false. */
export const DEMO_EXPOSED =
  'HOST or TRUSTED_PROXIES lets other machines reach it: set HOST=127.0.0.1 without TRUSTED_PROXIES to try the demo here, or DEMO=true to serve it to others';

/** Whether the metrics would need the port of the service. Port 0 is any free one. */
const isTaken = ({ HOST, PORT, METRICS_HOST, METRICS_PORT }: Config): boolean =>
  PORT !== 0 &&
  METRICS_PORT === PORT &&
  (METRICS_HOST === HOST || isEverywhere(HOST) || isEverywhere(METRICS_HOST));

/** Whether StartTLS would encrypt what the URL encrypts already. The server would refuse it. */
const isEncryptedTwice = (config: Config | undefined): boolean =>
  config !== undefined &&
  config.LDAP_STARTTLS &&
  config.LDAP_URL?.toLowerCase().startsWith('ldaps:') === true;

/**
 * Reads checked, typed settings from the environment. An empty variable counts as absent.
 * @throws OperatorError that names every invalid variable with the expected value, and every unknown setting
 */
export function readConfig(environment: NodeJS.ProcessEnv, inFile: readonly string[] = []): Config {
  const given = Object.entries(environment).filter(
    ([name, value]) => settingNames.includes(name) && value !== '',
  );
  const values = Object.fromEntries(given);
  const result = settings.safeParse(values);
  const lonely = companions
    .filter(([name, needed]) => !values[needed] && values[name] && isUnusual(name, values[name]))
    .map(([name, needed]) => `  ${needed} is required when ${name} is set`);
  const unknown = unknownSettings(environment, inFile, settingNames).map(line => `  ${line}`);
  const issues = result.error?.issues.map(issue => `  ${String(issue.path[0])} ${issue.message}`) ?? [];
  const exposed = result.success && !result.data.DATABASE_URL && !mayShowDemo(result.data);
  const noDatabase = `  DATABASE_URL is required, or this would serve the demo, whose passwords are public. ${DEMO_EXPOSED}`;
  const taken = result.success && isTaken(result.data);
  const problems = [
    ...issues,
    ...lonely,
    ...unknown,
    ...(exposed ? [noDatabase] : []),
    ...(isEncryptedTwice(result.data)
      ? ['  LDAP_STARTTLS must be false when LDAP_URL begins with ldaps://']
      : []),
    ...(taken ? ['  METRICS_PORT must not be PORT, on which the service itself listens'] : []),
  ];
  if (result.success && problems.length === 0) return result.data;
  throw new OperatorError(
    `The configuration cannot be used:\n${problems.join('\n')}\nSee .env.example for every setting.`,
  );
}
