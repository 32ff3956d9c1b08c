import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../src/graphql/schema.ts';
import { examples } from '../src/rest/examples/examples.ts';
import { catalogues } from '../src/rest/portuguese/texts.ts';
import { translator } from '../src/rest/portuguese/translator.ts';
import { routes } from '../src/rest/routes.ts';
import { beyond } from '../src/rest/routes/beyond.ts';
import { item as newsItem, rss, useFeed } from './support/feed.ts';
import { makeWebhook } from './support/receiver.ts';
import { useService } from './support/service.ts';
import { nameOf } from './spec/specification.ts';
import { systemHeaders, type Answer, type Client } from './support/client.ts';
import { expectDocumented, isDocumented, type Schema } from './support/json-schema.ts';
import { fieldsOf } from './support/problem.ts';
import { useValidation } from './support/validating-proxy.ts';
import { walk } from './support/walk.ts';
import { restFace, type Face } from './support/faces.ts';
import { walkBeyond } from './support/walk-beyond.ts';

interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Schema }>;
}
interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: Schema & { default?: unknown } }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  security: Record<string, string[]>[];
  responses: Record<string, Response>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, { type: string; in: string; name: string }>;
  };
}

const feed = useFeed();
const service = useService({
  INSTITUTION_CNPJ: '11222333000181',
  INSTITUTION_PURPOSE: '2',
  get NEWS_FEED_URL() {
    return feed.url;
  },
});
const { violations, strictly, leniently } = useValidation(service);
let document: Document;
let admin: Client;

beforeAll(async () => {
  feed.answer = (_req, res) => res.end(rss(newsItem(1)));
  document = (await published('en')).body as Document;
  admin = (await service().as('admin')).with(systemHeaders);
  // The demo has no closed month, because closing needs codes that no source verifies.
  await service().sql(
    `insert into fechamento_mapa (ano, mes, inicio, fim, nome_arquivo, tamanho, sha256)
     values (2019, 1, '2019-01-01', '2019-02-01', 'M2019JAN.txt', 0, repeat('0', 64))`,
  );
  const conteudo = Buffer.from('sigla;nome\nA;').toString('base64');
  await admin.post('/institucional/importacoes', { registros: 'lotacoes', nome_arquivo: 'a.csv', conteudo });
  await makeWebhook(service());
  await admin.post('/institucional/webhooks/testar', { id: 1 });
});

const published = (language: string): Promise<Answer> =>
  service().anyone.with({ 'accept-language': language }).get('/openapi.json');

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  );

/** The documented form of an answer, by its status and type. */
function documentedSchema({ responses }: Operation, { status, headers }: Answer): Schema {
  const named = responses[status];
  const response = named?.$ref ? document.components.responses[named.$ref.split('/').at(-1)!] : named;
  const type = headers.get('content-type')!.split(';')[0]!;
  expect(response?.content?.[type], `${status} ${type} is documented`).toBeDefined();
  return response!.content![type]!.schema;
}

const expectAsDocumented = (operation: Operation, answer: Answer): void =>
  expectDocumented(answer.body, documentedSchema(operation, answer), document.components.schemas);

