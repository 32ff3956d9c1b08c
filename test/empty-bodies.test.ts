import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { legacyView } from '../src/rest/legacy-schema.ts';
import { routes } from '../src/rest/routes.ts';
import { systemHeaders } from './support/client.ts';
import { useService } from './support/service.ts';

/** A request whose body is empty has no body, whatever its headers say about it. */

const service = useService();
const { operations } = legacyView(await createSchema(), routes);
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Empty bodies of a form: with a length, as of `curl -d ''`, or in chunks, as Java sends what it streams. */
const cases: [string, Record<string, string>][] = [
  ['with a length', { ...form, 'content-length': '0' }],
  ['in chunks', { ...form, 'transfer-encoding': 'chunked' }],
];

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  pieces?: readonly string[];
}

/** Status and error of the answer to exactly these headers and pieces of a body. */
async function send({ method, path, headers = {}, pieces = [] }: Sent) {
  const admin = (await service().as('admin')).with(systemHeaders);
  const sent = request(service().url + path, { method, headers: { ...admin.headers, ...headers } });
  // Node.js would add a length to a POST without a body.
  if (pieces.length === 0) sent.useChunkedEncodingByDefault = false;
  for (const piece of pieces) await new Promise(resolve => sent.write(piece, resolve));
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = await buffer(answer);
  const isJson = /json/.test(answer.headers['content-type'] ?? '');
  return { status: answer.statusCode!, body: isJson ? JSON.parse(String(bytes)) : undefined };
}

/** What is the same in each answer to a request that is refused, or that has succeeded before. */
const outcome = ({ status, body }: Awaited<ReturnType<typeof send>>) => ({
  status,
  code: body?.code,
  errors: body?.errors,
});

/** Ends the session with which the others are sent. */
const LOGOUT = '/auth/logout';

const sendable = operations.filter(({ route }) => route.path !== LOGOUT);
const inPath = (path: string): string => path.replaceAll(/\{\w+\}/g, '999999');

describe.each(cases)('an empty body %s', (_, headers) => {
  it.each(sendable.map(({ route: { method, path } }) => [method, path] as const))(
    'is answered like no body: %s %s',
    async (method, path) => {
      const at = { method, path: inPath(path) };
      const bare = outcome(await send(at));
      expect(outcome(await send({ ...at, headers }))).toEqual(bare);
      expect(bare.status).not.toBe(415);
    },
  );

  it.each<Record<string, string>>([
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-encoding': 'x' },
  ])('is none, whatever else is said of it: %j', async others => {
    for (const path of ['/almoxarifadoquimicos/materiais', '/arquivosdigitais/arquivos-digitais']) {
      const answer = await send({ method: 'POST', path, headers: { ...headers, ...others } });
      expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    }
  });

  it('is none in GraphQL either: a query in the URL is answered, and a POST is refused as without a body', async () => {
    const read = { path: '/graphql?query={__typename}', headers };
    const found = { status: 200, body: { data: { __typename: 'Query' } } };
    expect(await send({ ...read, method: 'GET' })).toEqual(found);
    const bare = await send({ method: 'POST', path: '/graphql' });
    expect(bare).toMatchObject({ status: 400, body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] } });
    expect(await send({ ...read, method: 'POST' })).toEqual(bare);
  });

  it('lets an account be suspended', async () => {
    const account = '/institucional/usuarios-ldap/dep.quimica@universidade.example';
    const suspend = { method: 'PUT', path: `${account}?suspenderConta=true`, headers };
    expect(await send(suspend)).toMatchObject({ status: 200 });
  });
});

describe('a body in chunks', () => {
  const material = { titulo: 'T', descricao: 'D', id_unidade_medida: 1, estado_fisico: 'L' };
  const file = {
    id_tabela_origem: 1001,
    nome_tabela_origem: 'nota_fiscal',
    nome: 'x',
    tipo_mime: 'text/plain',
  };
  const doors: [string, string, object, number][] = [
    ['a record', '/almoxarifadoquimicos/materiais', { ...material, criado_por: 1, alterado_por: 1 }, 201],
    ['a file', '/arquivosdigitais/arquivos-digitais', { ...file, conteudo: 'YQ==' }, 201],
    ['GraphQL', '/graphql', { query: '{ __typename }' }, 200],
  ];
  const inPieces = (path: string, body: object, type: string) =>
    send({
      method: 'POST',
      path,
      headers: { 'transfer-encoding': 'chunked', 'content-type': type },
      pieces: JSON.stringify(body).split(/(?<=,)/),
    });

  it.each(doors)('is read whole: %s', async (_, path, body, status) => {
    expect(await inPieces(path, body, 'application/json')).toMatchObject({ status });
  });

  it.each(doors)('with another type is refused at its first byte: %s', async (_, path, body) => {
    const { status, body: refused } = await inPieces(path, body, form['content-type']);
    const code = refused.code ?? refused.errors[0].extensions.code;
    expect([status, code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

it('a query in a URL with a body of a form is refused with the code of its status', async () => {
  const headers = { ...form, 'content-length': '3' };
  const asked = await send({ method: 'GET', path: '/graphql?query={__typename}', headers, pieces: ['a=b'] });
  expect(asked).toMatchObject({
    status: 415,
    body: { errors: [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }] },
  });
});
