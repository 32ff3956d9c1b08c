import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buildSchema, GraphQLInt, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { demoPassword } from '../src/demo/login.ts';
import { accessOf } from '../src/access/access.ts';
import { guardSchema, rootFields } from '../src/graphql/guard.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { addSystem, grant } from './support/permissions.ts';
import { startService, useService, type TestService } from './support/service.ts';

const service = useService();
const MATERIAIS = '/almoxarifadoquimicos/materiais';
const CONTROLLER = MATERIAIS.slice(1);

const rest = {
  titulo: 'Água',
  descricao: 'Pura',
  id_unidade_medida: 1,
  estado_fisico: 'L',
  criado_por: 1,
  alterado_por: 1,
};
const input = { titulo: 'Água', descricao: 'Pura', idUnidadeMedida: 1, estadoFisico: 'LIQUIDO' };

const codes = { 200: undefined, 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN' };
type Status = keyof typeof codes;

/** The status of each of the four verbs on materials; success is 200. */
async function verbs(client: Client): Promise<number[]> {
  const read = await client.get(`${MATERIAIS}?pagination=true&itemsPerPage=1`);
  const one = await client.get(`${MATERIAIS}/1`);
  const created = await client.post(MATERIAIS, rest);
  const id = (created.body.id as number | undefined) ?? 1;
  const updated = await client.put(`${MATERIAIS}/${id}`, rest);
  const deleted = await client.delete(`${MATERIAIS}/${id}`);
  const status = [read, one, created, updated, deleted].map(answer => answer.status);
  return status.map(code => (code === 201 ? 200 : code));
}

/** The error code of each matching GraphQL field. */
async function fields(client: Client): Promise<(string | undefined)[]> {
  const ask = async (query: string, variables: object = {}) => client.graphql(query, { input, ...variables });
  const read = await ask('{ materiais(pagination: true, itemsPerPage: 1) { total } }');
  const one = await ask('{ material(id: 1) { id } }');
  const created = await ask('mutation ($input: MaterialInput!) { criarMaterial(input: $input) { id } }');
  const id = created.data?.criarMaterial?.id ?? 1;
  const updated = await ask(
    'mutation ($id: Int!, $input: MaterialInput!) { atualizarMaterial(id: $id, input: $input) { id } }',
    { id },
  );
  const deleted = await ask('mutation ($id: Int!) { excluirMaterial(id: $id) { id } }', { id });
  return [read, one, created, updated, deleted].map(({ errors }) => errors?.[0]!.extensions.code);
}

/** Reading and writing, each on both faces. */
async function expectAccess(client: Client, read: Status, write: Status): Promise<void> {
  const expected = [read, read, write, write, write];
  expect(await verbs(client)).toEqual(expected);
  expect(await fields(client)).toEqual(expected.map(status => codes[status]));
}

describe('materials', () => {
  it.each(['admin', 'almoxarife', 'tecnico'])('are read and written by %s', async usuario => {
    await expectAccess(await service().as(usuario), 200, 200);
  });

  it.each(['docente', 'discente'])('are closed to %s', async usuario => {
    await expectAccess(await service().as(usuario), 403, 403);
  });

  it('are closed to callers without a token', async () => {
    await expectAccess(service().anyone, 401, 401);
  });
});

describe('a level', () => {
  let revoke: () => Promise<void> = async () => {};
  const give = async (given: Parameters<typeof grant>[2]) => {
    revoke = await grant(service(), 'docente', given);
  };
  beforeAll(() => addSystem(service(), 'OUTRO', 'outro-key'));
  afterEach(() => revoke());

  it('of 1 reads and does not write', async () => {
    await give({ controller: CONTROLLER, nivel: 1 });
    await expectAccess(await service().as('docente'), 200, 403);
  });

  it.each([2, 3])('of %i writes too', async nivel => {
    await give({ controller: CONTROLLER, nivel });
    await expectAccess(await service().as('docente'), 200, 200);
  });

  it('counts only on its controller', async () => {
    await give({ controller: 'almoxarifadoquimicos/unidades-medida', nivel: 3 });
    const docente = await service().as('docente');
    expect((await docente.get('/almoxarifadoquimicos/unidades-medida')).status).toBe(200);
    await expectAccess(docente, 403, 403);
  });

  it('on no controller counts on every one, at that level', async () => {
    await give({ controller: null, nivel: 1 });
    const docente = await service().as('docente');
    expect((await docente.get('/almoxarifadoquimicos/unidades-medida')).status).toBe(200);
    await expectAccess(docente, 200, 403);
  });

  it('is the highest one that several profiles give', async () => {
    await give({ controller: CONTROLLER, nivel: 2 });
    const takeSecond = await grant(service(), 'docente', { controller: null, nivel: 1 });
    await expectAccess(await service().as('docente'), 200, 200);
    await takeSecond();
  });

  it('in another system does not count here', async () => {
    await give({ controller: null, nivel: 3, sistema: 'OUTRO' });
    await expectAccess(await service().as('docente'), 403, 403);
  });

  it("on another system's controller of the same name does not count here", async () => {
    await service().sql(
      `insert into controller (nome, id_sistema) select $1, id from sistema where sigla = 'OUTRO'`,
      [CONTROLLER],
    );
    await give({ controller: CONTROLLER, nivel: 3, sistemaDoController: 'OUTRO' });
    await expectAccess(await service().as('docente'), 403, 403);
  });

  it('on a controller whose name looks like a wildcard counts only on that controller', async () => {
    await service().sql(
      `insert into controller (nome, id_sistema) select '*', id from sistema where sigla = 'SII'`,
    );
    await give({ controller: '*', nivel: 3 });
    await expectAccess(await service().as('docente'), 403, 403);
  });
});

describe('a right that is taken away', () => {
  let second: TestService;
  let clients: Client[];
  beforeAll(async () => {
    second = await startService({}, service());
    await addSystem(service(), 'APP', 'app-key');
    const app = service().anyone.with({ 'app-name': 'APP', 'api-key': 'app-key' });
    const credentials = { username: 'tecnico', password: demoPassword('tecnico') };
    const { token } = (await app.post('/auth/login', credentials)).body;
    clients = [service().anyone.with({ token }), second.anyone.with({ token })];
  });
  afterAll(() => second.stop());

  const status = () => Promise.all(clients.map(async client => (await client.get(`${MATERIAIS}/1`)).status));
  const code = async () => {
    const answers = await Promise.all(clients.map(client => client.graphql('{ material(id: 1) { id } }')));
    return answers.map(({ errors }) => errors?.[0]!.extensions.code);
  };
  const tecnico = `id_pessoa = (select id from pessoa where usuario = 'tecnico')`;
  const controller = `(select c.id from controller c join sistema s on s.id = c.id_sistema where c.nome = '${CONTROLLER}' and s.sigla = 'SII')`;

  it.each([
    ['the permission', 'permissao', tecnico, 403],
    ['the profile', 'perfil', `nome = 'Técnico de laboratório'`, 403],
    ['the item of the profile', 'perfil_recurso_item', `id_controller = ${controller}`, 403],
    ['the controller', 'controller', `id = ${controller}`, 403],
    ['the system that is called', 'sistema', `sigla = 'SII'`, 403],
    ['the system that calls', 'sistema', `sigla = 'APP'`, 401],
    ['the access', 'acesso_ambiente', tecnico, 401],
    ['the person', 'pessoa', `usuario = 'tecnico'`, 401],
  ] as const)(
    'by inactivating %s is gone at the next request, in every process',
    async (_, table, where, closed) => {
      const set = (situacao: string) =>
        service().sql(`update ${table} set situacao = $1 where ${where}`, [situacao]);
      expect(await status()).toEqual([200, 200]);
      await set('I');
      expect([await status(), await code()]).toEqual([
        [closed, closed],
        [codes[closed], codes[closed]],
      ]);
      await set('A');
      expect(await status()).toEqual([200, 200]);
    },
  );

  it('by inactivating a controller does not lock out a person with every controller, who must activate it again', async () => {
    await service().sql(`update controller set situacao = 'I'`);
    expect((await (await service().as('admin')).get(`${MATERIAIS}/1`)).status).toBe(200);
    await service().sql(`update controller set situacao = 'A'`);
  });

  it('because the person left also ends the session at once, in every process', async () => {
    expect((await clients[1]!.graphql('mutation { sair }')).data).toEqual({ sair: true });
    expect(await status()).toEqual([401, 401]);
    const { errors } = await clients[0]!.graphql('mutation { sair }');
    expect(errors![0]!.extensions.code).toBe('UNAUTHENTICATED');
  });
});

/** A request of which the client sends only the headers. */
async function headersOnly(
  path: string,
  headers: Record<string, string | string[]>,
): Promise<IncomingMessage> {
  const sent = request(service().url + path, { method: 'POST', headers });
  sent.flushHeaders();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  sent.destroy();
  return response;
}

describe('a token', () => {
  it.each([
    ['that nobody has', { token: 'A'.repeat(43) }],
    ['that is empty', { token: '' }],
    ['that looks like an object', { token: '[object Object]' }],
    ['that looks like JSON', { token: '["a","b"]' }],
    ['that is far too long', { token: 'A'.repeat(12_000) }],
    ['that is not ASCII', { token: 'é'.repeat(43) }],
  ])('%s is refused on both faces', async (_, headers) => {
    await expectAccess(service().anyone.with(headers), 401, 401);
  });

  it('is read only from its own header, and only once', async () => {
    const { headers } = await service().as('admin');
    const token = headers['token']!;
    const path = `${MATERIAIS}?token=${token}`;
    for (const elsewhere of [{}, { authorization: `Bearer ${token}` }, { cookie: `token=${token}` }])
      expect(
        (
          await service()
            .anyone.with(elsewhere as {})
            .get(path)
        ).status,
      ).toBe(401);
    expect((await headersOnly(MATERIAIS, { token: [token, token], 'content-length': '2' })).statusCode).toBe(
      401,
    );
  });
});

describe('a refusal', () => {
  const bad: [string, RequestInit][] = [
    ['breaks every rule', { body: '{"titulo":5}', headers: { 'content-type': 'application/json' } }],
    ['is not JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['is of another type', { body: '<x/>', headers: { 'content-type': 'text/xml' } }],
    ['is too large', { body: ' '.repeat(1_000_001), headers: { 'content-type': 'application/json' } }],
  ];

  it.each(bad)('comes before any error about a body that %s', async (_, init) => {
    const docente = await service().as('docente');
    for (const [client, code] of [
      [service().anyone, 'UNAUTHENTICATED'],
      [docente, 'FORBIDDEN'],
    ] as const) {
      const { body } = await client.raw(MATERIAIS, { method: 'POST', ...init });
      expect(body.code).toBe(code);
      expect(body).not.toHaveProperty('errors');
    }
  });

  it('comes before the client sends the body', async () => {
    const { headers } = await service().as('docente');
    const length = { 'content-type': 'application/json', 'content-length': '100000' };
    expect((await headersOnly(MATERIAIS, length)).statusCode).toBe(401);
    expect((await headersOnly(MATERIAIS, { ...length, ...headers })).statusCode).toBe(403);
  });

  it('comes before any error about path, query or arguments', async () => {
    const { anyone } = service();
    expect((await anyone.get(`${MATERIAIS}?page=x`)).status).toBe(401);
    expect((await anyone.get(`${MATERIAIS}/none`)).status).toBe(401);
    expect((await anyone.put(`${MATERIAIS}/999999`, {})).status).toBe(401);
    const { errors } = await anyone.graphql('{ materiais(page: -1, itemsPerPage: 0) { total } }');
    expect(errors!.map(error => error.extensions)).toEqual([{ code: 'UNAUTHENTICATED' }]);
  });
});

describe('an answer to a logged-in caller', () => {
  it('is not stored by any cache, on either face', async () => {
    const admin = await service().as('admin');
    const answers = [
      await admin.get(MATERIAIS),
      await admin.get(`${MATERIAIS}/999999`),
      await service().anyone.get(MATERIAIS),
      await admin.raw(`${MATERIAIS}?export=true`, {}),
      await admin.post('/graphql', { query: '{ sessaoAtual { id } }' }),
    ];
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('without a token', () => {
  it('the schema and its root can be queried', async () => {
    const { data, errors } = await service().anyone.graphql('{ __typename __schema { queryType { name } } }');
    expect(errors).toBeUndefined();
    expect(data).toEqual({ __typename: 'Query', __schema: { queryType: { name: 'Query' } } });
  });

  it.each(['/healthz', '/docs', '/openapi.json'])('%s can be read', async path => {
    expect((await service().anyone.get(path)).status).toBe(200);
  });
});

describe('every query and mutation', () => {
  const declared = { type: GraphQLInt, extensions: { access: { kind: 'public' } } };
  const root = (name: string, field: object) =>
    new GraphQLObjectType({ name, fields: { field: field as typeof declared } });

  it('declares what its caller needs', async () => {
    const roots = rootFields(await createSchema());
    expect(roots.length).toBeGreaterThan(0);
    expect(roots.filter(field => !accessOf(field)).map(field => field.name)).toEqual([]);
  });

  it('without such a declaration is refused by the schema', () => {
    expect(() => guardSchema(buildSchema('type Query { segredo: Int }'))).toThrow(
      'segredo declares no permission',
    );
    const query = root('Query', declared);
    expect(() => guardSchema(new GraphQLSchema({ query }))).not.toThrow();
    const mutation = root('Mutation', { type: GraphQLInt });
    expect(() => guardSchema(new GraphQLSchema({ query: root('Query', declared), mutation }))).toThrow(
      'field declares no permission',
    );
  });
});

describe('one request', () => {
  afterEach(() => vi.restoreAllMocks());

  /** The number of look-ups of the session and the calling system during a request. */
  async function lookUps(ask: () => Promise<unknown>): Promise<{ session: number; system: number }> {
    const { reader } = service().services.listing;
    const rows = vi.spyOn(reader, 'rows').mockClear();
    const together = vi.spyOn(reader as Required<typeof reader>, 'together').mockClear();
    await ask();
    const texts = [
      ...rows.mock.calls.map(([text]) => text),
      ...together.mock.calls.flat(2).map(({ text }) => text),
    ];
    const count = (part: string) => texts.filter(text => text.includes(part)).length;
    return { session: count('s.token_hash = $1'), system: count('join chave_api') };
  }

  it('looks up its session once, on either face', async () => {
    const admin = await service().as('admin');
    expect(await lookUps(() => admin.get(MATERIAIS))).toEqual({ session: 1, system: 0 });
    const query =
      '{ a: materiais { total } b: materiais { total } material(id: 1) { id } unidadesMedida { total } sessaoAtual { id } }';
    expect(await lookUps(() => admin.graphql(query))).toEqual({ session: 1, system: 0 });
    const mutation = 'mutation { a: excluirMaterial(id: 9999) { id } b: excluirMaterial(id: 9999) { id } }';
    expect(await lookUps(() => admin.graphql(mutation))).toEqual({ session: 1, system: 0 });
  });

  it('that needs session and system looks up each of them once', async () => {
    const admin = (await service().as('admin')).with(systemHeaders);
    const body = { username: 'nobody', password: 'long enough to pass' };
    expect(await lookUps(() => admin.put('/auth/senha', body))).toEqual({ session: 1, system: 1 });
  });

  it('without a token looks up nothing', async () => {
    expect(await lookUps(() => service().anyone.get(MATERIAIS))).toEqual({ session: 0, system: 0 });
  });
});
