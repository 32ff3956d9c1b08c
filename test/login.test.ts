import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { verifyPassword } from '../src/access/passwords.ts';
import { demoPassword } from '../src/demo/login.ts';
import { systemHeaders, type Answer } from './support/client.ts';
import { eventually } from './support/process.ts';
import { startService, useService } from './support/service.ts';

const service = useService();
const system = () => service().anyone.with(systemHeaders);
const sha256 = (text: string) => createHash('sha256').update(text).digest();

const logIn = (usuario: string, more: object = {}): Promise<Answer> =>
  system().post('/auth/login', { username: usuario, password: demoPassword(usuario), ...more });

const entrar = (input: object) =>
  system().graphql(
    `mutation ($input: LoginInput!) {
      entrar(input: $input) { token expiraEm pessoa { id nome email } sistema { id sigla } perfis { id nome } }
    }`,
    { input },
  );

/** The row of a token. */
async function sessionOf(token: string): Promise<Record<string, unknown>> {
  const rows = await service().sql(
    `select row_to_json(s) from (select *, expira_em - criado_em = interval '8 hours' as full_time from sessao) s
     where s.id = (select id from sessao where token_hash = $1)`,
    [sha256(token)],
  );
  return rows[0]![0] as Record<string, unknown>;
}

/** Whether a token is accepted, on both faces. */
async function isLive(token: string): Promise<boolean> {
  const client = service().anyone.with({ token });
  const rest = await client.get('/almoxarifadoquimicos/materiais?pagination=true');
  const { data } = await client.graphql('{ sessaoAtual { id } }');
  const live = Boolean(data?.sessaoAtual);
  expect(rest.status === 401).toBe(!live);
  return live;
}

// Failed logins of one test must not count for the next one.
afterEach(() => service().sql('delete from tentativa_senha'));

