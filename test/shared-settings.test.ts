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

it('of secrets it is compared whether they are set, because a process without WEBHOOK_KEY sends no events', async () => {
  const keyOf = (letter: string) => ({ WEBHOOK_KEY: letter.repeat(32) });
  await differing({});
  expect(await differing(keyOf('k'))).toEqual(['WEBHOOK_KEY']);
  expect(await differing(keyOf('o'))).toBeUndefined();
  expect(await differing({})).toEqual(['WEBHOOK_KEY']);
});

it('what is stored of a setting does not show it, and of a secret only whether it is set', async () => {
  const digests = async (letter: string): Promise<unknown[][]> => {
    await differing({
      WEBHOOK_KEY: letter.repeat(32),
      FILES_S3_BUCKET: 'sii',
      FILES_S3_ENDPOINT: 'http://127.0.0.1:1',
      FILES_S3_ACCESS_KEY_ID: letter,
      FILES_S3_SECRET_ACCESS_KEY: letter,
    });
    return sql(database.url, 'select nome, resumo from configuracao order by nome');
  };
  const rows = await digests('k');
  expect(rows.map(([nome]) => nome)).toEqual(expect.arrayContaining(['INSTITUTION_TZ', 'WEBHOOK_KEY']));
  expect(await digests('o')).toEqual(rows);
  for (const [, resumo] of rows) expect(resumo).toMatch(/^[\w-]{43}$/);
});
