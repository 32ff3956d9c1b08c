import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloneDatabase } from './support/clone.ts';
import { build, eventually, useProcesses } from './support/process.ts';
import { sql } from './support/sql.ts';

const processes = useProcesses(afterAll);
let database: { url: string; drop: () => Promise<void> };

beforeAll(async () => {
  await build();
  database = await cloneDatabase();
});
afterAll(() => database.drop());

/** The names in the warning of a process that starts with these settings; undefined if it does not warn. */
async function differing(environment: NodeJS.ProcessEnv): Promise<string[] | undefined> {
  const run = processes.service({ DATABASE_URL: database.url, LOG_LEVEL: 'debug', ...environment });
  await run.ready();
  const lines = await eventually(() => {
    const compared = run.stderr.split('\n').filter(line => line.includes('settings compared'));
    if (compared.length === 0) throw new Error('not yet');
    return run.stderr.split('\n').filter(line => line.includes('had other settings'));
  });
  await run.stop();
  return lines.map(line => JSON.parse(line) as { settings: string[] })[0]?.settings;
}

it('a process says which settings others of the same database may not have', async () => {
  const machine = { WORKERS: '2', DATABASE_POOL: '5' };
  const other = {
    INSTITUTION_TZ: 'America/Manaus',
    APPROVE_OWN: 'true',
    LABEL_URL: 'https://rotulos.example/',
  };
  expect(await differing({})).toBeUndefined();
  expect(await differing({ ...machine, ...other })).toEqual(['APPROVE_OWN', 'INSTITUTION_TZ', 'LABEL_URL']);
  expect(await differing({ ...other, WEBHOOK_KEY: 'k'.repeat(32) })).toBeUndefined();
  expect(await differing({ ...other, LABEL_URL: '' })).toEqual(['LABEL_URL']);
});

it('of the standbys their number is compared, because machines may reach them by other addresses', async () => {
  const standbys = (...hosts: string[]) => ({
    DATABASE_READ_URLS: hosts.map(host => `postgresql://sii@${host}:1/sii`).join(','),
  });
  await differing({});
  expect(await differing(standbys('127.0.0.1'))).toEqual(['DATABASE_READ_URLS']);
  expect(await differing(standbys('localhost'))).toBeUndefined();
  expect(await differing(standbys('127.0.0.1', 'localhost'))).toEqual(['DATABASE_READ_URLS']);
  expect(await differing({})).toEqual(['DATABASE_READ_URLS']);
});

it('what is stored of a setting does not show it, and of a secret nothing is', async () => {
  const rows = await sql(database.url, 'select nome, resumo from configuracao');
  const names = rows.map(([nome]) => nome);
  expect(names).toContain('INSTITUTION_TZ');
  expect(names).not.toContain('WEBHOOK_KEY');
  for (const [, resumo] of rows) expect(resumo).toMatch(/^[\w-]{43}$/);
});
