import { createHash } from 'node:crypto';
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { useService } from './support/service.ts';

const service = useService();
const json = { 'content-type': 'application/json' };

const ask = async (query: string, variables?: object) =>
  (await service().as('admin')).post('/graphql', { query, variables });
const answerOf = async (query: string, variables?: object) => (await ask(query, variables)).body;

/** Twenty-six fragments, each spreading the next twice: 2^26 fields when written out. */
const fragments = Array.from(
  { length: 26 },
  (_, i) => `fragment F${i} on Material { a: tipoControle { id } ...F${i + 1} ... { ...F${i + 1} } }`,
).join(' ');
const chain = (end: string) => `${fragments} fragment F26 on Material { ${end} }`;

describe('a document that cannot be used', () => {
  it.each([
    ['that does not parse', { query: '{' }],
    ['of an unknown field', { query: '{ nada }' }],
    ['with an unknown argument', { query: '{ material(id: 1, nome: "x") { id } }' }],
    ['without an operation to choose', { query: 'query A { __typename } query B { __typename }' }],
    ['with a number beyond Int', { query: '{ material(id: 2147483648) { id } }' }],
    ['with an unknown enum value', { query: '{ materiais(orderByTitulo: Asc) { total } }' }],
    ['that is not a text', { query: 5 }],
    ['with variables that are not an object', { query: '{ __typename }', variables: 'x' }],
    ['in a batch', [{ query: '{ __typename }' }]],
    ['that is not there', {}],
    ['that doubles with each fragment', { query: `{ material(id: 1) { ...F0 } } ${chain('id')}` }],
    [
      'that doubles in an operation not chosen',
      {
        query: `query A { __typename } query B { material(id: 1) { ...F0 } } ${chain('id')}`,
        operationName: 'A',
      },
    ],
    ['with fragments in a circle', { query: `{ material(id: 1) { ...F0 } } ${chain('...F0')}` }],
  ])('%s is a bad request', async (_, body) => {
    const { status, headers, body: answer } = await (await service().as('admin')).post('/graphql', body);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.has('x-request-id')).toBe(true);
    expect(answer.errors).toMatchObject([
      { message: expect.any(String), extensions: { code: 'BAD_REQUEST' } },
    ]);
    // A wrong literal additionally has its path.
    const { errors: _paths, ...others } = answer.errors[0].extensions;
    expect(others).toEqual({ code: 'BAD_REQUEST' });
  });

  it('does not delay another client', async () => {
    const bombs = Array.from({ length: 20 }, () => ask(`{ material(id: 1) { ...F0 } } ${chain('id')}`));
    expect(await answerOf('{ material(id: 1) { id } }')).toEqual({ data: { material: { id: 1 } } });
    expect((await Promise.all(bombs)).map(bomb => bomb.status)).toEqual(bombs.map(() => 400));
  });
});

