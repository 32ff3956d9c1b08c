/**
 * A canary of every kind of secret, in requests that are right and in requests that are wrong, on both faces: none is
 * found again in an answer that was not asked for it, in the log, or anywhere in the database.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { demoPassword } from '../src/database/seeds/demo-people.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { cloneDatabase } from './support/clone.ts';
import { build, useProcesses, type Run } from './support/process.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const processes = useProcesses(afterAll);
const canaries = new Map<string, string>();
/** A secret that is nowhere else, with letters that JSON, SQL and URLs write in other ways. */
function canary(what: string): string {
  const secret = `Canary-${randomUUID()}`;
  canaries.set(secret, what);
  return secret;
}

const settings = {
  database: canary('password of DATABASE_URL'),
  bind: canary('LDAP_BIND_PASSWORD'),
  bucket: canary('FILES_S3_SECRET_ACCESS_KEY'),
};
const role = `canary_${randomUUID().slice(0, 8)}`;

interface Heard {
  from: string;
  text: string;
}
/** All that clients were told, but for the answers that are meant to give a secret. */
const answers: Heard[] = [];

let database: Awaited<ReturnType<typeof cloneDatabase>>;
const runs: Run[] = [];

async function sql(url: string, text: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  await client.end();
  return rows;
}

async function serve(environment: NodeJS.ProcessEnv): Promise<Client> {
  const url = new URL(database.url);
  [url.username, url.password] = [role, settings.database];
  const dataDir = await processes.dataFolder();
  const run = processes.service({
    DATABASE_URL: url.href,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    ...environment,
  });
  runs.push(run);
  return run.client();
}

/** What an answer says, in its headers too, is kept for the search. */
async function hear(client: Client, path: string, init: RequestInit): Promise<any> {
  const { status, headers, body } = await client.raw(path, init);
  answers.push({
    from: `${init.method ?? 'GET'} ${path}`,
    text: JSON.stringify([status, [...headers], body]),
  });
  return body;
}
const json = { 'content-type': 'application/json' };
const send = (client: Client, method: string, path: string, body?: unknown) =>
  hear(client, path, { method, ...(body !== undefined && { body: JSON.stringify(body), headers: json }) });
const ask = (client: Client, query: string, variables?: unknown) =>
  send(client, 'POST', '/graphql', { query, variables });

/** A secret that was asked for, which counts as one from now on. */
function given(what: string, secret: string): string {
  canaries.set(secret, what);
  return secret;
}

/** Every way to log in, and to fail at it. */
async function logIns(client: Client): Promise<void> {
  const system = client.with(systemHeaders);
  const wrong = () => canary('wrong password');
  const LOGIN = 'mutation ($input: LoginInput!) { entrar(input: $input) { expiraEm } }';
  for (const [username, password] of [
    ['docente', wrong()],
    [canary('password in the place of the user name'), wrong()],
    ['docente', { password: wrong() }],
    ['docente', [wrong()]],
    ['docente', `${wrong()}\0`],
  ]) {
    await send(system, 'POST', '/auth/login', { username, password });
    await ask(system, LOGIN, { input: { username, password } });
  }
  await ask(system, LOGIN, { input: wrong() });
  for (const literal of [
    `{ username: "docente", password: "${wrong()}" }`,
    `{ username: "docente", password: ["${wrong()}"] }`,
    `{ username: "docente", password: { senha: "${wrong()}" } }`,
    `{ username: "docente", password: "${wrong()}", more: "${wrong()}" }`,
    `"${wrong()}"`,
    `{ username: "docente", password: "${wrong()}`,
    `{ username: "docente" password "${wrong()}" }`,
    `{ username: "docente", password: ${wrong()} }`,
  ])
    await ask(system, `mutation { entrar(input: ${literal}) { expiraEm } }`);
  const text = JSON.stringify({ username: 'docente', password: wrong() });
  for (const path of ['/auth/login', '/graphql'])
    for (const [type, body] of [
      ['application/json', text.slice(0, -12)],
      ['application/json', text.replace(':', '')],
      ['text/plain', text],
      ['application/json; charset=utf-99', text],
      ['application/x-www-form-urlencoded', `password=${wrong()}`],
    ] as const)
      await hear(system, path, { method: 'POST', body, headers: { 'content-type': type } });
  await send(system, 'POST', `/auth/login?password=${wrong()}`, {});
  await ask(client.with({ ...systemHeaders, 'api-key': canary('wrong key') }), '{ materiais { total } }');
  await send(client.with({ ...systemHeaders, 'api-key': canary('wrong key') }), 'POST', '/auth/login', {
    username: 'docente',
    password: wrong(),
  });
  for (const name of ['token', 'cookie', 'authorization', 'idempotency-key', 'x-api-key'])
    for (const path of ['/permissoes/sistemas', '/nowhere', '/graphql?query={__typename}'])
      await hear(client.with({ [name]: canary(`header ${name}`) }), path, {});
  for (const path of ['/permissoes/sistemas?token=', '/nowhere/', '/graphql?query={sessaoAtual{id}}&token='])
    await hear(client, `${path}${canary('secret in an address')}`, {});
}

