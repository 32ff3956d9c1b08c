import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { digest } from '../src/access/secrets.ts';
import { demoPassword } from '../src/demo/login.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { readEverything } from './support/permission-reads.ts';
import { grant, makePerson, makeProfile, makeSession, personOf } from './support/permissions.ts';
import { expectProblem } from './support/problem.ts';
import { selectAll } from './support/select-all.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService();
const sessions = '/permissoes/autenticacoes';

/** A new login, with the id of its session. */
async function open(usuario: string) {
  const client = await service().anyone.login(usuario);
  const { data } = await client.graphql('{ sessaoAtual { id } }');
  return { client, id: data.sessaoAtual.id as number, token: client.headers['token']! };
}

const end = (client: Client, id: number) =>
  client.graphql(`mutation { encerrarSessao(id: ${id}) { id idPessoa encerradaEm } }`);

describe('a session', () => {
  it('is found by its id only with its own token', async () => {
    const [one, two] = [await open('docente'), await open('docente')];
    const find = (token: string) => one.client.get(`${sessions}/${one.id}?token=${token}`);
    expect((await find(one.token)).body).toMatchObject({ id: one.id, encerrada_em: null });
    for (const token of [two.token, one.token.toLowerCase(), 'nothing'])
      expectProblem(await find(token), 404, 'NOT_FOUND');
    const query = 'query ($id: Int!, $token: String) { autenticacao(id: $id, token: $token) { id } }';
    const ask = async (token: string) =>
      (await one.client.graphql(query, { id: one.id, token })).data.autenticacao;
    expect([await ask(one.token), await ask(two.token)]).toEqual([{ id: one.id }, null]);
  });

  it('needs its own token even from a caller who may read all sessions', async () => {
    const [one, two] = [await open('docente'), await open('docente')];
    const admin = await service().as('admin');
    expect((await admin.get(`${sessions}/${one.id}?token=${one.token}`)).status).toBe(200);
    expectProblem(await admin.get(`${sessions}/${one.id}?token=${two.token}`), 404, 'NOT_FOUND');
  });

  it('has the version of the application that opened it', async () => {
    const headers = { ...systemHeaders, appversion: '9.8.7' };
    const credentials = { username: 'docente', password: demoPassword('docente') };
    const { token } = (await service().anyone.with(headers).post('/auth/login', credentials)).body;
    const { body } = await service().anyone.with({ token }).get(sessions);
    expect(body.data.at(-1)).toMatchObject({ versao_aplicacao: '9.8.7', sistema: { sigla: 'SII' } });
  });
});

describe('ending a session', () => {
  let second: TestService;
  beforeAll(async () => {
    second = await startService({}, service());
  });
  afterAll(() => second.stop());

  let revoke: () => Promise<void> = async () => {};
  afterEach(async () => {
    await revoke();
    revoke = async () => {};
  });

  /** The status that a token gets on each of two processes. */
  const statuses = (token: string) =>
    Promise.all([service(), second].map(async at => (await at.anyone.with({ token }).get(sessions)).status));

  it('of the caller needs no level, and leaves the other sessions open', async () => {
    const [one, two] = [await open('discente'), await open('discente')];
    const { data } = await end(one.client, two.id);
    expect(data.encerrarSessao).toMatchObject({ id: two.id, encerradaEm: expect.stringMatching(/Z$/) });
    expect(await statuses(two.token)).toEqual([401, 401]);
    expect(await statuses(one.token)).toEqual([200, 200]);
  });

  it('that sends the request works, and the session ends after the answer', async () => {
    const { client, id, token } = await open('discente');
    expect((await end(client, id)).errors).toBeUndefined();
    expect(await statuses(token)).toEqual([401, 401]);
  });

  it.each([
    [1, 200],
    [2, 200],
    [3, 401],
  ])('of another person needs level 3: with %i the session answers %i afterwards', async (nivel, status) => {
    const { token, id } = await open('docente');
    revoke = await grant(service(), 'discente', { controller: 'permissoes/autenticacoes', nivel });
    const { errors } = await end(await service().as('discente'), id);
    expect(errors?.[0]!.extensions.code).toBe(nivel === 3 ? undefined : 'FORBIDDEN');
    expect(await statuses(token)).toEqual([status, status]);
  });

  it('that has already ended keeps the time when it ended', async () => {
    const { id } = await open('tecnico');
    const admin = await service().as('admin');
    const { data } = await end(admin, id);
    expect((await end(admin, id)).data).toEqual(data);
  });

  it('is in the audit trail under the caller', async () => {
    const { id } = await open('tecnico');
    await end(await service().as('admin'), id);
    const rows = await service().sql(
      `select id_pessoa, alteracoes ? 'encerrada_em' from auditoria
       where tabela = 'sessao' and id_registro = $1 and operacao = 'update'`,
      [id],
    );
    expect(rows).toEqual([[await personOf(service(), 'admin'), true]]);
  });
});

describe('no answer about permissions', () => {
  /** Names of members that could contain a secret. */
  const SECRET = /"(\w*(hash|token|senha|secret)\w*|chave|api_?key)":/i;
  const forms = (secret: string) => [
    secret,
    ...(['hex', 'base64', 'base64url'] as const).map(encoding => digest(secret).toString(encoding)),
  ];

  it('has a token, a key, a digest, or a field for one', async () => {
    const usuario = 'quem-tem-tudo';
    const token = 'S'.repeat(43);
    const idPessoa = await makePerson(service(), usuario);
    const idPerfil = await makeProfile(service(), { usuarios: [usuario] });
    const idSessao = await makeSession(service(), idPessoa, token);
    const schema = await createSchema();
    const admin = await service().as('admin');
    const reads = await readEverything(admin, schema, { idPessoa, idPerfil, idSessao, token });
    const mutations = schema.getMutationType()!.getFields();
    const all = (name: string) => `{ ${name}(id: 1) ${selectAll(mutations[name]!.type, 2)} }`;
    for (const name of ['revogarChaveApi', 'encerrarSessao'])
      reads.push({ name, text: JSON.stringify(await admin.graphql(`mutation ${all(name)}`)) });
    const secrets = [token, admin.headers['token']!, systemHeaders['api-key']].flatMap(forms);
    const telling = reads.filter(
      ({ text }) => SECRET.test(text) || secrets.some(secret => text.includes(secret)),
    );
    expect(telling.map(({ name }) => name)).toEqual([]);
    // Proves that the search works: the session of the token was among the answers.
    expect(reads.filter(({ text }) => text.includes(usuario)).length).toBeGreaterThan(10);
  });
});
