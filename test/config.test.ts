import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig, settingNames } from '../src/config.ts';
import { USUAL_SIZE } from '../src/listing/declaration.ts';
import { fromFiles } from '../src/settings/secret-files.ts';
import { temporaryFolder } from './support/folder.ts';

const example = await readFile(join(import.meta.dirname, '../.env.example'), 'utf8');

test('.env.example names every setting and no other', () => {
  expect(Object.keys(parseEnv(example)).toSorted()).toEqual([...settingNames].toSorted());
});

test('.env.example gives the defaults', () => {
  expect(readConfig(parseEnv(example))).toEqual(readConfig({}));
});

test('.env.example explains every setting in one line above it', () => {
  const lines = example.split('\n');
  const explanations = lines.filter((_, i) => /^[A-Z0-9_]+=/.test(lines[i + 1] ?? ''));
  expect(explanations).toHaveLength(settingNames.length);
  for (const line of explanations) expect(line).toMatch(/^# .{15,}/);
});

test('every bad setting is reported at once, with what would be right and without its value', () => {
  const bad = {
    PORT: '70000',
    DATABASE_URL: 'mysql://user:secret@host/db',
    LOG_LEVEL: 'loud',
    INSTITUTION_TZ: 'Mars/Olympus',
    INSTITUTION_LOGO: '/nowhere/logo.png',
    TRUSTED_PROXIES: 'loopback, 10.0.0.0/33',
    CORS_ORIGINS: 'https://app.example/path',
    SANDBOX: 'maybe',
    TOKEN_HOURS: '8',
  };
  expect(() => readConfig(bad)).toThrow(
    new Error(`The configuration cannot be used:
  PORT must be a whole number from 0 to 65535
  DATABASE_URL must be like postgresql://user:password@host:5432/database, with / ? # @ % in the password written as %2F %3F %23 %40 %25
  LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent
  INSTITUTION_TZ must be the name of a time zone such as America/Sao_Paulo, not an offset
  INSTITUTION_LOGO must be the path of a whole PNG or JPEG file
  TRUSTED_PROXIES must be a list, separated by commas, of addresses, ranges such as 10.0.0.0/8, loopback, linklocal, uniquelocal
  CORS_ORIGINS must be a list, separated by commas, of origins such as https://app.university.example, or *
  SANDBOX must be true or false
See .env.example for every setting.`),
  );
});

test('an incomplete logo is found at the start, not by the first document', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const INSTITUTION_LOGO = join(folder, 'logo');
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const end = Buffer.from('49454e44ae426082', 'hex');
  const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex');
  for (const whole of [Buffer.concat([png, end]), Buffer.concat([jpeg, Buffer.from('ffd9', 'hex')])]) {
    await writeFile(INSTITUTION_LOGO, whole);
    expect(readConfig({ INSTITUTION_LOGO })).toMatchObject({ INSTITUTION_LOGO });
    await writeFile(INSTITUTION_LOGO, whole.subarray(0, -1));
    expect(() => readConfig({ INSTITUTION_LOGO })).toThrow('INSTITUTION_LOGO must be the path of a whole');
  }
});

test('METRICS_PORT must not be the port of the service on the same address', () => {
  const ports = { PORT: '4000', METRICS_PORT: '4000' };
  const refused = '  METRICS_PORT must not be PORT, on which the service itself listens';
  for (const hosts of [{}, { METRICS_HOST: '0.0.0.0' }, { HOST: '::', DEMO: 'true' }])
    expect(() => readConfig({ ...ports, ...hosts }), JSON.stringify(hosts)).toThrow(refused);
  expect(readConfig({ ...ports, METRICS_HOST: '10.0.0.5' })).toMatchObject({ METRICS_PORT: 4000 });
  expect(readConfig({ PORT: '0', METRICS_PORT: '0' })).toMatchObject({ METRICS_PORT: 0 });
});

