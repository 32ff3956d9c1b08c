import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig, settingNames, type Config } from '../src/config.ts';
import { OperatorError } from '../src/errors.ts';
import { ldapSettings } from '../src/directory/ldap-settings.ts';
import { routes } from '../src/rest/routes.ts';
import { parseEnvFile } from '../src/settings/env-file.ts';
import { Servers } from '../src/database/servers.ts';
import { certify } from './support/certificate.ts';
import { temporaryFolder } from './support/folder.ts';

/** What a start with these settings prints; empty if it accepts them. */
function refusal(environment: NodeJS.ProcessEnv): string {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(['DATABASE_URL', 'DATABASE_READ_URLS'])(
  '%s may name the schema public, where the tables are, and no other one',
  name => {
    const DATABASE_URL = 'postgresql://sii@db1/sii';
    for (const query of ['schema=foo', 'sslmode=disable&schema=foo', 'schema=', 'schema=foo&schema=public'])
      expect(refusal({ DATABASE_URL, [name]: `postgresql://sii@db2/sii?${query}` })).toBe(
        `The configuration cannot be used:
  ${name} must not name a schema other than public, in which the tables are: remove schema=… from it
See .env.example for every setting.`,
      );
    expect(refusal({ DATABASE_URL, [name]: 'postgresql://sii@db2/sii?schema=public' })).toBe('');
  },
);

test('a schema of the URL is not passed on to the ORM, which would write it before the names of tables', () => {
  const { urls } = new Servers('postgresql://sii@db1,db2/sii?schema=public&sslmode=disable');
  expect(urls).toEqual([
    'postgresql://sii@db1/sii?sslmode=disable',
    'postgresql://sii@db2/sii?sslmode=disable',
  ]);
});

const login = ['sii:12/geheim', 'sii:12?geheim', 'sii:12#geheim', '12/geheim', 'sii:/geheim'];

test.each([
  ['DATABASE_URL', 'postgresql', '/sii', '@ % in the password'],
  ['DATABASE_READ_URLS', 'postgresql', '/sii', '@ % in the password'],
  ['LDAP_URL', 'ldaps', '', 'without a login'],
  ['FILES_S3_ENDPOINT', 'https', '', 'without a login'],
])('%s whose password would be read as a part of the address is refused, without the password', (...all) => {
  const [name, scheme, path, advice] = all;
  for (const one of login) {
    const said = refusal({ [name]: `${scheme}://${one}@host.example${path}` });
    expect(said, one).toContain(`  ${name} must be`);
    expect(said, one).toContain(advice);
    expect(said, one).not.toContain('geheim');
  }
});

test('a password in which such characters are encoded is accepted', () => {
  const DATABASE_URL = 'postgresql://sii:12%2Fa%3Fb%23c%40d%25@db1:5433,db2/sii?options=-ca%40b';
  expect(readConfig({ DATABASE_URL, DATABASE_READ_URLS: 'postgresql://s:1%2F@db2/sii' })).toMatchObject({
    DATABASE_URL,
  });
});

test.each([
  ['LDAP_URL', 'ldap://cn=sii:geheim@ldap.example'],
  ['LDAP_URL', 'ldaps://ldap.example?base'],
  ['FILES_S3_ENDPOINT', 'https://key:secret@s3.example'],
  ['FILES_S3_ENDPOINT', 'https:s3.example'],
  ['FILES_S3_BUCKET', 'https://s3.example/sii'],
  ['FILES_S3_BUCKET', 'Bad Bucket'],
  ['FILES_S3_BUCKET', 'a/b'],
  ['FILES_S3_REGION', 'a b'],
  ['LABEL_URL', 'http:storeroom.example/'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http:collector.example'],
  ['BASE_PATH', '/..'],
  ['BASE_PATH', '/sii/./a'],
  ['BASE_PATH', '/graphql'],
  ['BASE_PATH', '/docs'],
  ['BASE_PATH', '/healthz'],
  ['WEBHOOK_KEY', ' '.repeat(40)],
  ['WEBHOOK_KEY', `${' '.repeat(20)}key${' '.repeat(20)}`],
])('%s refuses %j', (name, value) => {
  expect(refusal({ [name]: value })).toContain(`  ${name} must`);
});

test.each([
  ['FILES_S3_BUCKET', 'arquivos_SII.2026'],
  ['FILES_S3_BUCKET', 'arn:aws:s3:sa-east-1:123456789012:accesspoint/sii'],
  ['FILES_S3_REGION', 'garage'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318/below'],
  ['BASE_PATH', '/institucional/sii'],
  ['BASE_PATH', '/docs-sii'],
  ['BASE_PATH', '/.well/..sii'],
])('%s accepts %j', (name, value) => {
  expect(refusal({ FILES_S3_BUCKET: 'sii', [name]: value })).toBe('');
});

test('BASE_PATH is no path that the service itself has, or a proxy could not pass it on', () => {
  const first = new Set(routes.map(({ path }) => `/${path.split('/')[1]}`));
  for (const BASE_PATH of first) expect(refusal({ BASE_PATH })).toContain('  BASE_PATH must');
});

test.each([
  ['METRICS_PORT', 'METRICS_HOST', '10.0.0.5'],
  ['NEWS_FEED_URL', 'NEWS_REFRESH_MINUTES', '5'],
  ['DATABASE_READ_URLS', 'READ_MAX_LAG_MS', '50'],
])('without %s, %s ends the start, because it would do nothing', (needed, name, value) => {
  expect(refusal({ [name]: value })).toContain(`  ${needed} is required when ${name} is set`);
  expect(refusal({ [name]: String(readConfig({})[name as keyof Config]) })).toBe('');
});

test('a name that resembles a setting and its file is taken for the setting', () => {
  expect(refusal({ DATABASE_POOL_SIZE: '20' })).toContain(
    'DATABASE_POOL_SIZE is not a setting; did you mean DATABASE_POOL?',
  );
  expect(refusal({ DATABASE_URL_FIEL: '/run/secrets/url' })).toContain('did you mean DATABASE_URL_FILE?');
});

test('LDAP_CA_FILE without a whole certificate is refused at the start', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'ca.pem');
  const config = readConfig({
    LDAP_URL: 'ldaps://ldap.example',
    LDAP_USERS_DN: 'ou=p',
    LDAP_ACCOUNTS_DN: 'ou=c',
    LDAP_CA_FILE: file,
  });
  const { certificate, key } = certify(folder);
  const cert = await readFile(certificate, 'utf8');
  for (const wrong of [
    '',
    'no certificate',
    await readFile(key, 'utf8'),
    cert.slice(0, -60),
    `${cert}\n${cert.slice(0, 200)}`,
  ]) {
    await writeFile(file, wrong);
    expect(() => ldapSettings(config), wrong).toThrow(
      `LDAP_CA_FILE must have certificates in the format PEM, all of them whole: ${file}`,
    );
  }
  await writeFile(file, `# the university's\n${cert}\n${cert}`);
  expect(ldapSettings(config)).toMatchObject({ tls: { ca: expect.anything() } });
});

test.each([
  ['a # in it, which would begin a comment', 'ADMIN_PASSWORD=correct-horse#battery'],
  ['a # in it, as its first character', 'ADMIN_PASSWORD=#battery'],
  ['a # behind a blank and one without', 'export ADMIN_PASSWORD = correct#battery # horse'],
  ['a # behind a quote that it does not begin with', 'ADMIN_PASSWORD=correct"horse#battery"'],
  ['a quote that nothing closes', "ADMIN_PASSWORD='horse#battery"],
  ['its own quote inside', "ADMIN_PASSWORD='horse's battery'"],
  ['something behind its quotes', 'ADMIN_PASSWORD="horse"battery'],
])('a value in the file .env with %s is refused, because it could be cut, and not printed', (_what, line) => {
  for (const end of ['', '\n', '\r\n'])
    expect(() => parseEnvFile(`PORT=0\n${line}${end}`)).toThrow(
      new OperatorError(
        'The file .env does not show where the value of ADMIN_PASSWORD ends: outside quotes a # begins a comment, and a quote ends where it comes again. Put the whole value between \', " or `, whichever it does not contain, and a blank before the # of a comment.',
      ),
    );
});

test('the file .env is read as Node.js reads it where no value would be cut', () => {
  const text = `# PORT=1#2
PORT=1 # the port
HOST='a#b' # a comment
DATABASE_URL="c#d"#e
INSTITUTION_NAME=\`it's "#1"\`
export LDAP_BIND_DN = cn=sii\\,x
LDAP_BIND_PASSWORD="first
second#third
X=fourth"
WEBHOOK_KEY=
LOG_LEVEL= # usual
DATA_DIR=a"b`;
  expect(parseEnvFile(text)).toEqual({
    PORT: '1',
    HOST: 'a#b',
    DATABASE_URL: 'c#d',
    INSTITUTION_NAME: 'it\'s "#1"',
    LDAP_BIND_DN: 'cn=sii\\,x',
    LDAP_BIND_PASSWORD: 'first\nsecond#third\nX=fourth',
    WEBHOOK_KEY: '',
    LOG_LEVEL: '',
    DATA_DIR: 'a"b',
  });
  expect(settingNames).toEqual(expect.arrayContaining(Object.keys(parseEnvFile(text))));
});