describe('a request that is not GraphQL', () => {
  it.each<[string, RequestInit, number, string]>([
    ['malformed', { method: 'POST', body: '{"q', headers: json }, 400, 'BAD_REQUEST'],
    [
      'malformed, for a browser',
      { method: 'POST', body: '{"q', headers: { ...json, accept: 'text/html' } },
      400,
      'BAD_REQUEST',
    ],
    ['empty', { method: 'POST', headers: json }, 400, 'BAD_REQUEST'],
    ['null', { method: 'POST', body: 'null', headers: json }, 400, 'BAD_REQUEST'],
    [
      'over the limit',
      { method: 'POST', body: `"${'x'.repeat(2_000_000)}"`, headers: json },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'in Latin-1',
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json; charset=latin1' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'that any page could send',
      { method: 'POST', body: '{"query":"{__typename}"}', headers: { 'content-type': 'text/plain' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['of another method', { method: 'PUT', body: '{}', headers: json }, 405, 'METHOD_NOT_ALLOWED'],
  ])('%s is refused as GraphQL refuses', async (_, init, status, code) => {
    const answer = await service().anyone.raw('/graphql?query={__typename}', init);
    expect(answer).toMatchObject({ status, body: { errors: [{ extensions: { code } }] } });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.has('x-request-id')).toBe(true);
    expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|SyntaxError/);
  });

  it('is refused by the name of a parameter that is not in UTF-8', async () => {
    const query = 'query=%7B__typename%7D&variables=%7B%22x%22:%22%E9%22%7D&operationName=%FF';
    const { status, body } = await service().anyone.raw(`/graphql?${query}`, { headers: json });
    expect(status).toBe(400);
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].extensions).toMatchObject({
      code: 'BAD_REQUEST',
      errors: [{ field: 'variables' }, { field: 'operationName' }],
    });
  });

  it.each([
    ['of another version', { version: 2, sha256Hash: '00' }, 'version'],
    ['without a hash', { version: 1 }, 'sha256Hash'],
    ['with the hash of another query', { version: 1, sha256Hash: '00' }, 'sha256Hash'],
    ['that is not an object', 'x', 'version'],
  ])('is refused as a persisted query %s', async (_, persistedQuery, member) => {
    const post = async (language: string) => {
      const client = service().anyone.with({ 'accept-language': language });
      return client.post('/graphql', { query: '{ __typename }', extensions: { persistedQuery } });
    };
    const { status, body } = await post('en');
    expect(status).toBe(400);
    const field = `extensions.persistedQuery.${member}`;
    expect(body.errors).toEqual([
      {
        message: 'Some fields must be corrected: see errors.',
        extensions: { code: 'BAD_REQUEST', errors: [{ field, message: expect.stringMatching(/^must/) }] },
      },
    ]);
    const portuguese = await post('pt');
    expect(portuguese.body.errors[0].extensions.errors[0].message).toMatch(/^deve/);
  });

  it.each(['POST', 'GET'])('is answered by its hash alone once it was sent with it, by %s', async method => {
    const query = `{ __typename persisted${method}: __typename }`;
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const send = async (body: { query?: string }) => {
      const extensions = { persistedQuery: { version: 1, sha256Hash } };
      if (method === 'POST') return service().anyone.post('/graphql', { ...body, extensions });
      const search = new URLSearchParams({ ...body, extensions: JSON.stringify(extensions) });
      return service().anyone.get(`/graphql?${search}`);
    };
    expect((await send({})).body.errors).toMatchObject([
      { message: 'PersistedQueryNotFound', extensions: { code: 'BAD_REQUEST' } },
    ]);
    const first = await send({ query });
    expect(first.body.data).toEqual({ __typename: 'Query', [`persisted${method}`]: 'Query' });
    expect((await send({})).body).toEqual(first.body);
  });

  it('never changes anything by GET', async () => {
    const headers = { 'apollo-require-preflight': '1' };
    const query = encodeURIComponent('mutation { sair }');
    const answer = await (await service().as('docente')).raw(`/graphql?query=${query}`, { headers });
    expect(answer).toMatchObject({
      status: 405,
      body: { errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] },
    });
    expect(answer.headers.get('allow')).toBe('POST');
  });

  it('answers HEAD like GET, without a body', async () => {
    const docente = await service().as('docente');
    const path = '/graphql?query={sessaoAtual{id}}';
    const options = { method: 'HEAD', headers: { ...docente.headers, 'accept-encoding': 'identity' } };
    const head = await fetch(docente.url + path, options);
    const got = await docente.raw(path, {});
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
    expect((await fetch(`${docente.url}/graphql?query=mutation{sair}`, options)).status).toBe(405);
  });
});

