/**
 * Sends a canary of every kind of secret in valid and invalid requests, on both faces. Afterwards it must not be found
 * in an answer that did not request it, in the log, in the metrics, or anywhere in the database.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { useCanaries } from './support/canaries.ts';
import type { Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { scrape } from './support/metrics.ts';
import { build, useProcesses, type Run } from './support/process.ts';
import { logIns } from './support/secret-logins.ts';
import {
  managerialAccounts,
  secretsOfTheService,
  withoutWhatItDependsOn,
} from './support/secret-requests.ts';
import { sql } from './support/sql.ts';

const processes = useProcesses(afterAll);
const canaries = useCanaries();
const { answers, canary, found } = canaries;

const settings = {
  database: canary('password of DATABASE_URL'),
  webhooks: canary('WEBHOOK_KEY'),
  bind: canary('LDAP_BIND_PASSWORD'),
  bucket: canary('FILES_S3_SECRET_ACCESS_KEY'),
};
const role = `canary_${randomUUID().slice(0, 8)}`;

let database: Awaited<ReturnType<typeof cloneDatabase>>;
const runs: Run[] = [];
/** The rows that each of them counted. */
const metrics: string[] = [];

async function serve(environment: NodeJS.ProcessEnv): Promise<Client> {
  const url = new URL(database.url);
  [url.username, url.password] = [role, settings.database];
  const dataDir = await processes.dataFolder();
  const run = processes.service({
    DATABASE_URL: url.href,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    METRICS_PORT: '0',
    WEBHOOK_KEY: settings.webhooks,
    ...environment,
  });
  runs.push(run);
  return run.client();
}

beforeAll(async () => {
  await build();
  database = await cloneDatabase();
  await sql(database.url, `create role ${role} superuser login password '${settings.database}'`);
  const client = await serve({});
  await logIns(canaries, client);
  // Failed logins are counted, and the following steps log in from the same address.
  await sql(database.url, 'delete from tentativa_senha');
  await managerialAccounts(canaries, await secretsOfTheService(canaries, client));
  const broken = await serve({
    LDAP_URL: 'ldap://127.0.0.1:1',
    LDAP_BIND_DN: 'cn=sii',
    LDAP_BIND_PASSWORD: settings.bind,
    LDAP_USERS_DN: 'ou=pessoas',
    LDAP_ACCOUNTS_DN: 'ou=contas',
    FILES_S3_BUCKET: 'files',
    FILES_S3_ENDPOINT: 'http://127.0.0.1:1',
    FILES_S3_ACCESS_KEY_ID: 'key',
    FILES_S3_SECRET_ACCESS_KEY: settings.bucket,
  });
  await withoutWhatItDependsOn(canaries, broken, text => sql(database.url, text));
  for (const run of runs) metrics.push((await scrape(run)).text);
  for (const run of runs) await run.stop();
});
afterAll(async () => {
  await database.drop();
  await sql(inject('template'), `drop role ${role}`);
});

describe('no secret', () => {
  it('is in an answer unless the request asks for it', () => {
    expect(answers.length).toBeGreaterThan(60);
    const leaks = answers.flatMap(({ from, text }) =>
      found(text).map(what => `${what} in ${from}: ${text.slice(0, 600)}`),
    );
    expect(leaks).toEqual([]);
  });

  it('is in the log, at its lowest level', () => {
    const lines = runs.flatMap(run => run.stderr.split('\n'));
    expect(lines.filter(line => line.includes('"request"')).length).toBeGreaterThan(answers.length);
    expect(lines.filter(line => line.includes('unexpected error'))).not.toEqual([]);
    expect(lines.flatMap(line => found(line).map(what => `${what}: ${line.slice(0, 600)}`))).toEqual([]);
    // A log must not contain digests of passwords and tokens, either.
    expect(lines.filter(line => /argon2id\$|Failing row/.test(line))).toEqual([]);
    expect(runs.flatMap(run => found(run.stdout))).toEqual([]);
  });

  it('is in the metrics', () => {
    expect(metrics.filter(text => !text.includes('sii_logins_total'))).toEqual([]);
    expect(metrics.join()).toContain('{operation="POST /auth/login",status="401"}');
    expect(metrics.flatMap(found)).toEqual([]);
  });

  it('is in the database, in any table', async () => {
    const tables = await sql(
      database.url,
      `select tablename from pg_tables where schemaname = 'public' order by 1`,
    );
    for (const [table] of tables) {
      const rows = await sql(database.url, `select t::text from "${table as string}" t`);
      expect([table, [...new Set(rows.flatMap(([row]) => found(row as string)))]]).toEqual([table, []]);
    }
    expect(
      await sql(database.url, `select count(*)::int > 0 from auditoria where alteracoes::text like '%***%'`),
    ).toEqual([[true]]);
  });

  it('is in the message of a service that cannot start', async () => {
    const url = `postgresql://sii:${settings.database}@`;
    const bad = [
      { DATABASE_URL: `${url}127.0.0.1:1/sii` },
      { DATABASE_URL: `${url}[bad/sii` },
      { DATABASE_URL: database.url.replace(/\/\/[^@]*@/, `//nobody:${settings.database}@`) },
      { DATABASE_URL: database.url, LDAP_BIND_PASSWORD: settings.bind, LDAP_URL: settings.bind },
    ].map(environment => processes.service(environment));
    for (const run of bad) {
      expect((await run.exited).code).toBe(1);
      expect(run.stderr).not.toBe('');
      expect(found(run.stderr + run.stdout)).toEqual([]);
    }
  });
});
