import { existsSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choosePlace } from '../src/embedded-postgres/place.ts';
import { certify } from './support/certificate.ts';
import { hasPostgres, InstalledPostgres } from './support/installed-postgres.ts';
import { needs } from './support/needs.ts';
import { build, useProcesses } from './support/process.ts';
import { startService } from './support/service.ts';
import { sql } from './support/sql.ts';

const materials = '/almoxarifadoquimicos/materiais';
const canRun = needs('openssl', existsSync('/usr/bin/openssl')) && hasPostgres();

describe.runIf(canRun)('over TLS', () => {
  const { command, dataFolder } = useProcesses(afterAll);
  let server: InstalledPostgres;
  let certificate: string;

  const urlWith = (query: string): string => `${server.url('sii')}?${query}`;
  const verified = (): string => urlWith(`sslmode=verify-full&sslrootcert=${certificate}`);

  const refusal = async (DATABASE_URL: string): Promise<string> => {
    const run = command('migrate', { DATABASE_URL });
    expect((await run.exited).code).toBe(1);
    return run.stderr;
  };

  beforeAll(async () => {
    await build();
    const folder = await dataFolder();
    const files = certify(folder);
    ({ certificate } = files);
    const { user } = await choosePlace(folder);
    if (user) await chown(files.key, user.uid, user.gid);
    server = await InstalledPostgres.start(await dataFolder(), [
      'ssl = on',
      `ssl_cert_file = '${certificate}'`,
      `ssl_key_file = '${files.key}'`,
    ]);
    await server.create('sii');
  });
  afterAll(() => server.stop());

  it('a service migrates, fills and serves its database, and each of its connections is encrypted', async () => {
    const { exited, ...run } = command('seed-demo', { DATABASE_URL: verified() });
    expect([(await exited).code, run.stderr]).toEqual([0, '']);
    const service = await startService({}, { databaseUrl: verified() });
    try {
      const admin = await service.as('admin');
      expect((await admin.get(`${materials}?export=true`)).status).toBe(200);
      const created = await admin.graphql(
        `mutation { criarIconeRisco(input: { nome: "Cifrado" }) { nome } }`,
      );
      expect(created.data).toEqual({ criarIconeRisco: { nome: 'Cifrado' } });
      const connections = `select count(*) > 0, bool_and(ssl)
        from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'sii%'`;
      expect(await sql(server.url('sii'), connections)).toEqual([[true, true]]);
    } finally {
      await service.stop();
    }
  });

  it('a server whose authority is unknown is refused, and the message says how to name it', async () => {
    expect(await refusal(urlWith('sslmode=verify-full'))).toMatch(
      /^Cannot connect to the database .*certificate.*\nName the certificate of its authority in DATABASE_URL: \?sslmode=verify-full&sslrootcert=/,
    );
  });

  it('a missing certificate file is named, without a stack', async () => {
    const text = await refusal(urlWith('sslmode=verify-full&sslrootcert=/missing.pem'));
    expect(text).toMatch(/^Cannot connect to the database .*'\/missing\.pem'\nCheck DATABASE_URL/);
    expect(text).not.toContain(' at ');
  });
});