/** Secrets that the service itself gives, used as they should be and otherwise. */
async function secretsOfTheService(client: Client): Promise<Client> {
  const system = client.with(systemHeaders);
  const credentials = { username: 'admin', password: demoPassword('admin') };
  const { body } = await system.post('/auth/login', credentials);
  const admin = system.with({ token: given('token', body.token) });
  await send(admin, 'POST', '/auth/login', {
    ...credentials,
    token: canary('replaced token'),
    password: 'x',
  });
  await send(admin, 'GET', `/permissoes/autenticacoes/1?token=${body.token}`);
  await send(admin, 'GET', `/permissoes/parametros-acesso-api/${body.token}`);
  await send(admin, 'GET', `/permissoes/parametros-acesso-api/${canary('wrong token')}`);
  await ask(
    admin,
    `{ parametroAcessoApi(token: "${body.token}") { id } autenticacao(id: "${canary('token for an id')}") { id } }`,
  );
  const once = admin.with({ 'idempotency-key': randomUUID() });
  const key = await once.graphql('mutation { emitirChaveApi(idSistema: 1) { id chave } }');
  given('API key', key.data.emitirChaveApi.chave);
  await ask(once, 'mutation { emitirChaveApi(idSistema: 1) { id } }');
  const password = canary('new password');
  await send(once, 'PUT', '/auth/senha', { username: 'tecnico', password });
  await send(admin, 'PUT', '/auth/senha', { username: 'nobody', password: canary('password of nobody') });
  await send(admin, 'PUT', '/auth/senha', { username: 'tecnico', password: canary('too long').repeat(40) });
  await ask(
    admin,
    `mutation { alterarSenha(input: { username: "docente", password: "${canary('new password')}" }) { id } }`,
  );
  const again = await system.post('/auth/login', { username: 'tecnico', password });
  expect(again.status).toBe(200);
  given('token', again.body.token);
  return admin;
}

/** Codes and passwords of managerial accounts. */
async function managerialAccounts(admin: Client): Promise<void> {
  const users = '/institucional/usuarios-ldap';
  const mail = (name: string) => `${name}@universidade.example`;
  const code = await admin.put(`${users}/${mail('dep.fisica')}?gerarCodigoCvr=true`);
  const cvr = given('CVR code', (code.body.codigo ?? code.body.codigo_cvr) as string);
  canaries.set(cvr.replaceAll('-', ''), 'CVR code without dashes');
  const attach = `${users}/${mail('discente')}?adicionarContaGerencial`;
  await send(admin, 'PUT', `${attach}Cvr=${mail('dep.fisica')}`, { cvr: canary('wrong code') });
  await send(admin, 'PUT', `${attach}Cvr=${mail('dep.fisica')}`, { cvr });
  await send(admin, 'PUT', `${attach}Senha=${mail('reitoria')}`, {
    senha: canary('wrong password of an account'),
  });
  await send(admin, 'PUT', `${attach}Senha=${mail('reitoria')}`, { senha: { of: canary('wrong password') } });
  await send(admin, 'PUT', `${attach}Senha=${canary('password in an address')}`, { senha: 'x' });
}