test('a misspelt setting is refused with the one that may be meant, wherever it stands', () => {
  const wrong = {
    DATABSE_URL: 'postgresql://user:secret@host/db',
    DATABASE_URI: 'postgresql://user:secret@host/db',
    database_url_file: '/run/secrets/url',
    LDAP_USER_DN: 'ou=people',
    LDAP_PORT: '389',
    FILES_BUCKET_FOR_S3_OF_THE_STOREROOM: 'sii',
  };
  expect(() => readConfig(wrong)).toThrow(
    new Error(`The configuration cannot be used:
  DATABSE_URL is not a setting; did you mean DATABASE_URL?
  DATABASE_URI is not a setting; did you mean DATABASE_URL?
  database_url_file is not a setting; did you mean DATABASE_URL_FILE?
  LDAP_USER_DN is not a setting; did you mean LDAP_USERS_DN?
  LDAP_PORT is not a setting; did you mean LDAP_POOL?
  FILES_BUCKET_FOR_S3_OF_THE_STOREROOM is not a setting
See .env.example for every setting.`),
  );
});

test('names of platforms and other programs and empty variables are not taken for settings', () => {
  const others = {
    ...parseEnv(`HOME=/home/sii
HOSTNAME=sii-7d9f
PATH=/usr/bin
POST=1
PORTS=80
DOCKER=1
TMPDIR=/tmp
NODE_ENV=production
AWS_REGION=sa-east-1
LOGNAME=sii
HTTPS_PROXY=http://proxy:3128
DATABASE_PRIVATE_URL=postgresql://other
DATABASE_HOST=other
LDAPTLS_CACERT=/etc/ssl/ca.pem
LDAPURI=ldap://other
LDAPBINDDN=cn=other
LDAP_PORT=tcp://10.0.0.3:389
LDAP_SERVICE_HOST=10.0.0.3
LDAP_SERVICE_PORT=389
LDAP_SERVICE_PORT_LDAPS=636
LDAP_PORT_389_TCP=tcp://10.0.0.3:389
LDAP_PORT_389_TCP_PROTO=tcp
LDAP_PORT_389_TCP_ADDR=10.0.0.3
FILES_PORT_7070_TCP_PORT=7070
KUBERNETES_SERVICE_HOST=10.0.0.1
KUBERNETES_PORT=tcp://10.0.0.1:443
npm_config_loglevel=error
LDAP_USER_DN=`),
  };
  expect(readConfig(others)).toEqual(readConfig({}));
});

test('a name similar to a setting is accepted if that setting itself is set', () => {
  const both = { DATABASE_URL: 'postgresql://host/db', DATABASE_URI: 'postgresql://host/db' };
  expect(readConfig(both)).toMatchObject({ DATABASE_URL: 'postgresql://host/db' });
});

test('in the file .env every name must be known', () => {
  const names = { TIMEZONE: 'America/Sao_Paulo', PORTS: '80', AWS_REGION: 'sa-east-1', TZ: 'UTC' };
  expect(() => readConfig(names, Object.keys(names))).toThrow(
    new Error(`The configuration cannot be used:
  TIMEZONE is not a setting
  PORTS is not a setting; did you mean PORT?
See .env.example for every setting.`),
  );
});

test.each(['127.0.0.1', '127.0.1.1', '::1', 'localhost'])('the demo starts on %s', HOST => {
  expect(readConfig({ HOST })).toMatchObject({ HOST });
});

test.each(['0.0.0.0', '::', '10.0.0.7', 'sii.university.example'])(
  'the demo does not start on %s without DEMO=true',
  HOST => {
    expect(() => readConfig({ HOST })).toThrow(/DATABASE_URL is required.*HOST=127\.0\.0\.1.*DEMO=true/);
    expect(readConfig({ HOST, DEMO: 'true' })).toMatchObject({ HOST });
    expect(readConfig({ HOST, DATABASE_URL: 'postgresql://host/db' })).toMatchObject({ HOST });
  },
);

