import { Client as UrqlClient, fetchExchange } from '@urql/core';
import { serverAudits } from 'graphql-http';
import { GraphQLClient } from 'graphql-request';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { startService, useService } from './support/service.ts';

const service = useService();
const endpoint = (): string => `${service().url}/graphql`;

/** A query in the URL. */
const asked = (query: string, variables?: object): string =>
  `/graphql?${new URLSearchParams({ query, ...(variables && { variables: JSON.stringify(variables) }) })}`;

const get = async (query: string, variables?: object, usuario = 'tecnico'): Promise<Answer> =>
  (await service().as(usuario)).get(asked(query, variables));

const material = 'query ($id: Int!) { material(id: $id) { id estadoFisico } }';
const found = { material: { id: 1, estadoFisico: 'LIQUIDO' } };

describe('GraphQL over HTTP: the server', () => {
  const audits = serverAudits({ url: endpoint });

  it.each(audits.map(audit => [audit.name, audit] as const))('%s', async (_, audit) => {
    const result = await audit.fn();
    expect(result.status === 'ok' ? 'ok' : `${result.status}: ${result.reason}`).toBe('ok');
  });

  it('says how long its answers are, in bytes', async () => {
    const { headers } = await service().as('tecnico');
    const response = await fetch(endpoint(), {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Accept-Encoding': 'identity' },
      body: JSON.stringify({ query: '{ material(id: 1) { titulo descricao unidadeMedida { descricao } } }' }),
    });
    const body = Buffer.from(await response.arrayBuffer());
    expect(body.length).toBeGreaterThan(body.toString().length);
    expect(response.headers.get('Content-Length')).toBe(String(body.length));
  });
});

describe('the header If-Match', () => {
  const types = 'almoxarifadoquimicos/tipos-empresas';
  const change = `mutation { atualizarTipoEmpresa(id: 1, input: { descricao: "Outra" }) { versao } }`;
  const read = '{ tipoEmpresa(id: 1) { descricao } }';

  it('is refused with a mutation, which takes the version as an argument, and changes nothing', async () => {
    const admin = await service().as('admin');
    const before = (await admin.get(`/${types}/1`)).body;
    const { body } = await admin.with({ 'if-match': '"1"' }).post('/graphql', { query: change });
    expect(body.errors).toMatchObject([
      { message: expect.stringContaining('versao'), extensions: { code: 'BAD_REQUEST' } },
    ]);
    expect((await admin.get(`/${types}/1`)).body).toEqual(before);
  });

  it('is ignored with a query, and beside a mutation that is not run', async () => {
    const admin = (await service().as('admin')).with({ 'if-match': '"1"' });
    expect((await admin.graphql(read)).errors).toBeUndefined();
    const query = `query Lida ${read} ${change.replace('mutation', 'mutation Muda')}`;
    const { body } = await admin.post('/graphql', { query, operationName: 'Lida' });
    expect(body.errors).toBeUndefined();
  });

  it('is no other header: If-None-Match is ignored with a mutation, too', async () => {
    const admin = (await service().as('admin')).with({ 'if-none-match': '*' });
    expect((await admin.graphql(change)).errors).toBeUndefined();
  });
});

describe('a query in a URL', () => {
  it('is answered to urql, which sends queries so by itself', async () => {
    const { headers } = await service().as('tecnico');
    const sent: string[] = [];
    const client = new UrqlClient({
      url: endpoint(),
      exchanges: [fetchExchange],
      fetchOptions: { headers },
      fetch: (url, init) => {
        sent.push(init!.method!);
        return fetch(url, init);
      },
    });
    const { data, error } = await client.query(material, { id: 1 });
    expect([error, data]).toMatchObject([undefined, found]);
    expect(sent).toEqual(['GET']);
  });

  it('is answered to graphql-request', async () => {
    const { headers } = await service().as('tecnico');
    const client = new GraphQLClient(endpoint(), { method: 'GET', headers });
    expect(await client.request(material, { id: 1 })).toEqual(found);
    await expect(client.request('{ nada }')).rejects.toMatchObject({ response: { status: 400 } });
  });

  it('is answered to curl, whose headers name nothing', async () => {
    const curl = (await service().as('tecnico')).with({ accept: '*/*', 'user-agent': 'curl/8.14.1' });
    const { status, headers, body } = await curl.get(asked(material, { id: 1 }));
    expect([status, body]).toEqual([200, { data: found }]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('is answered to anybody if it is open to anybody', async () => {
    const { status, body } = await service().anyone.get(asked('{ __typename }'));
    expect([status, body]).toEqual([200, { data: { __typename: 'Query' } }]);
  });

  it('is kept by no cache', async () => {
    for (const id of [1, 'a'])
      expect((await get(material, { id })).headers.get('cache-control')).toBe('no-store');
  });

  it('needs the same permission, before variables are read', async () => {
    const { body } = await service().anyone.get(asked(material, { id: 'a' }));
    expect(body.errors).toMatchObject([{ path: ['material'], extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(body.errors).toHaveLength(1);
    expect((await get(material, { id: 'a' }, 'discente')).body.errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
    expect((await get(material, { id: 'a' })).body.errors).toMatchObject([
      { extensions: { code: 'BAD_REQUEST', errors: [{ field: 'id' }] } },
    ]);
  });

  it('has the limits of a document, and that of a URL', async () => {
    const deep = `{ material(id: 1) ${'{ unidadeMedida '.repeat(30)} { id } ${'}'.repeat(30)} }`;
    const tooDeep = await get(deep);
    expect(tooDeep).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] },
    });
    const tooLong = await get(`{ material(id: 1) { id } } #${'x'.repeat(17_000)}`);
    expect(tooLong).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  it('leaves a line in the log with its operation, without its text and values', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const logging = await startService({}, service(), log);
    const client = (await service().as('tecnico')).headers;
    await fetch(logging.url + asked('{ materiais(titulo: "segredo") { total } }'), { headers: client });
    await logging.stop();
    const requests = lines.map(line => JSON.parse(line) as Record<string, unknown>);
    expect(requests.find(({ msg }) => msg === 'request')).toMatchObject({
      method: 'GET',
      operation: 'materiais',
      idPessoa: expect.any(Number),
    });
    expect(lines.join('')).not.toContain('segredo');
  });
});

describe('a page of another site', () => {
  it('cannot send a mutation: not by GET, and not with a content type for which browsers do not ask', async () => {
    const tecnico = await service().anyone.login('tecnico');
    expect((await tecnico.get(asked('mutation { sair }'))).status).toBe(405);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const init = { method: 'POST', body: '{"query":"mutation{sair}"}', headers: { 'content-type': type } };
      expect(await tecnico.raw('/graphql', init)).toMatchObject({ status: 415 });
    }
    const untyped = { method: 'POST', body: new Blob(['{"query":"mutation{sair}"}']) };
    expect(await tecnico.raw('/graphql', untyped)).toMatchObject({ status: 400 });
    const { data } = await tecnico.graphql('{ sessaoAtual { idPessoa } }');
    expect(data.sessaoAtual).not.toBeNull();
  });

  it('cannot send the token of a person, and not read what it is answered', async () => {
    const headers = { origin: 'https://elsewhere.example', cookie: `token=${'x'.repeat(20)}` };
    const { body, headers: answered } = await service()
      .anyone.with(headers)
      .get(asked('{ sessaoAtual { idPessoa } }'));
    expect(body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(answered.has('access-control-allow-origin')).toBe(false);
    expect(answered.has('set-cookie')).toBe(false);
  });
});