beforeAll(async () => {
  await build();
  database = await cloneDatabase();
  await sql(database.url, `create role ${role} superuser login password '${settings.database}'`);
  const client = await serve({});
  await logIns(client);
  // Failed logins are counted, and what follows logs in from the same address.
  await sql(database.url, 'delete from tentativa_login');
  await managerialAccounts(await secretsOfTheService(client));
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
  await withoutWhatItDependsOn(broken);
  for (const run of runs) await run.stop();
});
afterAll(async () => {
  await database.drop();
  await sql(inject('template'), `drop role ${role}`);
});

async function withoutWhatItDependsOn(client: Client): Promise<void> {
  const system = client.with(systemHeaders);
  await send(system, 'POST', '/auth/login', {
    username: 'nobody',
    password: canary('password while LDAP is away'),
  });
  const { body } = await system.post('/auth/login', { username: 'admin', password: demoPassword('admin') });
  const admin = system.with({ token: given('token', body.token) });
  await send(admin, 'GET', '/institucional/usuarios-ldap');
  await send(admin, 'GET', '/readyz');
  await send(admin, 'GET', '/arquivosdigitais/arquivos-digitais/1');
  await sql(database.url, 'alter table sessao rename to elsewhere');
  await ask(
    admin,
    `mutation { alterarSenha(input: { username: "docente", password: "${canary('while a table is gone')}" }) { id } }`,
  );
  await sql(database.url, 'alter table elsewhere rename to sessao');
  await sql(
    database.url,
    `create function broken() returns trigger language plpgsql as $$ begin
       raise exception 'broken' using detail = 'Failing row contains ' || new::text;
     end $$;
     create trigger broken before insert or update on credencial for each row execute function broken();
     create trigger broken before insert or update on sessao for each row execute function broken()`,
  );
  await send(admin, 'PUT', '/auth/senha', {
    username: 'tecnico',
    password: canary('while the database fails'),
  });
  await send(system, 'POST', '/auth/login', { username: 'docente', password: demoPassword('docente') });
}

/** The canaries in a text, as they are or as a database and a log might write them. */
function found(text: string): string[] {
  const forms = (secret: string): string[] => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('hex'),
    // What base64 makes of its middle, wherever it begins.
    ...[0, 1, 2].map(at => Buffer.from(secret.slice(at, at + 18)).toString('base64')),
  ];
  return [...canaries]
    .filter(([secret]) => forms(secret).some(form => text.includes(form)))
    .map(([, what]) => what);
}

describe('no secret', () => {
  it('is in an answer that was not asked for it', () => {
    expect(answers.length).toBeGreaterThan(60);
    const told = answers.flatMap(({ from, text }) =>
      found(text).map(what => `${what} in ${from}: ${text.slice(0, 600)}`),
    );
    expect(told).toEqual([]);
  });

  it('is in the log, at its most talkative', () => {
    const lines = runs.flatMap(run => run.stderr.split('\n'));
    expect(lines.filter(line => line.includes('"request"')).length).toBeGreaterThan(answers.length);
    expect(lines.filter(line => line.includes('unexpected error'))).not.toEqual([]);
    expect(lines.flatMap(line => found(line).map(what => `${what}: ${line.slice(0, 600)}`))).toEqual([]);
    // Digests of passwords and tokens are none for a log, either.
    expect(lines.filter(line => /argon2id\$|Failing row/.test(line))).toEqual([]);
    expect(runs.flatMap(run => found(run.stdout))).toEqual([]);
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

  it('is in what a service says that cannot start', async () => {
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
