import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig, settingNames } from '../src/config.ts';
import { fromFiles } from '../src/secret-files.ts';
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
  DATABASE_URL must be like postgresql://user:password@host:5432/database
  LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent
  INSTITUTION_TZ must be a time zone such as America/Sao_Paulo
  INSTITUTION_LOGO must be the path of a whole PNG or JPEG file
  TRUSTED_PROXIES must be a list, separated by commas, of addresses, ranges such as 10.0.0.0/8, loopback, linklocal, uniquelocal
  CORS_ORIGINS must be a list, separated by commas, of origins such as https://app.university.example, or *
  SANDBOX must be true or false
See .env.example for every setting.`),
  );
});

test('a logo that breaks off is found at the start, not by the first document', async () => {
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

test('settings that need others say which', () => {
  const ldap = { LDAP_URL: 'ldaps://ldap.example', LDAP_BIND_DN: 'cn=sii', LDAP_USERS_DN: 'ou=people' };
  expect(() => readConfig(ldap)).toThrow(
    new Error(`The configuration cannot be used:
  LDAP_ACCOUNTS_DN is needed with LDAP_URL
  LDAP_BIND_PASSWORD is needed with LDAP_BIND_DN
See .env.example for every setting.`),
  );
});

test.each([
  ['LDAP_URL', 'https://ldap.example'],
  ['LDAP_URL', 'ldap://ldap.example/dc=example'],
  ['LDAP_USERS_FILTER', 'objectClass=person'],
  ['LDAP_ACCOUNTS_FILTER', '(objectClass=person'],
  ['LDAP_EMAIL_ATTRIBUTE', 'mail)(uid=*'],
  ['LDAP_LOGIN_ATTRIBUTES', 'uid,ma il'],
  ['LDAP_LOGIN_ATTRIBUTES', ','],
  ['LDAP_TIMEOUT_MS', '3001'],
])('%s refuses %s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`  ${name} must`);
});

test('values are read into their types, and an empty one counts as absent', () => {
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