describe('/openapi.json', () => {
  it('is an OpenAPI document, for everybody', async () => {
    expect(await new Validator().validate({ ...structuredClone(document) })).toMatchObject({ valid: true });
  });

  it('has every route and nothing else, each under a name of its own', () => {
    const described = operations().map(([method, path]) => `${method} ${path}`);
    expect(described.toSorted()).toEqual(routes.map(route => `${route.method} ${route.path}`).toSorted());
    const ids = operations().map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('uses the REST names of fields', () => {
    expect(JSON.stringify(document).match(/`[a-z]+[A-Z][\w.]*`/g) ?? []).toEqual([]);
    // If GraphQL answers null, REST answers 404.
    expect(JSON.stringify(document)).not.toContain('; null when');
  });

  it('gives a default to nothing that is required', () => {
    const parameters = operations().flatMap(([, , operation]) => operation.parameters);
    expect(parameters.filter(p => p.required && p.schema.default !== undefined)).toEqual([]);
    expect(parameters.filter(p => (p.in === 'path') !== p.required && p.in === 'path')).toEqual([]);
  });

  it('names the headers that identify callers', async () => {
    const { token, ...key } = document.components.securitySchemes;
    expect(Object.values(document.components.securitySchemes).every(scheme => scheme.in === 'header')).toBe(
      true,
    );
    const path = '/almoxarifadoquimicos/unidades-medida';
    const sent = service().anyone.with({ [token!.name]: admin.headers['token']! });
    expect((await sent.get(path)).status).toBe(200);
    expect(Object.values(key).map(scheme => scheme.name)).toEqual(['app-name', 'api-key']);
  });
});

describe('/openapi.json by Accept-Language', () => {
  const isText = (key: string, value: unknown): value is string =>
    (key === 'summary' || key === 'description') && typeof value === 'string';

  /** The texts of a document, and the document without texts. */
  function parted(document: object): { texts: string[]; rest: string } {
    const texts: string[] = [];
    const rest = JSON.stringify(document, (key, value: unknown) => {
      if (!isText(key, value)) return value;
      texts.push(value);
      return '';
    });
    return { texts, rest };
  }

  it('is in Portuguese, or in English if the client prefers that', async () => {
    const [english, portuguese] = [await published('en-GB,pt;q=0.5'), await published('*')];
    expect(english.headers.get('content-language')).toBe('en');
    expect(portuguese.headers.get('content-language')).toBe('pt-BR');
    const at = ({ body }: Answer) => body.paths['/almoxarifadoquimicos/materiais'].get.summary;
    expect([at(english), at(portuguese)]).toEqual(['Materials of the catalogue', 'Materiais do catálogo']);
    for (const { headers } of [english, portuguese]) expect(headers.get('vary')).toMatch(/Accept-Language/);
  });

  it('differs only in its texts, all of which are translated', async () => {
    const [english, portuguese] = [parted(document), parted((await published('pt')).body as object)];
    expect(portuguese.rest).toBe(english.rest);
    expect(english.texts.length).toBeGreaterThan(1_000);
    // The word is the same in both languages, or a name of a state.
    const isSame = (text: string): boolean => /^(OK|CNPJ|Webhook|`AC` Acre, .*)$/.test(text);
    const left = english.texts.filter((text, i) => text === portuguese.texts[i] && !isSame(text));
    expect([...new Set(left)]).toEqual([]);
    expect(await new Validator().validate({ ...(await published('pt')).body })).toMatchObject({
      valid: true,
    });
  });

  it('has no translation that it does not need, and none twice', () => {
    const entries = catalogues.flatMap(one => Object.entries(one));
    expect(new Set(entries.map(([text]) => text)).size).toBe(entries.length);
    const used = new Set<string>();
    const noting = new Proxy<Record<string, string>>(Object.fromEntries(entries), {
      get(target, text: string) {
        if (text in target) used.add(text);
        return target[text];
      },
    });
    const translate = translator(noting);
    for (const text of parted(document).texts) translate(text);
    expect(entries.map(([text]) => text).filter(text => !used.has(text))).toEqual([]);
  });

  it('is not sent again to a client that has it in its language', async () => {
    const tags = await Promise.all(
      ['pt', 'en'].map(async one => (await published(one)).headers.get('etag')!),
    );
    expect(new Set(tags).size).toBe(2);
    const again = (language: string, tag: string) =>
      service().anyone.raw('/openapi.json', {
        // With a conditional request, fetch adds a header that forces a full answer.
        headers: { 'accept-language': language, 'if-none-match': tag, 'cache-control': 'max-age=0' },
      });
    expect((await again('pt', tags[0]!)).status).toBe(304);
    expect((await again('en', tags[0]!)).status).toBe(200);
  });
});

describe('the document of /docs', () => {
  it('is the same in OpenAPI 3.0, which Swagger UI shows quickly', async () => {
    const older = (await service().anyone.with({ 'accept-language': 'en' }).get('/docs/openapi.json')).body;
    expect(older.openapi).toBe('3.0.4');
    expect(await new Validator().validate(structuredClone(older))).toMatchObject({ valid: true });
    expect(Object.keys(older.paths)).toEqual(Object.keys(document.paths));
    expect(Object.keys(older.components.schemas)).toEqual(Object.keys(document.components.schemas));
    const { properties } =
      older.paths['/almoxarifadoquimicos/movimentacoes-estoque/{id}'].put.requestBody.content[
        'application/json'
      ].schema;
    expect(properties.ciente_vencimento).toMatchObject({ type: 'boolean', nullable: true });
    expect(properties.lote).toMatchObject({
      nullable: true,
      allOf: [{ $ref: '#/components/schemas/LoteDeMaterialInput' }],
    });
    const { status } =
      older.components.responses.BAD_REQUEST.content['application/problem+json'].schema.properties;
    expect(status).toMatchObject({ type: 'integer', enum: [400] });
    expect(older.components.schemas.AtividadeCurriculoDiscente.properties.vinculo).toMatchObject({
      description: expect.any(String),
      allOf: [{ $ref: '#/components/schemas/VinculoDiscente' }],
    });
  });
});

/** The path of a record, with its required parameters. If several keys identify a record, the first one is used. */
async function example(path: string, { parameters }: Operation): Promise<string> {
  const required = parameters.filter(p => p.in === 'query' && p.required).map(p => `${p.name}=1`);
  return [await recordPath(path), ...(required.length > 0 ? [required.join('&')] : [])].join('?');
}

async function recordPath(path: string): Promise<string> {
  const list = path.replace(/\/\{.*/, '');
  const keys = {
    estoques: ['id_lote', 'id_local_fim', 'id_local_armazenado'],
    'item-nota-fiscal': ['id', 'id_nota_fiscal'],
  };
  const named = Object.entries(keys).find(([name]) =>
    path.startsWith(`/almoxarifadoquimicos/${name}/{`),
  )?.[1];
  const texts = { '{token}': admin.headers['token']!, '{email}': 'admin@universidade.example' };
  const spelled = Object.entries(texts).reduce((at, [name, value]) => at.replace(name, value), path);
  if (!named) return spelled.replace(/\{\w+\}/, '1');
  const [first] = (await admin.get(list)).body.data;
  return `${list}/${named.map(key => String(first[key])).join(':')}`;
}

/** A value outside the limits of a schema; undefined if it has no limits. */
function beyondBounds({ enum: values, maxLength, minLength, minimum }: Schema): unknown {
  if (values) return values.join('');
  if (maxLength !== undefined) return 'x'.repeat(maxLength + 1);
  if (minLength !== undefined) return 'x'.repeat(minLength - 1);
  return minimum === undefined ? undefined : minimum - 1;
}

describe('the documentation of', () => {
  it('every read matches what the service answers', async () => {
    const reads = operations().filter(([method]) => method === 'GET');
    expect(reads.length).toBeGreaterThan(0);
    for (const [, path, operation] of reads) {
      const answer = await strictly(admin).get(await example(path, operation));
      expect(answer.status, `at ${path}`).toBe(200);
      expectAsDocumented(operation, answer);
    }
    expect(violations).toEqual([]);
  });

  it('every error matches what the service answers', async () => {
    const discente = await service().as('discente');
    for (const [method, path, operation] of operations()) {
      const at = (id: string): string => path.replace(/\{\w+\}/, id);
      const body = operation.requestBody ? '{"' : undefined;
      const headers = { 'content-type': 'application/json' };
      const refused = [
        leniently(service().anyone).raw(at('1'), { method }),
        leniently(discente).raw(at('1'), { method }),
        leniently(admin).raw(at('2000000'), { method, ...(method !== 'GET' && { body: '{}', headers }) }),
        // Prism does not forward what it cannot parse itself: malformed JSON and malformed parameters.
        admin.raw(at('x'), { method, ...(body && { body, headers }) }),
        admin.raw(`${at('1')}?x=%ff`, { method }),
        ...(method === 'GET'
          ? []
          : [
              leniently(admin).raw(at('2000000'), {
                method,
                body: '{}',
                headers: { ...headers, 'if-match': '"1"' },
              }),
            ]),
        ...(body
          ? [leniently(admin).raw(at('1'), { method, body, headers: { 'content-type': 'text/plain' } })]
          : []),
      ];
      // Too many concurrent requests of a person are refused, and any request may find the database unavailable.
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['429', '500', '503']));
      for (const answer of await Promise.all(refused)) {
        if (answer.status < 300) continue;
        expect(answer.status, `${method} ${path}`).toBeLessThan(500);
        expectAsDocumented(operation, answer);
      }
    }
    expect(violations).toEqual([]);
  });

  it('is checked by a proxy that reports violations', async () => {
    await strictly(admin).get('/almoxarifadoquimicos/materiais?page=none');
    expect(violations.splice(0)).toMatchObject([expect.stringContaining('page')]);
  });

  it('every operation of the specification matches what it is sent and what it answers', async () => {
    const [chief, keeper] = [admin, await service().as('almoxarife')].map(client =>
      restFace(strictly(client.with(systemHeaders))),
    );
    await walk(
      { admin: chief!, keeper: keeper!, idPessoa: 4, token: admin.headers['token']! },
      'proxied walk',
    );
    expect(violations).toEqual([]);
  });

  it('every operation beyond the specification matches what it is sent and what it answers', async () => {
    const { call } = restFace(strictly(admin));
    const called = new Set<string>();
    const noting: Face = { call: (name, given) => (called.add(name), call(name, given)) };
    await walkBeyond(service(), noting);
    expect(violations).toEqual([]);
    expect(beyond.map(nameOf).filter(name => !called.has(name))).toEqual([]);
  });

  /**
   * Paths and parameters for files that the first record does not have. The walk beyond the specification created them.
   */
  const withFile: Readonly<Record<string, string>> = {
    '/almoxarifadoquimicos/mapa-mensal': '/almoxarifadoquimicos/mapa-mensal?ano=2025&mes=4',
    '/almoxarifadoquimicos/fechamentos-mapa/{id}': '/almoxarifadoquimicos/fechamentos-mapa/2',
    '/institucional/linhas-recusadas/{id}': '/institucional/linhas-recusadas/2',
  };

  /** The request for each type of answer other than JSON. */
  function asking(type: string, takes: (name: string) => boolean): Record<string, string> {
    const format = { formatoPlanilha: type === 'text/csv' ? 'csv' : 'xlsx' };
    if (type === 'application/pdf') return takes('pdf') ? { pdf: 'true' } : {};
    if (takes('planilha')) return { planilha: 'true', ...format };
    if (takes('export')) return { export: 'true', ...format };
    return {};
  }

  /**
   * Prism reads everything other than JSON as text, and a schema does not describe the bytes of a file. So it compares
   * status, media type and headers here; the tests of files compare the bytes.
   */
  it('every file matches what the service sends instead of JSON', async () => {
    let files = 0;
    for (const [method, path, operation] of operations()) {
      if (method !== 'GET') continue;
      const takes = (name: string) => operation.parameters.some(parameter => parameter.name === name);
      for (const type of Object.keys(operation.responses['200']!.content!)) {
        if (type === 'application/json') continue;
        const url = new URL(withFile[path] ?? (await example(path, operation)), service().url);
        for (const [name, value] of Object.entries(asking(type, takes))) url.searchParams.set(name, value);
        const accept = url.searchParams.size === 0 || withFile[path] ? 'application/octet-stream' : '*/*';
        const { status, headers } = await strictly(admin)
          .with({ accept })
          .get(url.pathname + url.search);
        expect(status, url.href).toBe(200);
        if (type !== '*/*' && type !== 'application/octet-stream')
          expect(headers.get('content-type'), url.href).toMatch(new RegExp(`^${type}(;|$)`));
        files += 1;
      }
    }
    const file = strictly(admin).with({ accept: 'application/octet-stream', range: 'bytes=0-3' });
    expect((await file.get('/arquivosdigitais/arquivos-digitais/1')).status).toBe(206);
    expect(violations).toEqual([]);
    expect(files).toBeGreaterThan(20);
  });

  it('a list has 422 if it may be requested without pages', async () => {
    const lists = operations().filter(([method, path]) => method === 'GET' && !path.includes('{'));
    for (const [, path, { parameters, responses }] of lists) {
      const always =
        parameters.some(p => p.name === 'page') &&
        // In the specification, `chTotal` is the pagination of a student's activities. A file is never paginated.
        !parameters.some(p => p.name === 'pagination' || p.name === 'chTotal' || p.name === 'pdf');
      expect(responses['422'] !== undefined, `at ${path}`).toBe(!always);
    }
  });

  it('a creation matches what the service answers', async () => {
    const path = '/almoxarifadoquimicos/materiais';
    const { post } = document.paths[path]!;
    const body = {
      titulo: 'T',
      descricao: 'D',
      id_unidade_medida: 1,
      estado_fisico: 'L',
      criado_por: 1,
      alterado_por: 1,
    };
    expectDocumented(
      body,
      post!.requestBody!.content['application/json']!.schema,
      document.components.schemas,
    );
    const answer = await admin.post(path, { ...body, id_tipo_controle: null });
    expect(answer.status).toBe(201);
    expectAsDocumented(post!, answer);
    expect(Object.keys(post!.responses['201']!.headers!)).toContain('Location');
    for (const name of Object.keys(body)) {
      const { [name as keyof typeof body]: _, ...rest } = body;
      expect(await admin.post(path, rest), `without ${name}`).toMatchObject({
        status: 422,
        body: { errors: [{ field: name }] },
      });
    }
    expect(post!.requestBody!.content['application/json']!.schema.required!.toSorted()).toEqual(
      Object.keys(body).toSorted(),
    );
  });

  it('every body matches what the service accepts, in every field', async () => {
    const bodies = operations().flatMap(([method, path, { requestBody }]) =>
      requestBody ? [[method, path, requestBody.content['application/json']!.schema] as const] : [],
    );
    let bounded = 0;
    for (const [method, path, { properties = {} }] of bodies) {
      const beyond = Object.entries(properties).map(
        ([name, schema]) => [name, beyondBounds(schema)] as const,
      );
      const broken = Object.fromEntries(beyond.filter(([, value]) => value !== undefined));
      const names = Object.keys(broken);
      bounded += names.length;
      if (names.length === 0) continue;
      const example = examples[`${method} ${path}`];
      expect(example, `${method} ${path} has no example`).toBeDefined();
      const body = { ...example!.body, ...broken };
      // An approval ignores the reason of a rejection.
      const turn = path.endsWith('/aprova-movimentacoes') ? '?rejeitar=true' : '';
      const answer = await admin.send(method, path.replace(/\{\w+\}/g, '1') + turn, body);
      expect(answer.status, `${method} ${path}`).toBe(422);
      expect(fieldsOf(answer), `${method} ${path}`).toEqual(expect.arrayContaining(names));
    }
    expect(bounded).toBeGreaterThan(50);
  });

  const item = { descricao: 'x', id_controller: 17, nivel: 1 };
  const moved = {
    id_lote: null,
    id_tipo_movimentacao: 2,
    id_local_destino_fim: 1,
    quantidade: 1,
    fl_estorno: 'N',
  };
  const batch = { id_material: 1, id_fabricante: 1, cod_lote: 'OA-1' };
  const invoice = { numero_nf: 'OA-1', id_transportadora: 7, id_fornecedor: 5, processo_sei: null };
  const person = { usuario: 'nova.pessoa', nome_civil: 'Nova', email: 'nova@universidade.example' };
  it.each<[string, object, boolean]>([
    ['/permissoes/perfis-recrusos-itens', { ...item, id_perfil: 4, id_recurso: 3 }, true],
    ['/permissoes/perfis-recrusos-itens', { ...item, id_perfil_recurso: 1 }, true],
    ['/permissoes/perfis-recrusos-itens', item, false],
    ['/permissoes/perfis-recrusos-itens', { ...item, id_perfil: 4 }, false],
    ['/permissoes/perfis-recrusos-itens', { ...item, id_perfil: 4, id_recurso: null }, false],
    ['/permissoes/perfis-recrusos-itens', { ...item, id_perfil_recurso: null }, false],
    ['/almoxarifadoquimicos/movimentacoes-estoque', { movimentacoes: [{ ...moved, lote: batch }] }, true],
    ['/almoxarifadoquimicos/movimentacoes-estoque', { movimentacoes: [{ ...moved, id_lote: 112 }] }, true],
    ['/almoxarifadoquimicos/movimentacoes-estoque', { movimentacoes: [moved] }, false],
    ['/almoxarifadoquimicos/movimentacoes-estoque', { movimentacoes: [] }, false],
    [
      '/almoxarifadoquimicos/notas-fiscais',
      { ...invoice, lotes: [{ ...batch, quantidade: 1, id_local: 1 }] },
      true,
    ],
    ['/almoxarifadoquimicos/notas-fiscais', { ...invoice, lotes: [{ ...batch, quantidade: 1 }] }, false],
    ['/permissoes/pessoas', { id_perfil: 4, id_pessoa: 6 }, true],
    ['/permissoes/pessoas', { id_perfil: 4, ...person }, true],
    ['/permissoes/pessoas', { id_perfil: 4, usuario: 'nova.pessoa' }, false],
    ['/permissoes/pessoas', { id_perfil: 4 }, false],
  ])('%s demands of a body what its documentation says: %j', async (path, body, isWhole) => {
    const { schema } = document.paths[path]!['post']!.requestBody!.content['application/json']!;
    expect(isDocumented(body, schema, document.components.schemas)).toBe(isWhole);
    expect((await admin.post(path, body)).status).toBe(isWhole ? 201 : 422);
  });

  it('an export matches what the service sends', async () => {
    const path = '/almoxarifadoquimicos/materiais';
    const { get } = document.paths[path]!;
    for (const format of ['csv', 'xlsx']) {
      const { headers } = await admin.get(`${path}?export=true&formatoPlanilha=${format}&titulo=acetona`);
      expect(Object.keys(get!.responses['200']!.content!)).toContain(
        headers.get('content-type')!.split(';')[0],
      );
    }
    expect(get!.parameters.find(p => p.name === 'formatoPlanilha')!.schema.enum).toEqual(['csv', 'xlsx']);
  });
});

describe('the descriptions', () => {
  it('come from the schema that serves both faces', async () => {
    const schema = await createSchema();
    const material = document.components.schemas['Material']!.properties!['numero_cas'] as {
      description: string;
    };
    expect(material.description).toBe(
      (
        schema.getType('Material') as unknown as { getFields(): Record<string, { description: string }> }
      ).getFields()['numeroCas']!.description,
    );
  });
});