describe('a login', () => {
  it('answers token, expiry, person, system and profiles, and nothing else', async () => {
    const { status, body } = await logIn('tecnico');
    expect(status).toBe(200);
    expect(body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      expira_em: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      pessoa: { id: expect.any(Number), nome: 'Beatriz Nogueira Sá', email: 'tecnico@universidade.example' },
      sistema: { id: expect.any(Number), sigla: 'SII' },
      perfis: [{ id: expect.any(Number), nome: 'Técnico de laboratório' }],
      sistemas: [{ id: expect.any(Number), sigla: 'SII', nome: 'Serviço de Informações Institucionais' }],
    });
  });

  it('answers the same in GraphQL', async () => {
    const { body } = await logIn('tecnico');
    const { data } = await entrar({ username: 'tecnico', password: demoPassword('tecnico') });
    const { token, expiraEm, ...rest } = data.entrar;
    expect(body).toMatchObject(rest);
    expect(token).not.toBe(body.token);
    expect(Number.isNaN(Date.parse(expiraEm))).toBe(false);
  });

  it('ignores the case of the user name and the space around it', async () => {
    expect((await logIn('docente', { username: ' DoCente ' })).status).toBe(200);
  });

  it('stores the version of the application and the address with the session', async () => {
    const { body } = await service()
      .anyone.with({ ...systemHeaders, appversion: '7.3.1-beta' })
      .post('/auth/login', { username: 'docente', password: demoPassword('docente') });
    expect(await sessionOf(body.token)).toMatchObject({
      versao_aplicacao: '7.3.1-beta',
      endereco: '127.0.0.1',
      id_pessoa: body.pessoa.id,
      id_sistema: body.sistema.id,
    });
  });

  it("expires the configured hours after it was opened, by the database's clock", async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2001-01-01T00:00:00Z') });
    const { body } = await logIn('discente').finally(() => vi.useRealTimers());
    const stored = await sessionOf(body.token);
    expect(stored['full_time']).toBe(true);
    expect(Date.parse(body.expira_em)).toBe(Date.parse(stored['expira_em'] as string));
    expect(await isLive(body.token)).toBe(true);
  });

  it('lasts as long as TOKEN_HOURS says', async () => {
    const shorter = await startService({ TOKEN_HOURS: '2' }, service());
    try {
      const { headers } = await shorter.as('discente');
      const [row] = await service().sql(
        'select expira_em = criado_em + $2::interval from sessao where token_hash = $1',
        [sha256(headers['token']!), '2 hours'],
      );
      expect(row).toEqual([true]);
    } finally {
      await shorter.stop();
    }
  });

  it('is invalid after its time', async () => {
    const { body } = await logIn('discente');
    expect(await isLive(body.token)).toBe(true);
    await service().sql('update sessao set expira_em = now() where token_hash = $1', [sha256(body.token)]);
    expect(await isLive(body.token)).toBe(false);
  });

  it('stores tokens and keys only as digests', async () => {
    const { body } = await logIn('docente');
    const tables = await service().sql(
      `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const texts = await Promise.all(
      tables.map(([table]) => service().sql(`select t::text from "${table as string}" t`)),
    );
    const everything = JSON.stringify(texts);
    const hex = (secret: string) => Buffer.from(secret).toString('hex');
    for (const secret of [body.token, systemHeaders['api-key'], demoPassword('docente')]) {
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(hex(secret));
    }
    for (const secret of [body.token, systemHeaders['api-key']])
      expect(everything).toContain(sha256(secret).toString('hex'));
  });

  it('shows its token once and never again', async () => {
    const { body } = await logIn('docente');
    const client = service().anyone.with({ token: body.token });
    const session = await client.graphql(
      '{ sessaoAtual { id idPessoa expiraEm encerradaEm pessoa { usuario } } }',
    );
    expect(session.data.sessaoAtual).toMatchObject({
      idPessoa: body.pessoa.id,
      pessoa: { usuario: 'docente' },
    });
    const answers = [
      session,
      await client.get('/almoxarifadoquimicos/materiais'),
      await client.get(`/${body.token}`),
    ];
    for (const secret of [
      body.token,
      sha256(body.token).toString('hex'),
      sha256(body.token).toString('base64'),
    ])
      expect(JSON.stringify(answers)).not.toContain(secret);
  });

  it('is the only type in the schema with a token, and no type has a digest', async () => {
    const { data } = await service().anyone.graphql('{ __schema { types { kind name fields { name } } } }');
    const types = data.__schema.types as { name: string; fields: { name: string }[] | null }[];
    const having = (part: RegExp) =>
      types.filter(type => type.fields?.some(field => part.test(field.name))).map(type => type.name);
    expect(having(/token/i)).toEqual(['Login']);
    expect(having(/hash|digest/i)).toEqual([]);
  });
});

describe('a token in the body', () => {
  it('ends that session if it belongs to the same person', async () => {
    const first = (await logIn('docente')).body.token;
    const second = (await logIn('docente', { token: first })).body.token;
    expect([await isLive(first), await isLive(second)]).toEqual([false, true]);
  });

  it('writes both sessions into the audit trail, under the person, the system and the request', async () => {
    const first = (await logIn('docente')).body.token;
    const requestId = 'login-that-replaces';
    const input = { username: 'docente', password: demoPassword('docente'), token: first };
    const { body } = await system().with({ 'x-request-id': requestId }).post('/auth/login', input);
    const [ended, opened] = await Promise.all([sessionOf(first), sessionOf(body.token)]);
    const author = [body.pessoa.id, body.sistema.id, expect.stringContaining('127.0.0.1')];
    expect(
      await service().sql(
        `select id_registro, operacao, id_pessoa, id_sistema, endereco from auditoria
         where tabela = 'sessao' and requisicao = $1 order by id_registro`,
        [requestId],
      ),
    ).toEqual([
      [ended['id'], 'update', ...author],
      [opened['id'], 'insert', ...author],
    ]);
  });

  it("does not end another person's session, and an unknown token is ignored", async () => {
    const other = (await logIn('tecnico')).body.token;
    expect((await logIn('docente', { token: other })).status).toBe(200);
    expect((await logIn('docente', { token: 'nobody knows this' })).status).toBe(200);
    expect(await isLive(other)).toBe(true);
  });

  it('ends nothing when the login fails', async () => {
    const token = (await logIn('docente')).body.token;
    expect((await logIn('docente', { token, password: 'not the password' })).status).toBe(401);
    expect(await isLive(token)).toBe(true);
  });
});

describe('the calling system', () => {
  const credentials = { username: 'docente', password: demoPassword('docente') };

  it.each([
    { App_name: 'SII', Api_key: 'sii-demo-key', Appversion: '1' },
    { 'app-name': 'SII', 'api-key': 'sii-demo-key' },
    { app_name: 'SII', 'API-KEY': 'sii-demo-key' },
  ])('may name itself with the headers %j', async headers => {
    expect(
      (
        await service()
          .anyone.with(headers as {})
          .post('/auth/login', credentials)
      ).status,
    ).toBe(200);
  });

  it.each([
    {},
    { 'app-name': 'SII' },
    { 'api-key': 'sii-demo-key' },
    { 'app-name': 'SII', 'api-key': 'wrong' },
    { 'app-name': 'XYZ', 'api-key': 'sii-demo-key' },
    { 'app-name': 'SII', 'api-key': '\u00e9' },
  ])('is refused with the headers %j, before anything else is checked', async headers => {
    const client = service().anyone.with(headers as {});
    expect((await client.post('/auth/login', credentials)).status).toBe(401);
    expect((await client.post('/auth/login', { username: 5 })).body.code).toBe('UNAUTHENTICATED');
    const { errors } = await client.graphql(
      'mutation { entrar(input: { username: "docente", password: "x" }) { token } }',
    );
    expect(errors![0]!.extensions.code).toBe('UNAUTHENTICATED');
  });

  it.each([
    ['inactive', `update sistema set situacao = 'I'`, `update sistema set situacao = 'A'`],
    ['out of keys', 'update chave_api set revogada_em = now()', 'update chave_api set revogada_em = null'],
    ['past its expiry', 'update chave_api set expira_em = now()', 'update chave_api set expira_em = null'],
  ])('is refused once it is %s', async (_, close, open) => {
    await service().sql(close);
    expect((await logIn('docente')).status).toBe(401);
    await service().sql(open);
    expect((await logIn('docente')).status).toBe(200);
  });
});

describe('a login that fails', () => {
  const change = (text: string) =>
    service().sql(`${text} where id_pessoa = (select id from pessoa where usuario = 'discente')`);
  const inactive = () => service().sql(`update pessoa set situacao = 'I' where usuario = 'discente'`);
  const noAccess = () => change(`update acesso_ambiente set situacao = 'I'`);
  const restore = async () => {
    await service().sql(`update pessoa set situacao = 'A' where usuario = 'discente'`);
    await change(`update acesso_ambiente set situacao = 'A'`);
  };
  const nothing = async () => {};

  const known = [
    ['a wrong password', nothing, { password: 'not the password' }],
    ['an inactive person', inactive, {}],
    ['no access', noAccess, {}],
  ] as const;

  it('gives the same answer, whatever the reason', async () => {
    const seen = [];
    for (const [, arrange, more] of [
      ...known,
      ['an unknown user', nothing, { username: 'nobody' }] as const,
    ]) {
      await arrange();
      const { status, headers, body } = await logIn('discente', more);
      await restore();
      const { instance, ...rest } = body;
      expect(instance).toMatch(/^urn:uuid:/);
      seen.push({ status, rest, type: headers.get('content-type'), length: headers.get('content-length') });
    }
    expect(seen[0]).toMatchObject({ status: 401, rest: { code: 'UNAUTHENTICATED' } });
    expect(new Set(seen.map(answer => JSON.stringify(answer))).size).toBe(1);
  });

  // An unreadable hash makes the verification throw, which shows that it ran.
  it.each(known)('verifies the password also for %s', async (_, arrange, more) => {
    const [row] = await service().sql(
      `select senha_hash from credencial where id_pessoa = (select id from pessoa where usuario = 'discente')`,
    );
    await arrange();
    await change(`update credencial set senha_hash = 'unreadable'`);
    const { status } = await logIn('discente', more);
    await change(`update credencial set senha_hash = '${row![0] as string}'`);
    await restore();
    expect(status).toBe(500);
  });

  it('verifies a password even if there is no hash', async () => {
    // A value that is not a text makes the verification throw, which shows that it ran.
    await expect(verifyPassword(undefined, Symbol('no text') as never)).rejects.toThrow();
    expect(await verifyPassword(undefined, 'anything')).toBe(false);
  });

  it('names the fields that are missing, empty or of the wrong type', async () => {
    const fields = async (body: unknown) => {
      const answer = await system().post('/auth/login', body);
      return [answer.status, ...answer.body.errors.map((error: { field: string }) => error.field)];
    };
    expect(await fields({})).toEqual([422, 'username', 'password']);
    expect(await fields({ username: 'docente' })).toEqual([422, 'password']);
    expect(await fields({ username: null, password: 'x' })).toEqual([422, 'username']);
    expect(await fields({ username: ['docente'], password: { $ne: '' } })).toEqual([
      422,
      'username',
      'password',
    ]);
    expect(await fields({ username: '', password: '' })).toEqual([422, 'username', 'password']);
  });

  it.each([
    ['of 1,000 characters', 'é'.repeat(1000), 401, 'UNAUTHENTICATED'],
    ['of 1,001 characters', 'x'.repeat(1001), 422, 'VALIDATION_FAILED'],
    ['with NUL', 'a\0b', 422, 'VALIDATION_FAILED'],
    ['with half a surrogate pair', 'a\ud800b', 422, 'VALIDATION_FAILED'],
    ['that is empty', '', 422, 'VALIDATION_FAILED'],
  ])('says clearly what is wrong with a password %s, on both faces', async (_, password, status, code) => {
    const rest = await logIn('discente', { password });
    expect([rest.status, rest.body.code]).toEqual([status, code]);
    const { errors } = await entrar({ username: 'discente', password });
    expect(errors![0]!.extensions.code).toBe(code);
  });
});

/** Runs another transaction that revokes access while a login tries to begin. Returns the result of the login. */
async function loginDuring(usuario: string, taking: string): Promise<number> {
  const other = new Connection({ connectionString: service().databaseUrl });
  await other.connect();
  try {
    await other.query('begin');
    await other.query(taking);
    const late = logIn(usuario);
    const begun = `select count(*)::int from tentativa_senha where estado = 'em_curso'`;
    await eventually(async () => expect(await service().sql(begun)).toEqual([[1]]));
    // Until it has verified the password, and has been refused the lock.
    await sleep(1_500);
    await other.query('commit');
    return (await late).status;
  } finally {
    await other.end();
  }
}

describe('a login', () => {
  const discente = `(select id from pessoa where usuario = 'discente')`;

  it.each([
    [
      'the password is changed',
      `update credencial set senha_hash = senha_hash || 'x' where id_pessoa = ${discente}`,
      `update credencial set senha_hash = rtrim(senha_hash, 'x') where id_pessoa = ${discente}`,
    ],
    [
      'the access is taken',
      `update acesso_ambiente set situacao = 'I' where id_pessoa = ${discente}`,
      `update acesso_ambiente set situacao = 'A' where id_pessoa = ${discente}`,
    ],
    [
      'the person is inactivated',
      `update pessoa set situacao = 'I' where usuario = 'discente'`,
      `update pessoa set situacao = 'A' where usuario = 'discente'`,
    ],
  ])('leaves no session when meanwhile %s', async (_what, taking, givingBack) => {
    const sessions = `select count(*) from sessao where id_pessoa = ${discente}`;
    const before = await service().sql(sessions);
    try {
      expect(await loginDuring('discente', taking)).toBe(401);
      expect(await service().sql(sessions)).toEqual(before);
    } finally {
      await service().sql(givingBack);
    }
  });
});