test('the demo does not start behind a proxy without DEMO=true', () => {
  const TRUSTED_PROXIES = 'loopback';
  expect(() => readConfig({ TRUSTED_PROXIES })).toThrow(/DATABASE_URL is required.*without TRUSTED_PROXIES/);
  expect(readConfig({ TRUSTED_PROXIES, DEMO: 'true' })).toMatchObject({ DEMO: true });
  expect(readConfig({ TRUSTED_PROXIES, DATABASE_URL: 'postgresql://host/db' })).toMatchObject({
    DEMO: false,
  });
});

test('settings that need other settings say which', () => {
  const ldap = { LDAP_URL: 'ldaps://ldap.example', LDAP_BIND_DN: 'cn=sii', LDAP_USERS_DN: 'ou=people' };
  expect(() => readConfig(ldap)).toThrow(
    new Error(`The configuration cannot be used:
  LDAP_ACCOUNTS_DN is required when LDAP_URL is set
  LDAP_BIND_PASSWORD is required when LDAP_BIND_DN is set
See .env.example for every setting.`),
  );
});

test.each([
  ['LDAP_URL', { LDAP_USERS_DN: 'ou=people,dc=example' }],
  ['LDAP_URL', { LDAP_CA_FILE: '/ca.pem' }],
  ['LDAP_URL', { LDAP_USERS_FILTER: '(uid=*)' }],
  ['LDAP_URL', { LDAP_STARTTLS: 'true' }],
  ['LDAP_BIND_DN', { LDAP_BIND_PASSWORD: 'secret' }],
  ['FILES_S3_BUCKET', { FILES_S3_ENDPOINT: 'https://s3.example' }],
  ['FILES_S3_BUCKET', { FILES_S3_ACCESS_KEY_ID: 'key', FILES_S3_SECRET_ACCESS_KEY: 'secret' }],
  ['FILES_S3_BUCKET', { FILES_S3_REGION: 'sa-east-1' }],
  ['WEBHOOK_KEY', { WEBHOOK_ALLOW: '10.0.0.0/8' }],
  ['DATABASE_URL', { DATABASE_READ_URLS: 'postgresql://sii@db2/sii' }],
])('without %s, settings that only work with it end the start: %j', (needed, given) => {
  for (const name of Object.keys(given))
    expect(() => readConfig(given)).toThrow(`  ${needed} is required when ${name} is set`);
  expect(readConfig({ [Object.keys(given)[0]!]: '', [needed]: '' })).toEqual(readConfig({}));
});

test('StartTLS is refused for a URL that is encrypted already', () => {
  const ldap = { LDAP_URL: 'ldaps://ldap.example', LDAP_USERS_DN: 'ou=p', LDAP_ACCOUNTS_DN: 'ou=c' };
  expect(() => readConfig({ ...ldap, LDAP_STARTTLS: 'true' })).toThrow(
    '  LDAP_STARTTLS must be false when LDAP_URL begins with ldaps://',
  );
  const plain = { ...ldap, LDAP_URL: 'ldap://ldap.example', LDAP_STARTTLS: 'true' };
  expect(readConfig(plain)).toMatchObject({ LDAP_STARTTLS: true });
});

test.each([
  ['LDAP_URL', 'https://ldap.example'],
  ['LDAP_URL', 'ldap://ldap.example/dc=example'],
  ['LDAP_USERS_FILTER', 'objectClass=person'],
  ['LDAP_ACCOUNTS_FILTER', '(objectClass=person'],
  ['LDAP_EMAIL_ATTRIBUTE', 'mail)(uid=*'],
  ['LDAP_LOGIN_ATTRIBUTES', 'uid,ma il'],
  ['LDAP_LOGIN_ATTRIBUTES', ','],
  ['INSTITUTION_ACTIVITIES', ','],
  // PostgreSQL and Node.js read an offset with opposite signs.
  ['INSTITUTION_TZ', '-03:00'],
  ['INSTITUTION_TZ', '+03'],
  ['INSTITUTION_TZ', '-0300'],
  ['LABEL_URL', 'https://storeroom.example'],
  ['LABEL_URL', 'https://storeroom.example/label?code='],
  ['MAX_ITEMS_PER_PAGE', String(USUAL_SIZE - 1)],
  ['LDAP_TIMEOUT_MS', '3001'],
])('%s refuses %s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`  ${name} must`);
});