describe('variables that are not of their types', () => {
  const create = 'mutation ($entrada: MaterialInput!) { criarMaterial(input: $entrada) { id } }';
  const list =
    'query ($ordem: Ordem, $pagina: Int = 1, $v: Int!) { materiais(orderByTitulo: $ordem, page: $pagina) { total } material(id: $v) { id } }';

  it('are all reported by name, in the language of the caller', async () => {
    const entrada = {
      titulo: 5,
      descricao: null,
      idUnidadeMedida: '1',
      riscos: [{ idClassificacaoRisco: 1.5 }, 3],
      nada: 1,
    };
    const messagesIn = async (language: string) => {
      const client = (await service().as('admin')).with({ 'accept-language': language });
      const { status, body } = await client.post('/graphql', { query: create, variables: { entrada } });
      expect(status).toBe(400);
      expect(body).toEqual({ errors: [{ message: expect.any(String), extensions: expect.any(Object) }] });
      expect(body.errors[0].extensions.code).toBe('BAD_REQUEST');
      return Object.fromEntries(
        body.errors[0].extensions.errors.map((e: { field: string; message: string }) => [e.field, e.message]),
      );
    };
    expect(await messagesIn('pt-BR')).toEqual({
      titulo: 'deve ser um texto',
      descricao: 'não pode ser nulo',
      idUnidadeMedida: 'deve ser um número inteiro de 32 bits',
      estadoFisico: 'é obrigatório',
      'riscos[0].idClassificacaoRisco': 'deve ser um número inteiro de 32 bits',
      'riscos[1]': 'deve ser um objeto',
      nada: 'não é um campo conhecido',
    });
    expect(await messagesIn('en')).toMatchObject({
      titulo: 'must be a string',
      nada: 'is not a known field',
    });
  });

  it.each([
    [{ v: 1, ordem: 'up' }, 'orderByTitulo', 'deve ser um destes: asc, desc, ASC, DESC'],
    [{ v: 1, pagina: 2_147_483_648 }, 'page', 'deve ser um número inteiro de 32 bits'],
    [{ v: null }, 'id', 'não pode ser nulo'],
    [{}, 'id', 'é obrigatório'],
  ])('%j names %s', async (variables, field, message) => {
    const { errors } = await answerOf(list, variables);
    expect(errors[0].extensions).toEqual({ code: 'BAD_REQUEST', errors: [{ field, message }] });
  });

  it('get no error about correct variables', async () => {
    expect(await answerOf(list, { v: 1, ordem: 'desc' })).toMatchObject({
      data: { materiais: { total: expect.any(Number) } },
    });
  });
});

