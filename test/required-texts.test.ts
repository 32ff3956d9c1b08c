import { beforeAll, expect, it } from 'vitest';
import { routes } from '../src/rest/routes.ts';
import { systemHeaders, type Client } from './support/client.ts';
import { typeOf, type Schema } from './support/json-schema.ts';
import { makeProfile } from './support/permissions.ts';
import { expectProblem, fieldsOf } from './support/problem.ts';
import { useService } from './support/service.ts';

interface Operation {
  parameters: { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: object }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const service = useService();
let document: Document;
let admin: Client;
beforeAll(async () => {
  document = (await service().anyone.get('/openapi.json')).body as Document;
  admin = (await service().as('admin')).with(systemHeaders);
});

/** White space, and other characters that nobody sees: two that format, a filler and the blank of Braille. */
const BLANK = ' \t\u00a0\n\u200b\u00ad\u3164\u2800';
/** White space counts in a password, and a login with any user name is an attempt like any other. */
const ANY_CHARACTER = new Set(['username', 'password', 'senha']);

const resolved = (schema: Schema): Schema =>
  schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;

/** The texts of a body that must not be empty, by name. */
function requiredTexts(schema: Schema): string[] {
  const { properties = {} } = resolved(schema);
  return Object.entries(properties)
    .filter(([name, text]) => typeOf(text) === 'string' && text.minLength === 1 && !ANY_CHARACTER.has(name))
    .map(([name]) => name);
}

it('a required text of any body is refused when nobody can see it, and the field is named', async () => {
  const asked = new Map<string, string[]>();
  const refused = new Map<string, string[]>();
  for (const { method, path } of routes) {
    const { parameters, requestBody } = document.paths[path]![method.toLowerCase()]!;
    const { schema, example } = requestBody?.content['application/json'] ?? {};
    if (!schema || !example) continue;
    const texts = requiredTexts(schema);
    if (texts.length === 0) continue;
    const keys = parameters.filter(parameter => parameter.in === 'path');
    const at = keys.reduce((url, key) => url.replace(`{${key.name}}`, String(key.example)), path);
    const blank = Object.fromEntries(texts.map(name => [name, BLANK]));
    const answer = await admin.send(method, at, { ...example, ...blank });
    const named = new Set(answer.status === 422 ? fieldsOf(answer) : []);
    asked.set(`${method} ${path}`, texts);
    refused.set(
      `${method} ${path}`,
      texts.filter(name => named.has(name)),
    );
  }
  expect(asked.size).toBeGreaterThan(25);
  expect(refused).toEqual(asked);
});

it('nobody is admitted under a blank user name, on either face', async () => {
  const id_perfil = await makeProfile(service(), {});
  const body = { usuario: ' ', nome_civil: 'Nova', email: 'nova@universidade.example', id_perfil };
  const answer = await admin.post('/permissoes/pessoas', body);
  expectProblem(answer, 422, 'VALIDATION_FAILED');
  expect(fieldsOf(answer)).toEqual(['usuario']);
  const mutation = 'mutation ($input: AdmissaoInput!) { admitirPessoa(input: $input) { id } }';
  const input = { nomeCivil: 'Nova', email: body.email, idPerfil: id_perfil };
  for (const usuario of ['', ' ']) {
    const { errors } = await admin.graphql(mutation, { input: { ...input, usuario } });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'usuario' }],
    });
  }
  expect(await service().sql(`select id from pessoa where trim(usuario) = ''`)).toEqual([]);
});

it('an identifier has no characters that nobody sees, on either face', async () => {
  const id_perfil = await makeProfile(service(), {});
  const person = { nome_civil: 'Nova', id_perfil, nome_social: '\u200b' };
  const refusals: [string, object, string[]][] = [
    [
      '/permissoes/pessoas',
      { ...person, usuario: 'admin\u200b', email: 'a\u00ad@b.c' },
      ['usuario', 'email'],
    ],
    ['/permissoes/sistemas', { nome: 'Sistema', sigla: 'S\u2060II' }, ['sigla']],
    ['/permissoes/sistemas', { nome: 'Sistema', sigla: 'SII ' }, ['sigla']],
    ['/permissoes/controllers', { nome: 'permissoes/perfis\u3164', id_sistema: 1 }, ['nome']],
  ];
  for (const [path, body, fields] of refusals) {
    const answer = await admin.post(path, body);
    expectProblem(answer, 422, 'VALIDATION_FAILED');
    expect(fieldsOf(answer)).toEqual(fields);
  }
  const { errors } = await admin.graphql(
    'mutation ($input: SistemaInput!) { criarSistema(input: $input) { id } }',
    { input: { nome: 'Sistema', sigla: '\u202eSII' } },
  );
  expect(errors![0]!.extensions).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'sigla' }] });
  // What is trimmed is accepted with blanks at its ends, and an invisible social name is none.
  const admitted = await admin.post('/permissoes/pessoas', {
    ...person,
    usuario: ' visivel ',
    email: ' visivel@universidade.example ',
  });
  expect(admitted).toMatchObject({
    status: 201,
    body: { usuario: 'visivel', nome: 'Nova', nome_social: null },
  });
});