test('values are converted to their types, and an empty one counts as absent', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '',
    DATABASE_URL: 'postgresql://user@host/db',
    TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,::1',
    CORS_ORIGINS: '*',
    SANDBOX: 'FALSE',
    UNRELATED: 'x',
  });
  expect(config).toEqual({
    ...readConfig({}),
    PORT: 0,
    DATABASE_URL: 'postgresql://user@host/db',
    TRUSTED_PROXIES: ['loopback', '10.0.0.0/8', '::1'],
    CORS_ORIGINS: ['*'],
    SANDBOX: false,
  });
});

test('a setting may stand in a file, unless its own variable says otherwise', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'url');
  await writeFile(file, 'postgresql://sii:p%20w@host/db\n');
  const environment = {
    DATABASE_URL_FILE: file,
    HOST: '::1',
    HOST_FILE: '/nowhere',
    LDAP_CA_FILE: '/ca.pem',
  };
  expect(fromFiles(environment, settingNames)).toEqual({ DATABASE_URL: 'postgresql://sii:p%20w@host/db' });
  await rm(folder, { recursive: true });
  expect(() => fromFiles(environment, settingNames)).toThrow(
    `DATABASE_URL_FILE cannot be read: ENOENT: no such file or directory, open '${file}'`,
  );
});

test('an empty file is refused, whatever setting it is for', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'secret');
  for (const empty of ['', '\n', ' \n\n']) {
    await writeFile(file, empty);
    for (const name of settingNames)
      expect(() => fromFiles({ [`${name}_FILE`]: file }, settingNames)).toThrow(
        `${name}_FILE names an empty file: ${file}`,
      );
  }
});

test.each(['DATABASE_URL', 'DATABASE_READ_URLS'])(
  '%s whose password has a % that encodes nothing is refused, without the password',
  name => {
    for (const login of ['sii:5%zz', '5%zz:x', 'sii:5%'])
      expect(() => readConfig({ [name]: `postgresql://${login}@db2/sii` })).toThrow(
        /^(?!.*5%)[^]*@ % in the password written as %2F %3F %23 %40 %25/,
      );
    const DATABASE_URL = 'postgresql://sii@db1/sii';
    expect(readConfig({ DATABASE_URL, [name]: 'postgresql://sii:5%25@db2/sii' })).toMatchObject({
      [name]: name === 'DATABASE_URL' ? expect.any(String) : expect.any(Array),
    });
  },
);

test('DATABASE_URL may name several hosts, of which the primary is meant, and DATABASE_READ_URLS one each', () => {
  const several = 'postgresql://sii:a%2Cb@db1,db2:5433,[::1]:5434/sii';
  for (const DATABASE_URL of [several, `${several}?target_session_attrs=read-write`])
    expect(readConfig({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
  const DATABASE_URL = `${several}?target_session_attrs=standby`;
  expect(() => readConfig({ DATABASE_URL })).toThrow('DATABASE_URL must be like postgresql://');
  const DATABASE_READ_URLS = 'postgresql://sii@db2/sii, postgresql://sii@db3:5433/sii';
  expect(readConfig({ DATABASE_URL: several, DATABASE_READ_URLS })).toMatchObject({
    DATABASE_READ_URLS: ['postgresql://sii@db2/sii', 'postgresql://sii@db3:5433/sii'],
  });
  expect(() => readConfig({ DATABASE_URL: several, DATABASE_READ_URLS: several })).toThrow(
    'DATABASE_READ_URLS must be a list',
  );
});