describe('an error of an operation', () => {
  it('names every broken field under its GraphQL name, and carries nothing else', async () => {
    const input = {
      titulo: '',
      descricao: 'a\0b',
      idUnidadeMedida: 99_999,
      estadoFisico: 'SOLIDO',
      riscos: [{ idClassificacaoRisco: 1 }, { idClassificacaoRisco: 99_999 }],
    };
    const { status, body } = await ask('mutation ($i: MaterialInput!) { criarMaterial(input: $i) { id } }', {
      i: input,
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({ criarMaterial: null });
    const [{ extensions }] = body.errors;
    expect(Object.keys(extensions).toSorted()).toEqual(['code', 'errors']);
    expect(extensions.code).toBe('VALIDATION_FAILED');
    expect(extensions.errors.map((error: { field: string }) => error.field).toSorted()).toEqual([
      'descricao',
      'idUnidadeMedida',
      'riscos[1].idClassificacaoRisco',
      'titulo',
    ]);
  });

  it('keeps the answers of other fields', async () => {
    const { data, errors } = await answerOf(
      '{ a: material(id: 1) { id } b: materiais(itemsPerPage: 99999) { total } c: material(id: 2000000) { id } d: unidadesMedida { page } }',
    );
    expect(data).toEqual({ a: { id: 1 }, b: null, c: null, d: { page: 1 } });
    expect(errors).toMatchObject([
      { path: ['b'], extensions: { code: 'BAD_REQUEST', errors: [{ field: 'itemsPerPage' }] } },
    ]);
  });

  it('keeps the answers of earlier mutations', async () => {
    const { data, errors } = await answerOf(
      'mutation { a: criarIconeRisco(input: { nome: "A" }) { nome } b: excluirIconeRisco(id: 2000000) { id } }',
    );
    expect(data).toEqual({ a: { nome: 'A' }, b: null });
    expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'NOT_FOUND' } }]);
  });

  it('says what is missing in the language of the client', async () => {
    const query = '{ material(id: 1) { id } }';
    const english = await service().anyone.with({ 'accept-language': 'en' }).graphql(query);
    const portuguese = await service().anyone.graphql(query);
    expect(english.errors![0]).toMatchObject({
      message: expect.stringMatching(/^Send/),
      extensions: { code: 'UNAUTHENTICATED' },
    });
    expect(portuguese.errors![0]!.message).toMatch(/^Envie/);
    const forbidden = await (await service().as('discente')).graphql(query);
    expect(forbidden.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});

describe('the schema', () => {
  it('is shown without a token', async () => {
    const { data } = await service().anyone.graphql(getIntrospectionQuery());
    expect(data.__schema.queryType.name).toBe('Query');
  });
});

describe('the answer has what is selected:', () => {
  const first = { id: 1, titulo: 'Acetato de etila' };

  it.each<[string, string, object]>([
    [
      'one field under two aliases with different subfields',
      '{ a: material(id: 1) { unidadeMedida { id } } b: material(id: 1) { titulo u: unidadeMedida { id } v: unidadeMedida { __typename } } }',
      {
        a: { unidadeMedida: { id: 6 } },
        b: { titulo: first.titulo, u: { id: 6 }, v: { __typename: 'UnidadeMedida' } },
      },
    ],
    [
      'a field merged from two places',
      '{ material(id: 1) { id unidadeMedida { id } } ...F } fragment F on Query { material(id: 1) { titulo unidadeMedida { __typename } } }',
      { material: { ...first, unidadeMedida: { id: 6, __typename: 'UnidadeMedida' } } },
    ],
    [
      'fragments on page and record',
      '{ materiais(pagination: true, itemsPerPage: 1) { ...P } } fragment P on MaterialPage { page data { ... on Material { ...M } } } fragment M on Material { id titulo }',
      { materiais: { page: 1, data: [first] } },
    ],
    [
      'an alias that is the name of another field',
      '{ material(id: 1) { titulo: id id: titulo } }',
      { material: { titulo: 1, id: first.titulo } },
    ],
    [
      'type names alone',
      '{ __typename materiais { __typename data { __typename } } }',
      expect.objectContaining({ __typename: 'Query' }),
    ],
    [
      'a type name of a page alone',
      '{ materiais { __typename } }',
      { materiais: { __typename: 'MaterialPage' } },
    ],
    [
      'orderings in either case',
      '{ a: iconesRisco { page } b: materiais(pagination: true, itemsPerPage: 1, titulo: "acetato de etila", orderByTitulo: DESC, orderByCas: asc) { data { id } } }',
      { a: { page: 1 }, b: { data: [{ id: 1 }] } },
    ],
  ])('%s', async (_, query, data) => {
    expect(await answerOf(query)).toEqual({ data });
  });

  it('only a total, paged or not', async () => {
    const [[count]] = (await service().sql('select count(*)::int from material')) as [[number]];
    const { data } = await answerOf(
      '{ a: materiais { total } b: materiais(pagination: true, itemsPerPage: 7) { total totalPages } }',
    );
    expect(data).toEqual({ a: { total: count }, b: { total: count, totalPages: Math.ceil(count / 7) } });
  });

  it('with @skip and @include, whichever way they fall, in one document', async () => {
    const query = `query ($on: Boolean!) { material(id: 1) { id titulo @include(if: $on) ...F @skip(if: $on) }
      material(id: 1) @include(if: $on) { estadoFisico } } fragment F on Material { unidadeMedida { id } }`;
    const off = { material: { id: 1, unidadeMedida: { id: 6 } } };
    const on = { material: { ...first, estadoFisico: 'LIQUIDO' } };
    for (const flag of [true, false, true, false])
      expect(await answerOf(query, { on: flag })).toEqual({ data: flag ? on : off });
  });
});

it('every request clears the timer of its deadline', async () => {
  const admin = await service().as('admin');
  const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
  const before = timers();
  for (let i = 0; i < 20; i++) await admin.graphql('{ materiais(pagination: true) { total } }');
  expect(timers() - before).toBeLessThan(10);
});
