import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { routes } from '../src/rest/routes.ts';
import { cloneDatabase } from './support/clone.ts';
import { Client, systemHeaders } from './support/client.ts';
import { graphqlFace, restFace, type Face } from './support/faces.ts';
import { expectBalanced } from './support/ledger.ts';
import { personOf } from './support/permissions.ts';
import { build, useProcesses } from './support/process.ts';
import { readAll } from './support/reads.ts';
import { startService, useService, type TestService } from './support/service.ts';
import { sql } from './support/sql.ts';
import { walk } from './support/walk.ts';

/** What administrators set for a server, a database or a role, and what changes results or ends statements. */
const UNUSUAL = {
  datestyle: 'SQL, DMY',
  intervalstyle: 'iso_8601',
  timezone: 'Asia/Kolkata',
  bytea_output: 'escape',
  extra_float_digits: '-10',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  array_nulls: 'off',
  quote_all_identifiers: 'on',
  gin_fuzzy_search_limit: '1',
  statement_timeout: '2ms',
  lock_timeout: '10ms',
  idle_in_transaction_session_timeout: '50ms',
  idle_session_timeout: '50ms',
};

const usual = useService();
const role = `unusual_${randomUUID().replaceAll('-', '')}`;
const { command, service, usedFolder } = useProcesses(afterAll);
/** Drops the role after the databases in which it owns something. */
const cleanUp: (() => unknown)[] = [];

/** The database for the role with these settings. */
function asUnusual(database: string): string {
  const url = new URL(database);
  Object.assign(url, { username: role, password: 'unusual' });
  return url.href;
}

beforeAll(async () => {
  const settings = Object.entries(UNUSUAL).map(
    ([name, value]) => `alter role ${role} set ${name} = '${value}'`,
  );
  const create = `create role ${role} superuser login password 'unusual'`;
  await sql(usual().databaseUrl, [create, ...settings].join(';'));
  cleanUp.push(() => sql(usual().databaseUrl, `drop role ${role}`));
});
afterAll(async () => {
  for (const one of cleanUp.toReversed()) await one();
});

describe('a service whose role has unusual settings', () => {
  let unusual: TestService;

  beforeAll(async () => {
    unusual = await startService({}, { databaseUrl: asUnusual(usual().databaseUrl) });
  });
  afterAll(() => unusual.stop());

  it('reads everything as any other', async () => {
    const guesses = { Int: [1], String: ['a'] };
    const schema = await createSchema();
    const admin = await usual().as('admin');
    const reads = async (client: Client): Promise<Map<string, string>> => {
      const all = await readAll(client, schema, routes, guesses);
      // PDFs and spreadsheets have the time in them.
      const comparable = all.filter(({ text }) => !/^(%PDF|PK)/.test(text));
      return new Map(comparable.map(({ name, text }) => [name, text.replace(/urn:uuid:[-0-9a-f]+/, '')]));
    };
    const expected = await reads(admin);
    const found = await reads(new Client(unusual.url, admin.headers));
    expect(found.size).toBeGreaterThan(400);
    const different = [...found].filter(([name, text]) => text !== expected.get(name));
    expect(different).toEqual([]);
  });

  it.each([
    ['REST', 'discente', restFace],
    ['GraphQL', 'docente', graphqlFace],
  ] as const)('succeeds in every operation on %s, and the ledger balances', async (name, person, faceOf) => {
    const schema = await createSchema();
    const [admin, keeper] = await Promise.all(
      ['admin', 'almoxarife'].map(usuario => unusual.anyone.with(systemHeaders).login(usuario)),
    );
    const face = (client: typeof admin): Face => faceOf(client!, schema);
    const idPessoa = await personOf(unusual, person);
    await walk({ admin: face(admin), keeper: face(keeper), idPessoa, token: admin!.headers['token']! }, name);
    await expectBalanced(unusual);
  });
});

it('a role with time limits for people migrates an empty database while others wait for their turn, and fills it', async () => {
  await build();
  const database = await cloneDatabase({ empty: true });
  cleanUp.push(database.drop);
  // A long wait for the turn is a warning.
  const environment = { DATABASE_URL: asUnusual(database.url), LOG_LEVEL: 'error' };
  const expectSuccess = async (name: string): Promise<void> => {
    const run = command(name, environment);
    expect([(await run.exited).code, run.stderr]).toEqual([0, '']);
  };
  await Promise.all(['migrate', 'migrate', 'migrate'].map(expectSuccess));
  await expectSuccess('seed-demo');
});

it('a service says at its start which settings of the server may lose what was committed', async () => {
  await build();
  const warning = 'the database may lose committed writes';
  const database = await cloneDatabase();
  cleanUp.push(database.drop);
  const [hasty, careful] = [
    service({ DATABASE_URL: database.url }),
    service({ DATA_DIR: await usedFolder() }),
  ];
  await Promise.all([hasty.logged(warning), careful.ready()]);
  const line = hasty.stderr.split('\n').find(text => text.includes(warning)) ?? '{}';
  expect(JSON.parse(line).settings).toEqual(['fsync', 'full_page_writes', 'synchronous_commit']);
  expect(careful.stderr).not.toContain(warning);
});
